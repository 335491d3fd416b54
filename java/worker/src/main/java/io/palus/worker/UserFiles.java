package io.palus.worker;

import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.OwnUse;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands for the user's files: the current directory, the home folder and the folder for temporary
 * files of a JVM that runs subject code, full of files of usual names. None of them may ever
 * change; beside them there may be nothing but what the subject made in the last one under names
 * that nobody else can have.
 */
public final class UserFiles {
  /** The folders and what messages call them. */
  private static final String[][] PLACES = {
    {"checkout", "the current directory"},
    {"home", "the home folder"},
    {"work", "the folder for temporary files"}
  };

  /** The engine lists here what it planted: a path below the folder a line. */
  private static final String LIST = "planted.txt";

  private final Path folder;

  /** The folder for temporary files; null where there is none. */
  private final Path temporary;

  private final PlantedFiles planted;

  /** Tells when nothing can have changed, so that nobody needs to look. */
  private final KernelNotes notes;

  /** What the notes counted when all was as it should be. */
  private volatile long changes;

  private volatile long foreignChanges;

  /** Whether these files may have changed since all was put back, for which any such call does. */
  private volatile boolean mayDiffer = true;

  /** Whether there may be more files than the subject's own since nobody found any. */
  private volatile boolean mayHoldMore = true;

  /** The same since the subject's own were last removed. */
  private volatile boolean mayHoldUnknown = true;

  /** How many of ours are at work, one within the other. */
  private int pauses;

  private UserFiles(Path folder, KernelNotes notes) {
    this.folder = folder;
    this.temporary = folder == null ? null : folder.resolve("work");
    this.planted = new PlantedFiles(temporary);
    this.notes = notes;
  }

  /**
   * The files in the folders {@code checkout}, {@code home} and {@code work}, as they are now.
   *
   * @param folder in which these are, and the list of all files in them; null where there are none,
   *     and nothing changes in those
   * @param isBare whether there is no list, and the folders are empty
   * @param notes what this JVM changed, as far as that is known
   * @return the files
   * @throws IOException if the list cannot be read
   */
  public static UserFiles in(String folder, boolean isBare, KernelNotes notes) throws IOException {
    Path path = folder == null ? null : new File(folder).toPath();
    UserFiles files = new UserFiles(path, notes);
    if (path != null) {
      files.know(isBare ? new String[0] : listed(path.resolve(LIST)));
      files.planted.stamp();
      files.allIsBack();
    }
    return files;
  }

  private static String[] listed(Path list) throws IOException {
    return new String(Files.readAllBytes(list), StandardCharsets.UTF_8).split("\n");
  }

  private void know(String[] all) {
    for (String[] place : PLACES) {
      String start = place[0] + '/';
      List<String> names = new ArrayList<>();
      for (String name : all) {
        if (name.startsWith(start)) {
          names.add(name.substring(start.length()));
        }
      }
      planted.know(folder.resolve(place[0]), names);
    }
  }

  /** The absolute paths of the folders; none where there are none. */
  String[] folders() {
    String[] folders = new String[folder == null ? 0 : PLACES.length];
    for (int i = 0; i < folders.length; i++) {
      folders[i] = folder.resolve(PLACES[i][0]).toString();
    }
    return folders;
  }

  /** Values that a variable or property of the user's may have; none where there are no files. */
  String[] values() {
    if (folder == null) {
      return new String[0];
    }
    Path data = folder.resolve("checkout").resolve("data");
    return new String[] {data.toString(), data.resolve("ledger.db").toString(), "true"};
  }

  /** Whether a file or folder is one of these. */
  boolean hold(Path path) {
    return planted.hold(path);
  }

  /**
   * Puts all back as it was.
   *
   * @throws IOException if that fails
   */
  public void restore() throws IOException {
    if (folder == null || areUntouched()) {
      return;
    }
    planted.plant();
    planted.stamp();
    allIsBack();
  }

  /**
   * Puts back what {@link #changed} tells, which is faster where little was changed.
   *
   * @throws IOException if that fails
   */
  void repair() throws IOException {
    if (folder != null && !areUntouched()) {
      planted.repair();
      allIsBack();
    }
  }

