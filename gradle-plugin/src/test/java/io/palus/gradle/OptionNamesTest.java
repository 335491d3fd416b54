package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.palus.host.OptionNames;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import org.gradle.api.provider.Provider;
import org.junit.jupiter.api.Test;

/** What a user may set has the same names in both plugins. */
class OptionNamesTest {
  @Test
  void theExtensionHasTheSharedOptionsAndThoseOfGradleAlone() {
    Set<String> expected = new TreeSet<>(OptionNames.SHARED);
    expected.add(OptionNames.AUTOMATIC);
    expected.add(OptionNames.CACHE_TRACES);
    Set<String> names = new TreeSet<>();
    for (Method method : PalusExtension.class.getDeclaredMethods()) {
      if (method.getName().startsWith("get")
          && Provider.class.isAssignableFrom(method.getReturnType())) {
        names.add(
            Character.toLowerCase(method.getName().charAt(3)) + method.getName().substring(4));
      }
    }
    assertEquals(expected, names);
  }
}
