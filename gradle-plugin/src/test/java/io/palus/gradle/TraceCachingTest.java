package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.api.initialization.Settings;
import org.gradle.api.internal.TaskInternal;
import org.gradle.api.internal.tasks.execution.SelfDescribingSpec;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.provider.Property;
import org.gradle.caching.configuration.BuildCache;
import org.gradle.caching.configuration.BuildCacheConfiguration;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void the_task_that_traces_is_kept_out_unless_the_setting_allows_it(@TempDir Path folder) {
    // Of a project without a build nobody can tell which caches it has.
    assertTrue(reasons(folder, false).contains(TraceCaching.REASON));
    assertFalse(reasons(folder, true).contains(TraceCaching.REASON));
  }

  private static List<String> reasons(Path folder, boolean allowed) {
    Project project =
        EvaluatedProject.in(
            folder,
            p -> p.getExtensions().getByType(PalusExtension.class).getCacheTraces().set(allowed));
    TaskInternal trace = (TaskInternal) project.getTasks().getByName("palusTrace");
    return trace.getOutputs().getDoNotCacheIfSpecs().stream()
        .filter(spec -> spec.isSatisfiedBy(trace))
        .map(SelfDescribingSpec::getDisplayName)
        .collect(Collectors.toList());
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
