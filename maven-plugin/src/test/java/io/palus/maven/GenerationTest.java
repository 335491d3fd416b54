package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.host.PalusException;
import java.lang.reflect.Field;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.maven.model.Build;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GenerationTest {
  @TempDir private Path target;

  @Test
  void generating_waits_for_a_build_that_has_the_traces() throws Exception {
    waits(Generation::run);
  }

  @Test
  void accepting_waits_for_a_build_that_has_the_traces() throws Exception {
    waits(Generation::accept);
  }

  private void waits(Consumer<Generation> run) throws Exception {
    Build build = new Build();
    build.setDirectory(target.toString());
    build.setOutputDirectory(target.resolve("classes").toString());
    build.setTestOutputDirectory(target.resolve("test-classes").toString());
    MavenProject project = new MavenProject();
    project.setBuild(build);
    Files.createFile(Files.createDirectories(target.resolve("classes")).resolve("A.class"));
    PalusMojo mojo =
        new PalusMojo() {
          @Override
          void run() {}
        };
    Field field = PalusMojo.class.getDeclaredField("project");
    field.setAccessible(true);
    field.set(mojo, project);
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    mojo.setLog(
        new SystemStreamLog() {
          @Override
          public void info(CharSequence content) {
            said.add(content.toString());
          }
        });
    Path lock = Files.createDirectories(new Layout(project).work()).resolve(".palus-trace-lock");
    CompletableFuture<PalusException> end = new CompletableFuture<>();
    try (FileChannel other =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      other.lock();
      Thread thread =
          new Thread(
              () -> {
                try {
                  Generation generation = new Generation(mojo);
                  end.complete(assertThrows(PalusException.class, () -> run.accept(generation)));
                } catch (Throwable e) {
                  end.completeExceptionally(e);
                }
              });
      thread.start();
      CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> take(said));
      CompletableFuture.anyOf(waiting, end).get();
      assertTrue(waiting.isDone(), "it ended and did not wait");
      assertTrue(waiting.get().endsWith("waiting until it ends"), waiting.get());
      thread.interrupt();
      assertEquals(PalusException.Kind.CANCELLED, end.get().kind());
    }
  }

  private static String take(BlockingQueue<String> said) {
    try {
      return said.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
