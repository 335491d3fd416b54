package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.Map;
import org.gradle.api.initialization.Settings;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.provider.Property;
import org.gradle.caching.configuration.BuildCache;
import org.gradle.caching.configuration.BuildCacheConfiguration;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;

/** Which build caches traces may get into. */
class TraceCachingTest {
  /** What Gradle's own class has beside its interface. */
  public interface WithSettings {
    Settings getSettings();
  }

  @Test
  void traces_stay_out_of_a_remote_cache_that_is_written_to() {
    assertTrue(isKeptOut(remote(true, true), false));
  }

  @Test
  void the_setting_allows_it() {
    assertFalse(isKeptOut(remote(true, true), true));
  }

  @Test
  void a_cache_of_this_machine_alone_may_have_them() {
    assertFalse(isKeptOut(null, false));
    assertFalse(isKeptOut(remote(true, false), false));
    assertFalse(isKeptOut(remote(false, true), false));
  }

  @Test
  void where_nobody_can_tell_they_stay_out() {
    Gradle gradle = ProjectBuilder.builder().build().getGradle();
    Gradle unknown = answering(Map.of("getParent", gradle), Gradle.class);
    assertTrue(TraceCaching.of(unknown, allowed(false)).isSatisfiedBy(null));
  }

  private static BuildCache remote(boolean enabled, boolean push) {
    return answering(Map.of("isEnabled", enabled, "isPush", push), BuildCache.class);
  }

  private static boolean isKeptOut(BuildCache remote, boolean allowed) {
    BuildCacheConfiguration caches =
        answering(
            remote == null ? Map.of() : Map.of("getRemote", remote), BuildCacheConfiguration.class);
    Settings settings = answering(Map.of("getBuildCache", caches), Settings.class);
    Gradle gradle = answering(Map.of("getSettings", settings), Gradle.class, WithSettings.class);
    return TraceCaching.of(gradle, allowed(allowed)).isSatisfiedBy(null);
  }

  private static Property<Boolean> allowed(boolean value) {
    return ProjectBuilder.builder().build().getObjects().property(Boolean.class).value(value);
  }

  @SuppressWarnings("unchecked")
  private static <T> T answering(Map<String, Object> answers, Class<?>... types) {
    return (T)
        Proxy.newProxyInstance(
            TraceCachingTest.class.getClassLoader(),
            types,
            (proxy, method, arguments) -> answers.get(method.getName()));
  }
}
