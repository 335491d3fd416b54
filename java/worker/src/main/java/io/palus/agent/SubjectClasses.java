package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipFile;

/**
 * Which classes are subject classes, which are test classes: decided by where their code comes
 * from, never by name. A class that was made at run time (a mock) is neither, although it often
 * claims its parent's origin.
 */
final class SubjectClasses {
  /** What a class is to the agent. */
  enum Kind {
    SUBJECT,
    TEST,
    NEITHER
  }

  private static final class Location {
    final File file;
    final Kind kind;
    final ZipFile zip;

    Location(File file, Kind kind) throws IOException {
      this.file = file.getCanonicalFile();
      this.kind = kind;
      zip = file.isFile() ? new ZipFile(file) : null;
    }

    boolean has(String name) {
      String path = name + ".class";
      return zip != null ? zip.getEntry(path) != null : new File(file, path).isFile();
    }
  }

  private static final Location NOWHERE = null;

  private final List<Location> locations = new ArrayList<>();
  private final Map<String, Location[]> bySource = new ConcurrentHashMap<>();

  SubjectClasses(AgentSettings settings) {
    add(settings.classes, Kind.SUBJECT);
    add(settings.testClasses, Kind.TEST);
  }

  private void add(List<File> files, Kind kind) {
    for (File file : files) {
      try {
        locations.add(new Location(file, kind));
      } catch (IOException e) {
        ExceptionSink.report("cannot read " + file, e);
      }
    }
  }

  /** Kind of the class with this internal name and origin. */
  Kind kind(String name, ProtectionDomain domain) {
    Location location = location(domain);
    return location != NOWHERE && location.has(name) ? location.kind : Kind.NEITHER;
  }

  /** True if the class's origin is that of a module. */
  boolean isModular(ProtectionDomain domain) {
    Location location = location(domain);
    return location != NOWHERE && location.has("module-info");
  }

  private Location location(ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL url = source == null ? null : source.getLocation();
    if (url == null) {
      return NOWHERE;
    }
    Location[] found = bySource.get(url.toExternalForm());
    if (found == null) {
      found = new Location[] {find(url)};
      bySource.put(url.toExternalForm(), found);
    }
    return found[0];
  }

  private Location find(URL url) {
    try {
      String text = url.toExternalForm();
      if (text.startsWith("jar:")) {
        int end = text.indexOf("!/");
        text = text.substring(4, end < 0 ? text.length() : end);
      }
      if (!text.startsWith("file:")) {
        return NOWHERE;
      }
      File file = fileOf(text).getCanonicalFile();
      for (Location location : locations) {
        if (location.file.equals(file)) {
          return location;
        }
      }
    } catch (IOException e) {
      ExceptionSink.report("cannot place " + url, e);
    }
    return NOWHERE;
  }

  private static File fileOf(String url) {
    try {
      return new File(URI.create(url));
    } catch (IllegalArgumentException e) {
      // A URL that was never encoded (spaces).
      return new File(url.substring("file:".length()));
    }
  }
}
