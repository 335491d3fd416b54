package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    expected.addAll(OptionNames.GRADLE_ALONE);
    Set<String> names = new TreeSet<>();
    for (Method method : PalusExtension.class.getDeclaredMethods()) {
      if (method.getName().startsWith("get")
          && Provider.class.isAssignableFrom(method.getReturnType())) {
        names.add(
            Character.toLowerCase(method.getName().charAt(3)) + method.getName().substring(4));
      }
    }
    for (String name : expected) {
      assertTrue(
          names.contains(name),
          () ->
              "PalusExtension has no `public abstract Property<Object> "
                  + PalusExtension.getter(name)
                  + "();`");
    }
    assertEquals(expected, names);
  }
}
