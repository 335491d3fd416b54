package io.palus.gradle;

import io.palus.host.SecretNames;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import org.gradle.api.provider.ValueSource;
import org.gradle.api.provider.ValueSourceParameters;

/**
 * A text that changes with the system properties of the build, for a configuration cache: of {@code
 * -D} on the command line it knows nothing by itself. It holds no value, and secrets do not count,
 * for none is handed on.
 */
public abstract class GivenProperties implements ValueSource<String, ValueSourceParameters.None> {
  @Override
  public String obtain() {
    return of(System.getProperties());
  }

  static String of(Properties properties) {
    StringBuilder text = new StringBuilder();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (!SecretNames.isSecret(name)) {
        text.append(name).append('=').append(properties.getProperty(name)).append('\n');
      }
    }
    return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }
}
