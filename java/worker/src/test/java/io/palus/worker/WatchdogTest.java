package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  private final CountDownLatch acted = new CountDownLatch(1);
  private final Watchdog watchdog = new Watchdog(acted::countDown);

  @Test
  void whatComputesTooLongIsActedUpon() {
    watchdog.start(200);
    watchdog.starts();
    long start = System.nanoTime();
    while (acted.getCount() > 0 && System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1)) {
      Thread.onSpinWait();
    }
    assertEquals(0, acted.getCount());
  }

  @Test
  void whatWaitsTooLongIsActedUpon() throws InterruptedException {
    watchdog.start(200);
    watchdog.starts();
    assertTrue(acted.await(1, TimeUnit.MINUTES));
  }

  @Test
  void manyShortThingsAreNotOneLongThing() throws InterruptedException {
    watchdog.start(1000);
    for (int i = 0; i < 15; i++) {
      watchdog.starts();
      Thread.sleep(100);
      watchdog.ends();
    }
    assertTrue(acted.getCount() > 0);
  }

  @Test
  void otherWorkOnTheMachineDoesNotCount() throws InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < 6 * Runtime.getRuntime().availableProcessors(); i++) {
      Thread other =
          new Thread(
              () -> {
                while (!isOver.get()) {
                  Thread.onSpinWait();
                }
              });
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    watchdog.start(1000);
    watchdog.starts();
    // A fifth of the limit of its own, more than the limit by the clock, also beside more work.
    computes(200);
    watchdog.ends();
    isOver.set(true);
    for (Thread other : others) {
      other.join();
    }
    assertTrue(acted.getCount() > 0);
  }

  private static void computes(long millis) {
    long id = Thread.currentThread().getId();
    long start = ManagementFactory.getThreadMXBean().getThreadCpuTime(id);
    while (ManagementFactory.getThreadMXBean().getThreadCpuTime(id) - start < millis * 1_000_000) {
      Thread.onSpinWait();
    }
  }
}
