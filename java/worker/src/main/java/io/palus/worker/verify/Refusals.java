package io.palus.worker.verify;

import io.palus.worker.Denials;
import io.palus.worker.runtime.Probes;

/** What guards and the kernel denied to a test and to the threads that it set to work. */
final class Refusals {
  private final Denials kernel;
  private final Threads threads;

  Refusals(Denials kernel, Threads threads) {
    this.kernel = kernel;
    this.threads = threads;
  }

  /**
   * What was denied since this was last asked.
   *
   * @return null for nothing, and for what was denied to a thread that an earlier test left at work
   */
  String since() {
    String byKernel = kernel.since();
    if (Probes.stop() != Probes.Stop.DENIED) {
      return byKernel;
    }
    String byGuard = Probes.denied();
    boolean isOfThis = !threads.isOfEarlier(Probes.deniedTo());
    Probes.refuel(Integer.MAX_VALUE);
    return isOfThis ? byGuard : byKernel;
  }
}
