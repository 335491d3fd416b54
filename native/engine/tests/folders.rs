//! Code that works on a folder, through whole runs: its tests have one, look at what is in it, and leave nothing.

use crate::project_lab::Lab;

const NOTES: (&str, &str) = (
    "notes/NoteStore.java",
    r#"package notes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
public class NoteStore {
  private final Path folder;
  public NoteStore(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) { throw new IllegalArgumentException("not a folder"); }
    this.folder = folder;
  }
  public void add(String name, String text) throws IOException {
    Files.write(folder.resolve("note-" + name), text.getBytes(StandardCharsets.UTF_8));
  }
  public String read(String name) throws IOException {
    Path file = folder.resolve("note-" + name);
    if (!Files.exists(file)) { return null; }
    return "read " + new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
  public String where() { return folder.getFileName().toString(); }
}
"#,
);

const EXPORTER: (&str, &str) = (
    "notes/Exporter.java",
    r#"package notes;
import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
public class Exporter {
  public static void write(File folder, int count) throws IOException {
    if (!folder.isDirectory()) { throw new IllegalArgumentException("no folder"); }
    try (FileWriter writer = new FileWriter(new File(folder, "report.txt"))) {
      writer.write("count: " + count);
    }
  }
  public static void clear(File file) {
    if (file.isFile() && file.getName().endsWith(".tmp")) { file.delete(); }
  }
}
"#,
);

#[test]
fn what_works_on_a_folder_is_tested_in_one_that_junit_makes() {
    let lab = Lab::at_level(11, &[NOTES, EXPORTER], &[]);
    let said = lab.run(&[("budget", "3000"), ("seed", "1")]);
    let written = lab.written("notes");
    let text: String = written.values().map(String::as_str).collect();
    for part in [
        "  @Rule public TemporaryFolder temporaryFolder = new TemporaryFolder();",
        "    Path folder = temporaryFolder.getRoot().toPath();",
        "new NoteStore(folder)",
        // What the code reads was put there, and what it wrote is looked at.
        "assertEquals(\"read ",
        "Files.readString(folder.resolve(\"report.txt\"))",
        "\"not a folder\", exception.getMessage()",
        // The folder has another name each time.
        "assertNotNull(noteStore.where());",
        // The code's own constant makes the name.
        "folder.resolve(\"a.tmp\")",
        "assertFalse(Files.exists(folder.resolve(\"a.tmp\")))",
    ] {
        assert!(text.contains(part), "{part}\n{text}\n{said}");
    }
    for part in [
        "createTempDirectory",
        "deleteOnExit",
        "Palus$",
        "assertEquals(\"junit",
    ] {
        assert!(!text.contains(part), "{part}\n{text}");
    }
    assert!(said.contains(" 0 dropped"), "{said}\n{text}");
}
