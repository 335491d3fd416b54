package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which threads do nothing by themselves. */
final class AllThreadsTest {
  /** It sleeps, and gives work then. */
  private static final class Sleeping extends LinkedBlockingQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    @Override
    public Runnable poll(long time, TimeUnit unit) throws InterruptedException {
      Thread.sleep(unit.toMillis(time));
      return null;
    }
  }

  @Test
  void aThreadOfAPoolThatWaitsForWorkIsIdle() throws InterruptedException {
    assertEquals(true, isIdle(new LinkedBlockingQueue<>()));
  }

  @Test
  void aQueueOfSomebodysOwnMaySleepAndGiveWork() throws InterruptedException {
    assertEquals(false, isIdle(new Sleeping()));
  }

  /** Of a thread of a pool that has nothing to do, once it waits. */
  private static boolean isIdle(BlockingQueue<Runnable> queue) throws InterruptedException {
    ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, queue);
    pool.allowCoreThreadTimeOut(true);
    Thread[] worker = new Thread[1];
    CountDownLatch done = new CountDownLatch(1);
    pool.execute(
        () -> {
          worker[0] = Thread.currentThread();
          done.countDown();
        });
    try {
      assertTrue(done.await(1, TimeUnit.MINUTES));
      while (worker[0].getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      return AllThreads.isIdle(worker[0]);
    } finally {
      pool.shutdownNow();
    }
  }
}
