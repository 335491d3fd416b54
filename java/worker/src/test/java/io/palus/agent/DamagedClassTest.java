package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.palus.wire.Mutator;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever class file comes, the agent instruments it or leaves it as it is, and never throws. */
class DamagedClassTest {
  private static final String NAME = "io/palus/agent/DamagedClassTest";

  @TempDir Path folder;

  @Test
  void class_files_are_traced_or_left_as_they_are() throws IOException {
    byte[] file;
    try (java.io.InputStream in = getClass().getResourceAsStream("/" + NAME + ".class")) {
      file = in.readAllBytes();
    }
    for (String kind : List.of("classes", "testClasses")) {
      Path classes = folder.resolve(kind);
      Files.createDirectories(classes.resolve(NAME).getParent());
      Files.write(classes.resolve(NAME + ".class"), file);
      Path options = folder.resolve(kind + ".properties");
      Files.writeString(options, "output=" + folder + "\n" + kind + ".0=" + classes + "\n");
      TracingTransformer transformer =
          new TracingTransformer(new SubjectClasses(AgentSettings.read(options.toFile())));
      URL origin = classes.toUri().toURL();
      ProtectionDomain domain =
          new ProtectionDomain(new CodeSource(origin, (Certificate[]) null), null);
      ClassLoader loader = getClass().getClassLoader();
      assertNotNull(transformer.transform(loader, NAME, null, domain, file));
      Mutator.run(
          "class files of " + kind + " in the agent",
          100,
          List.of(file),
          16 << 20,
          1 << 12,
          bytes -> transformer.transform(loader, NAME, null, domain, bytes));
    }
  }
}
