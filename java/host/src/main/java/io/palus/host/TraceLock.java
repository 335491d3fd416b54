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

  /** Weak: what nobody holds any more is closed, and so open to other processes. */
  private static final Map<Path, WeakReference<TraceLock>> HELD = new HashMap<>();

  private final FileChannel channel;

  private TraceLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock of a folder, which is made where there is none, and waits for who holds it.
   *
   * @throws PalusException where the folder cannot be written, or the thread is interrupted
   */
  public static TraceLock take(Path folder, Console console) {
    Path file = folder.toAbsolutePath().normalize().resolve(NAME);
    boolean hasSaid = false;
    while (true) {
      TraceLock lock = tryToTake(file);
      if (lock != null) {
        return lock;
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
  private static TraceLock tryToTake(Path file) {
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
      if (!lock.isTaken()) {
        lock.close();
        return null;
      }
      HELD.put(file, new WeakReference<>(lock));
      return lock;
    }
  }

  private boolean isTaken() {
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        return false;
      }
    } catch (OverlappingFileLockException e) {
      return false; // Another loader of this class in this JVM has it.
    } catch (IOException e) {
      return true; // A file system without locks cannot tell; nobody is kept from working there.
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
