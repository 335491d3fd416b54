package io.palus.host;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What the XML reports of a test run say: how many tests, and how many red. */
public final class TestReports {
  private static final List<String> LIMITS =
      List.of("java.lang.StackOverflowError", "java.lang.OutOfMemoryError");

  /** What a JVM says where a class is made anew without what an agent added to it. */
  private static final List<String> REDEFINITIONS =
      List.of("class redefinition failed", "java.lang.ClassFormatError");

  private long tests;
  private long red;
  private long atLimits;
  private long redefining;

  /** Reads the reports that were written since then. */
  public static TestReports since(long millis, Path directory) {
    TestReports reports = new TestReports();
    File[] files = directory.toFile().listFiles();
    for (File file : files == null ? new File[0] : files) {
      String name = file.getName();
      boolean isNamed = name.startsWith("TEST-") && name.endsWith(".xml");
      boolean isReport = isNamed && file.isFile();
      // File times may be whole seconds.
      if (isReport && file.lastModified() >= millis - millis % 1000) {
        reports.read(file.toPath());
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
      tests += number(reader, "tests");
      red += number(reader, "failures") + number(reader, "errors");
      while (reader.hasNext()) {
        reader.next();
        boolean isRed =
            reader.isStartElement()
                && (reader.getLocalName().equals("failure")
                    || reader.getLocalName().equals("error"));
        if (isRed) {
          String said = said(reader);
          atLimits += LIMITS.stream().anyMatch(said::contains) ? 1 : 0;
          redefining += REDEFINITIONS.stream().anyMatch(said::contains) ? 1 : 0;
        }
      }
    } catch (IOException | XMLStreamException | RuntimeException e) {
      // Only the summary's figures are poorer by this report.
    }
  }

  /** By the exception's class or, where a test framework wraps it, by what is said of it. */
  private static String said(XMLStreamReader reader) throws XMLStreamException {
    StringBuilder said = new StringBuilder();
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      said.append(reader.getAttributeValue(i)).append('\n');
    }
    said.append(reader.getElementText());
    return said.toString();
  }

  private static long number(XMLStreamReader reader, String attribute) {
    String text = reader.getAttributeValue(null, attribute);
    try {
      return text == null ? 0 : Long.parseLong(text.replace(",", ""));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** How many tests ran. */
  public long tests() {
    return tests;
  }

  /** Tests that failed or ended by an error. */
  public long red() {
    return red;
  }

  /** What the build is told of red tests, which ran traced. */
  public String failures() {
    String all = red + " of the project's own tests fail; what they did is left out of the trace";
    if (atLimits > 0) {
      all +=
          ". At least "
              + atLimits
              + " of them came to the end of the stack or of memory, of which tracing takes a part:"
              + " they may pass without Palus. A larger -Xss or -Xmx for the tests helps";
    }
    if (redefining > 0) {
      all +=
          ". At least "
              + redefining
              + " of them make classes anew from their files, as JMockit does, which a JVM refuses"
              + " where an agent has added anything: they may pass without Palus";
    }
    return all;
  }
}
