package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.internal.project.ProjectInternal;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceSlotTest {
  @TempDir private Path folder;

  @Test
  void traces_are_locked_before_old_ones_go_and_until_gradle_closes_the_slot() throws IOException {
    Project project = ProjectBuilder.builder().withProjectDir(folder.toFile()).build();
    project.getPluginManager().apply("java");
    project.getPluginManager().apply(PalusPlugin.class);
    ((ProjectInternal) project)
        .getProjectEvaluationBroadcaster()
        .afterEvaluate(project, project.getState());
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
