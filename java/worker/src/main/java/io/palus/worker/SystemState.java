package io.palus.worker;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** What all code of a JVM shares and a sequence may change: put back as it was at the start. */
final class SystemState {
  private final Properties properties = new Properties();
  private final Locale locale = Locale.getDefault();
  private final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
  private final Locale format = Locale.getDefault(Locale.Category.FORMAT);
  private final TimeZone zone = TimeZone.getDefault();

  SystemState() {
    properties.putAll(System.getProperties());
  }

  /** Standard streams that lead nowhere: the subject's output is nobody's business. */
  static void silence() {
    System.setIn(new ByteArrayInputStream(new byte[0]));
    System.setOut(new PrintStream(new Nowhere()));
    System.setErr(new PrintStream(new Nowhere()));
  }

  /** Puts properties, locale and zone back. */
  void restore() {
    Properties copy = new Properties();
    copy.putAll(properties);
    System.setProperties(copy);
    Locale.setDefault(locale);
    Locale.setDefault(Locale.Category.DISPLAY, display);
    Locale.setDefault(Locale.Category.FORMAT, format);
    TimeZone.setDefault((TimeZone) zone.clone());
  }

  private static final class Nowhere extends OutputStream {
    @Override
    public void write(int oneByte) {}

    @Override
    public void write(byte[] bytes, int from, int length) {}
  }
}
