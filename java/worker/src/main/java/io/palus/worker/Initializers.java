package io.palus.worker;

import io.palus.worker.runtime.Environment;
import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.MissingFiles;
import io.palus.worker.runtime.Probes;
import io.palus.worker.runtime.Referents;
import io.palus.worker.runtime.Timers;
import io.palus.worker.runtime.Unset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs class initialisers before there is any sequence, and finds those that do harm. */
final class Initializers {
  private final Subject subject;
  private final WorkFolder work;
  private final UserFiles user;
  private final SequenceRunner runner;
  private final LiveThreads threads;
  private final Denials kernel;
  private final Progress progress;
  private final Watchdog watchdog;

  /**
   * By class: what is denied to its initialiser where what it asked for is there; empty for
   * nothing.
   */
  private final Map<String, String> whereVariablesAreSet = new HashMap<>();

  private int environment;

  /** Whether one is barred for what it does where files exist. */
  private boolean isAnyHarmful;

  Initializers(
      Subject subject,
      WorkFolder work,
      UserFiles user,
      SequenceRunner runner,
      LiveThreads threads,
      Denials kernel,
      Progress progress,
      Watchdog watchdog) {
    this.subject = subject;
    this.work = work;
    this.user = user;
    this.runner = runner;
    this.threads = threads;
    this.kernel = kernel;
    this.progress = progress;
    this.watchdog = watchdog;
  }

  /**
   * Loads classes anew and runs the initialisers of these; no class is barred but by that.
   *
   * @param environment the number of the one in which they run, and sequences from here on
   * @return those that failed, and why, in turn
   */
  List<String> run(List<String> names, int environment) throws IOException {
    this.environment = environment;
    subject.barNone();
    isAnyHarmful = false;
    MissingFiles.barInitializers(false);
    List<String> failed = runAll(names);
    while (failed == null) {
      failed = runAll(names);
    }
    MissingFiles.barInitializers(isAnyHarmful);
    return failed;
  }

  /**
   * Loads classes anew and runs the initialisers of these. A class whose initialiser leaves
   * something that no test may leave, or does harm where there is what it asks for, is barred:
   * every test that is the first to use it would.
   *
   * @return those that failed, and why, in turn; null where classes must be loaded anew
   */
  private List<String> runAll(List<String> names) throws IOException {
    subject.renew();
    work.renew();
    user.restore();
    Guard.forgetFiles();
    Referents.renew();
    runner.renew();
    Environment.enter(environment);
    runner.begin();
    Timers.renew();
    Thread.currentThread().setContextClassLoader(subject.loader());
    threads.mark();
    List<String> failed = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String owner = names.get(i).replace('.', '/');
      if (subject.isBarred(owner)) {
        continue;
      }
      progress.initialises(i);
      watchdog.starts();
      runner.enter();
      Throwable thrown = initialise(names.get(i));
      if (thrown != null) {
        failed.add(owner);
        failed.add(Thrown.text(thrown));
      }
      // Waits for threads, to which something may be denied meanwhile.
      String left = runner.leftByInitializer();
      String refused = WhereVariablesAreSet.harm(user, kernel);
      if (refused != null) {
        user.restore();
        subject.refuse(owner, refused);
      }
      if (Guard.mayHaveFiles()) {
        work.remember();
        Guard.keepFiles();
      }
      if (left != null) {
        subject.bar(owner, "to leave " + left + " by a class initialiser");
      }
      if (left != null || refused == null && isHarmfulOrUntried(owner)) {
        Timers.end();
        if (!threads.endSinceMark()) {
          ExitCode.NORMAL.halt(); // the next worker is told to leave it out
        }
        watchdog.ends();
        return null;
      }
      Timers.keep();
      runner.leave();
      watchdog.ends();
    }
    runner.settle();
    return failed;
  }

  /**
   * Whether the initialiser that just ran asked for what is missing here and does harm where it is
   * there, or was now tried there.
   */
  private boolean isHarmfulOrUntried(String owner) throws IOException {
    if (!Unset.areAsked()) {
      return false;
    }
    String denied = whereVariablesAreSet.get(owner);
    if (denied == null) {
      whereVariablesAreSet.put(owner, tryWhereVariablesAreSet(owner.replace('/', '.')));
      return true;
    }
    if (denied.isEmpty()) {
      return false;
    }
    subject.bar(owner, "by a class initialiser: " + denied);
    isAnyHarmful = true;
    return true;
  }

  /** What is denied to a class initialiser where what it asked for is there; empty for nothing. */
  private String tryWhereVariablesAreSet(String name) throws IOException {
    Runnable again =
        () -> {
          subject.renew();
          Thread.currentThread().setContextClassLoader(subject.loader());
          watchdog.starts();
          Probes.refuel(Integer.MAX_VALUE);
          initialise(name);
        };
    Unset.tryInitializers(true);
    String denied = WhereVariablesAreSet.denied(user, subject.texts(), kernel, again);
    Unset.tryInitializers(false);
    return denied == null ? "" : denied;
  }

  /** What it throws; null for nothing. */
  private Throwable initialise(String name) {
    try {
      Class.forName(name, true, subject.loader());
      return null;
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever class initialisers throw
      return e;
    }
  }
}
