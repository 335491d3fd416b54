package io.palus.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What one run needs to know, as (name, value) pairs; a list is its name repeated. The engine
 * reads, checks and completes them, so that a wrong value gets the same words from every build
 * tool.
 */
public final class Settings {
  /** A property of the build, which it may hand on to its tests: its name, `=`, its value. */
  public static final String BUILD_PROPERTY = "buildProperty";

  private final List<String> pairs;

  private Settings(List<String> pairs) {
    this.pairs = List.copyOf(pairs);
  }

  /** Starts empty. */
  public static Builder builder() {
    return new Builder();
  }

  /** Name, value, name, value. */
  String[] toPairs() {
    return pairs.toArray(new String[0]);
  }

  /** All values of a name, in order. */
  public List<String> values(String name) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      if (pairs.get(i).equals(name)) {
        values.add(pairs.get(i + 1));
      }
    }
    return values;
  }

  /** For logs: properties of the test JVM and of the build are shown without their values. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pairs.size(); i += 2) {
      text.append(pairs.get(i))
          .append('=')
          .append(
              SecretNames.forLogs(
                  pairs.get(i).equals(BUILD_PROPERTY) ? "-D" + pairs.get(i + 1) : pairs.get(i + 1)))
          .append('\n');
    }
    return text.toString();
  }

  /** Collects pairs. */
  public static final class Builder {
    private final List<String> pairs = new ArrayList<>();

    private Builder() {}

    /** Adds a pair; without a value nothing is added and the engine's default holds. */
    public Builder set(String name, Object value) {
      if (value != null) {
        pairs.add(name);
        pairs.add(value.toString());
      }
      return this;
    }

    /** Sets one value in the place of what was set before. */
    public Builder setInstead(String name, Object value) {
      for (int i = pairs.size() - 2; i >= 0; i -= 2) {
        if (pairs.get(i).equals(name)) {
          pairs.subList(i, i + 2).clear();
        }
      }
      return set(name, value);
    }

    /** Adds all pairs of others. */
    Builder setAll(Settings others) {
      pairs.addAll(others.pairs);
      return this;
    }

    /** Adds one pair per value; an absolute path where a value is a path. */
    public Builder setAll(String name, Iterable<?> values) {
      if (values != null) {
        for (Object value : values) {
          set(name, value instanceof Path ? ((Path) value).toAbsolutePath() : value);
        }
      }
      return this;
    }

    /**
     * Adds a list that the user gave, as one pair per element; an empty one as one empty value, for
     * the engine says whether the list may be empty. Null where the user gave none.
     */
    public Builder setGiven(String name, List<?> values) {
      if (values != null && values.isEmpty()) {
        return set(name, "");
      }
      return setAll(name, values);
    }

    /** Everything collected so far. */
    public Settings build() {
      return new Settings(pairs);
    }
  }
}
