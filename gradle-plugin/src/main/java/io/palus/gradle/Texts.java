package io.palus.gradle;

import java.io.File;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.InvalidUserDataException;
import org.gradle.api.Transformer;

/**
 * What is made of values of settings. Serializable, because a configuration cache keeps how a
 * property was read and not only its value.
 */
final class Texts {
  private Texts() {}

  /** Without blanks around it. */
  static final class Trimmed implements Transformer<String, String>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public String transform(String text) {
      return text.trim();
    }
  }

  /** The elements between commas; none where there is no text. */
  static final class Elements implements Transformer<List<String>, String>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public List<String> transform(String text) {
      List<String> elements = new ArrayList<>();
      for (String element : text.split(",", -1)) {
        if (!element.trim().isEmpty()) {
          elements.add(element.trim());
        }
      }
      return elements;
    }
  }

  /** A folder; a relative one is below the project's. */
  static final class Path implements Transformer<File, String>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public File transform(String text) {
      return new File(text);
    }
  }

  /**
   * The value of a setting that is on or off; the name alone means yes, as on Maven's command line.
   */
  static final class Flag implements Transformer<Boolean, String>, Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;

    Flag(String name) {
      this.name = name;
    }

    @Override
    public Boolean transform(String text) {
      if (!text.isEmpty() && !text.equals("true") && !text.equals("false")) {
        throw new InvalidUserDataException(
            "the setting `" + name + "` has the value `" + text + "`. Allowed: true or false");
      }
      return !text.equals("false");
    }
  }
}