  /**
   * Removes what was made for classes that are loaded anew.
   *
   * @param kernel what was denied: our own changes are no answer to anybody
   * @throws IOException if that fails
   */
  public void renew(Denials kernel) throws IOException {
    Guard.forgetFiles();
    if (folder != null) {
      kernel.pause();
      planted.repair();
      kernel.resume();
      allIsBack();
    }
  }

  private synchronized void allIsBack() {
    foreignChanges = notes.foreignChanges();
    changes = notes.changes();
    mayDiffer = !notes.exist();
    mayHoldMore = mayDiffer;
  }

  /**
   * Whether nothing was changed since all was as it should be. Once one of these files may have
   * been, it may stay open, and change at any time, so that all is looked at until it is put back.
   */
  boolean areUntouched() {
    boolean isCertain = !mayDiffer && !mayHoldMore && notes.changes() == changes;
    return isCertain || look();
  }

  private synchronized boolean look() {
    if (notes.changes() != changes) {
      mayHoldMore = true;
      if (notes.foreignChanges() != foreignChanges) {
        mayDiffer = true;
        mayHoldUnknown = true;
      }
    }
    return !mayDiffer && !mayHoldMore;
  }

  /**
   * Whether since this was last asked nothing was changed but the subject's own files, which lie in
   * the folder for temporary files itself or below such folders.
   */
  boolean holdNothingUnknown() {
    look();
    boolean isKnown = notes.exist() && !mayHoldUnknown;
    mayHoldUnknown = false;
    return isKnown;
  }

  /** There was nothing but these files and own ones when so many changes were counted. */
  private synchronized void holdNoMore(long then) {
    if (pauses == 0) {
      changes = then;
      mayHoldMore = mayDiffer;
    }
  }

  /**
   * Whether it is known when nothing was changed, so that {@link #changed} mostly costs nothing.
   */
  boolean areWatched() {
    return notes.exist();
  }

  /**
   * Lets no use of files by our own code, while the subject runs, count here or there.
   *
   * @param kernel what was denied
   */
  public void leaveOut(Denials kernel) {
    if (areWatched()) {
      OwnUse.knowLinks();
    }
    OwnUse.set(
        () -> {
          kernel.pause();
          pause();
        },
        () -> {
          resume();
          kernel.resume();
        });
  }

  private synchronized void pause() {
    if (pauses++ == 0) {
      areUntouched();
    }
  }

  private synchronized void resume() {
    if (--pauses == 0) {
      foreignChanges = notes.foreignChanges();
      changes = notes.changes();
    }
  }

  /**
   * What is no more as it was, by times, sizes and rights.
   *
   * @return a name for messages; null if all is as it was
   */
  public String changed() {
    if (areUntouched()) {
      return null;
    }
    long then = notes.changes();
    Path first = mayDiffer ? planted.changed() : null;
    String changed = first == null ? stranger() : name(first);
    if (changed == null) {
      holdNoMore(then);
    }
    return changed;
  }

  /**
   * What somebody else made in the folder for temporary files; null for nothing. A folder that
   * cannot be listed may hold anything.
   */
  private String stranger() {
    if (temporary == null) {
      return null;
    }
    String[] found = temporary.toFile().list();
    if (found == null) {
      return name(temporary);
    }
    for (String name : found) {
      Path path = temporary.resolve(name);
      if (!planted.hold(path) && !Guard.isOwn(path)) {
        return name(path);
      }
    }
    return null;
  }

  /**
   * What is no more as it was, also by content.
   *
   * @return as {@link #changed}
   */
  public String changedInside() {
    if (areUntouched()) {
      return null;
    }
    String changed = changed();
    Path inside = changed == null ? planted.changedInside() : null;
    if (inside == null) {
      return changed;
    }
    mayDiffer = true; // until it is put back, whatever the look by times and sizes found
    return name(inside);
  }

  private String name(Path path) {
    for (String[] place : PLACES) {
      Path root = folder.resolve(place[0]);
      if (path.startsWith(root)) {
        String name = root.relativize(path).toString().replace(File.separatorChar, '/');
        return name.isEmpty() ? place[1] : name + " in " + place[1];
      }
    }
    return path.toString();
  }
}
