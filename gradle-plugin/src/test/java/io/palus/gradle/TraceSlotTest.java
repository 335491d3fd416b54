package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.internal.TaskInternal;
import org.gradle.api.provider.Provider;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceSlotTest {
  @TempDir private Path folder;

  @Test
  void traces_are_locked_before_old_ones_go_and_until_gradle_closes_the_slot() throws IOException {
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    // A build with another one meets this one all the same.
    File cache = folder.resolve("cache").toFile();
    project.getGradle().getStartParameter().setProjectCacheDir(cache);
    evaluate(project);
    Task trace = project.getTasks().getByName("palusTrace");
    Path old = folder.resolve("build/palus/trace/1.trace");
    Files.createDirectories(old.getParent());
    Files.writeString(old, "old");
    Action<? super Task> prepare = trace.getActions().get(0);
    prepare.execute(trace);
    assertFalse(Files.exists(old));
    Path lock = folder.resolve(".gradle/palus/.palus-trace-lock");
    assertEquals(Long.toString(ProcessHandle.current().pid()), Files.readString(lock));
    assertTrue(isHeld(lock));
    TraceSlot.of(project.getGradle()).get().close();
    assertFalse(isHeld(lock));
    // Gradle closes a service when the last of those that say so has ended, however it ended.
    for (String name : List.of("palusTrace", "palusGenerate", "palusAccept", "palusDiff")) {
      assertTrue(uses(project.getTasks().getByName(name)), name);
    }
    assertFalse(uses(project.getTasks().getByName("palusTest")));
  }

  @Test
  void a_project_whose_own_tests_are_traced_holds_the_lock_with_these() {
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    project.getPluginManager().apply(PalusPlugin.class);
    project.getExtensions().getByType(PalusExtension.class).getAutomatic().set("GENERATE");
    evaluate(project);
    assertTrue(uses(project.getTasks().getByName("test")));
  }

  @Test
  void a_checkout_that_nobody_writes_to_has_its_lock_in_the_home_of_gradle() {
    Path home = folder.resolve("home");
    Path one = TraceSlot.folder(folder.resolve("none/one"), home);
    assertEquals(home.resolve("palus"), one.getParent());
    assertEquals(one, TraceSlot.folder(folder.resolve("none/one"), home));
    assertNotEquals(one, TraceSlot.folder(folder.resolve("none/two"), home));
    assertEquals(folder.resolve(".gradle/palus"), TraceSlot.folder(folder, home));
  }

  private static void evaluate(Project project) {
    project.getPluginManager().apply("java");
    project.getPluginManager().apply(PalusPlugin.class);
    EvaluatedProject.evaluate(project);
  }

  private static boolean uses(Task task) {
    Provider<TraceSlot> slot = TraceSlot.of(task.getProject().getGradle());
    return ((TaskInternal) task).getRequiredServices().contains(slot);
  }

  private static boolean isHeld(Path lock) throws IOException {
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      channel.tryLock();
      return false;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }
}
