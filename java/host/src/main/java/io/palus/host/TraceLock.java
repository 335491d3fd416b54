package io.palus.host;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * One build at a time from where tests are about to be traced to where their traces have been read:
 * two would delete each other's traces, and learn from half of them.
 *
 * <p>Comes in: the folder that holds the traces. Goes out: a lock on it; the system lets go of that
 * of a process which is killed. The steps of one build are in one JVM, which may not know when the
 * build ended: who comes next there takes the lock over. Does not know the engine's lock, which a
 * run holds besides.
 */
public final class TraceLock implements AutoCloseable {
  private static final String NAME = ".palus-trace-lock";

  /** How often a lock that somebody holds is tried again. */
  private static final long PAUSE_MILLIS = 100;

  /** How long a build waits: as long as all tests of another may take. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** Weak: what nobody holds any more is closed, and so open to other processes. */
  private static final Map<Path, WeakReference<TraceLock>> HELD = new HashMap<>();

  private final FileChannel channel;

  private TraceLock(FileChannel channel) {
    this.channel = channel;
  }

  /** How the system is asked; a test asks nobody. */
  interface Locks {
    /** Null where another process has it. */
    FileLock tryLock(FileChannel channel) throws IOException;
  }

  /**
   * Takes the lock of a folder, which is made where there is none, and waits for who holds it, an
   * hour at most.
   *
   * @throws PalusException where the folder cannot be written, the other one does not end, or the
   *     thread is interrupted
   */
  public static TraceLock take(Path folder, Console console) {
    return take(folder, console, PATIENCE, FileChannel::tryLock);
  }

  static TraceLock take(Path folder, Console console, Duration patience, Locks locks) {
    Path file = folder.toAbsolutePath().normalize().resolve(NAME);
    long start = System.nanoTime();
    boolean hasSaid = false;
    while (true) {
      TraceLock lock = tryToTake(file, console, locks);
      if (lock != null) {
        return lock;
      }
      if (System.nanoTime() - start >= patience.toNanos()) {
        throw PalusException.configuration(
            holder(file) + " still works in " + folder + " after " + patience.toSeconds() + " s",
            "wait until it ends, or end it; or let the builds run in checkouts of their own",
            null);
      }
      if (!hasSaid) {
        console.line(
            Console.INFO,
            "palus     " + holder(file) + " works in " + folder + "; waiting until it ends");
        hasSaid = true;
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new PalusException(PalusException.Kind.CANCELLED, "interrupted", "", e);
      }
    }
  }

  /** Null where another process holds it. */
  private static TraceLock tryToTake(Path file, Console console, Locks locks) {
    synchronized (HELD) {
      WeakReference<TraceLock> reference = HELD.get(file);
      TraceLock held = reference == null ? null : reference.get();
      if (held != null && held.channel.isOpen()) {
        return held;
      }
      FileChannel channel;
      try {
        PrivateFiles.folder(file.getParent());
        channel =
            FileChannel.open(
                file,
                Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS));
      } catch (IOException e) {
        throw PalusException.unwritable(file, e);
      }
      TraceLock lock = new TraceLock(channel);
      if (!lock.isTaken(locks, file, console)) {
        lock.close();
        return null;
      }
      HELD.put(file, new WeakReference<>(lock));
      return lock;
    }
  }

  private boolean isTaken(Locks locks, Path file, Console console) {
    try {
      FileLock lock = locks.tryLock(channel);
      if (lock == null) {
        return false;
      }
    } catch (OverlappingFileLockException e) {
      return false; // Another loader of this class in this JVM has it.
    } catch (IOException e) {
      // It cannot tell; nobody is kept from working there.
      console.line(
          Console.WARNING,
          file.getParent()
              + " is on a file system without locks ("
              + e.getMessage()
              + "): run one build of it at a time");
      return true;
    }
    try {
      // Whoever waits reads it; a full disk hinders nobody.
      String process = Long.toString(ProcessHandle.current().pid());
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(process.getBytes(StandardCharsets.US_ASCII)), 0);
    } catch (IOException e) {
      return true;
    }
    return true;
  }

  private static String holder(Path file) {
    try {
      String process = Files.readString(file, StandardCharsets.ISO_8859_1);
      if (process.matches("[0-9]{1,20}")) {
        return "another run of Palus (process " + process + ")";
      }
    } catch (IOException e) {
      return "another run of Palus";
    }
    return "another run of Palus";
  }

  /** Lets go of it; the file stays, for others may be about to open it. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      return; // Its descriptor is gone all the same.
    }
  }
}
