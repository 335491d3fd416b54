package sample;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.w3c.dom.Document;
import org.w3c.dom.ls.DOMImplementationLS;

/** Takes the folder that it is started in, and the user's home, for its own. */
public class Workspace {
  private int items;

  /** Empties {@code data}. */
  public int reset() {
    int gone = 0;
    File[] files = new File("data").listFiles();
    if (files != null) {
      for (File file : files) {
        if (file.delete()) {
          gone++;
        }
      }
    }
    return gone;
  }

  /** Empties a folder whose name no other program has. */
  public void clear() {
    File folder = new File("vault-ledger");
    if (folder.isDirectory()) {
      for (String name : folder.list()) {
        new File(folder, name).delete();
      }
    }
  }

  /** Empties a folder of its own among the temporary files. */
  public int clearCache() {
    int gone = 0;
    File[] files = new File(System.getProperty("java.io.tmpdir"), "vault-cache").listFiles();
    if (files != null) {
      for (File file : files) {
        if (file.delete()) {
          gone++;
        }
      }
    }
    return gone;
  }

  /** Forgets who runs, if anybody does. */
  public boolean unlock() throws IOException {
    Path lock = Paths.get("/var/tmp/vault-app/run.lock");
    if (Files.exists(lock)) {
      Files.delete(lock);
      return true;
    }
    return false;
  }

  /** By method references alone. */
  public void sweep() throws IOException {
    try (Stream<Path> all = Files.walk(Paths.get("data"))) {
      all.map(Path::toFile).filter(File::isFile).forEach(File::delete);
    }
  }

  public void save() throws IOException {
    try (Writer writer = new FileWriter("vault.properties")) {
      writer.write("items=" + items);
    }
  }

  public void remember() throws IOException {
    Files.write(Paths.get(System.getProperty("user.home"), ".vaultrc"), new byte[] {1});
  }

  /** An XML transformer writes the file. */
  public void export() throws Exception {
    TransformerFactory.newInstance()
        .newTransformer()
        .transform(
            new StreamSource(new StringReader("<vault/>")),
            new StreamResult(new File("vault.xml")));
  }

  /** The JDK writes the file, and no guard knows this way. */
  public void publish() throws Exception {
    publish(new File("vault.xml"));
  }

  public void announce() throws Exception {
    publish(new File(System.getProperty("java.io.tmpdir"), "vault-report.xml"));
  }

  private static void publish(File file) throws Exception {
    Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
    document.appendChild(document.createElement("vault"));
    ((DOMImplementationLS) document.getImplementation())
        .createLSSerializer()
        .writeToURI(document, file.toURI().toString());
  }

  public boolean create() throws IOException {
    return new File("vault.lock").createNewFile();
  }

  public int add(int more) {
    items += more > 0 ? more : 0;
    return items;
  }

  /** Its own temporary file is nobody else's. */
  public long temporary(String text) throws IOException {
    File file = File.createTempFile("vault", ".txt");
    try (Writer writer = new FileWriter(file)) {
      writer.write(text);
    }
    long length = file.length();
    file.delete();
    return length;
  }
}
