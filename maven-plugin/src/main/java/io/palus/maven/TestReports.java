package io.palus.maven;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What Surefire's XML reports say about the run that began at a point of time. */
final class TestReports {
  private long tests;
  private long red;
  private double seconds;

  /** Reads the reports that were written since then. */
  static TestReports since(long millis, String directory) {
    TestReports reports = new TestReports();
    for (Path file : Layout.files(Paths.get(directory), ".xml")) {
      // File times may be whole seconds.
      if (file.getFileName().toString().startsWith("TEST-")
          && file.toFile().lastModified() >= millis - millis % 1000) {
        reports.read(file);
      }
    }
    return reports;
  }

  private void read(Path file) {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      reader.nextTag();
      tests += (long) number(reader, "tests");
      red += (long) number(reader, "failures") + (long) number(reader, "errors");
      seconds += number(reader, "time");
    } catch (IOException | XMLStreamException e) {
      // Only the summary's figures are poorer by this report.
    }
  }

  private static double number(XMLStreamReader reader, String attribute) {
    String text = reader.getAttributeValue(null, attribute);
    try {
      return text == null ? 0 : Double.parseDouble(text.replace(",", ""));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  long tests() {
    return tests;
  }

  /** Tests that failed or ended by an error. */
  long red() {
    return red;
  }

  double seconds() {
    return seconds;
  }
}
