package io.palus.agent;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one thread records. Records gather in {@link #records} and go to the chunk as one block when
 * the outermost call ends. A thread that ended hands its lane on to a new one, so that many short
 * threads do not need many chunks.
 */
final class Lane {
  private static final int FIRST_CHUNK = 1 << 18;
  private static final int LARGEST_CHUNK = 1 << 23;
  private static final int BLOCK = 1 << 15;
  private static final int MOST_TEXTS = 8192;

  private static final ThreadLocal<Lane> LANES =
      new ThreadLocal<Lane>() {
        @Override
        protected Lane initialValue() {
          return register();
        }
      };

  private static final List<Lane> ALL = new ArrayList<>();
  private static TraceWriter writer;

  final int number;

  /** Records written, of all kinds; other threads read it for their order marks. */
  long count;

  /** True while the agent works in this thread: nothing it causes is recorded. */
  boolean busy;

  /** The payload that is being put together. */
  final RecordBuffer payload = new RecordBuffer(256);

  /** The payload of records that must come before it. */
  final RecordBuffer before = new RecordBuffer(64);

  final Profile profile = new Profile();

  /** Next super constructor is part of an object that is not recorded; null for none. */
  String skippedSuper;

  CallFrame[] frames = new CallFrame[32];
  int depth;
  CallFrame test;
  final ValueWriter values = new ValueWriter(this);

  private final RecordBuffer records = new RecordBuffer(BLOCK + 1024);
  private final Map<String, Integer> texts = new HashMap<>();
  private boolean[] definedClasses = new boolean[256];
  private boolean[] definedMethods = new boolean[256];
  private WeakReference<Thread> thread;

  /** Where in the file the next block begins, and where the chunk for it ends. */
  private long position;

  private long endOfChunk;
  private int chunks;
  private long nextId;
  private long lastId;

  private static long unusedIds = 1;

  private Lane(int number) {
    this.number = number;
    records.length = TraceFormat.BLOCK_HEADER;
  }

  static void open(TraceWriter traceWriter) {
    writer = traceWriter;
  }

  /** Ends the trace here. */
  static void stop(Throwable cause) {
    writer.stop(cause);
  }

  /** The lane of this thread; null if there are too many threads. */
  static Lane current() {
    return LANES.get();
  }

  static Lane get(int number) {
    synchronized (ALL) {
      return ALL.get(number);
    }
  }

  private static Lane register() {
    synchronized (ALL) {
      Lane free = null;
      for (Lane lane : ALL) {
        Thread old = lane.thread.get();
        if (old == null || !old.isAlive()) {
          free = lane;
          // Calls that are still open were left without a word: constructors in `super(..)`.
          free.busy = false;
          free.test = null;
          CallEnd.closeAbove(free, 0, "java/lang/Throwable");
          break;
        }
      }
      if (free == null) {
        if (ALL.size() == TraceFormat.MAX_THREADS) {
          return null;
        }
        free = new Lane(ALL.size());
        ALL.add(free);
      }
      free.thread = new WeakReference<>(Thread.currentThread());
      return free;
    }
  }

  long newId() {
    if (nextId == lastId) {
      synchronized (ALL) {
        nextId = unusedIds;
        unusedIds += 256;
        lastId = unusedIds;
      }
    }
    return nextId++;
  }

  CallFrame frame(int at) {
    if (at == frames.length) {
      frames = Arrays.copyOf(frames, at * 2);
    }
    CallFrame frame = frames[at];
    if (frame == null) {
      frame = new CallFrame(this, at);
      frames[at] = frame;
    }
    return frame;
  }

  void write(int kind) {
    records.put(kind);
    count++;
  }

  /** Writes a record. It was written if {@link #count} has changed, even if this throws. */
  void write(int kind, RecordBuffer content) {
    int start = records.length;
    try {
      records.record(kind, content);
    } catch (Throwable e) {
      records.length = start;
      throw e;
    }
    count++;
  }

  /** Makes the records part of the file where there are many, as inside a long call. */
  void flushIfMany() {
    if (records.length > BLOCK) {
      flush();
    }
  }

  /** Makes the records so far part of the file. */
  void flush() {
    if (!records.hasRecords()) {
      return;
    }
    int needed = records.framed();
    if (endOfChunk - position < needed) {
      int size = Math.min(LARGEST_CHUNK, FIRST_CHUNK << Math.min(chunks, 5));
      size = Math.max(size, TraceFormat.CHUNK_HEADER + needed);
      long start = writer.chunk(number, chunks, size);
      if (start < 0) {
        records.length = TraceFormat.BLOCK_HEADER;
        return;
      }
      position = start + TraceFormat.CHUNK_HEADER;
      endOfChunk = start + size;
      chunks++;
    }
    if (writer.block(position, records.bytes, needed)) {
      position += needed;
    }
    // No call between these two: the stack may end there, and the block is written once.
    records.length = TraceFormat.BLOCK_HEADER;
  }

  /** Number of a class, defined for this lane. */
  int defined(ClassInfo info) {
    int number = info.number;
    if (number >= definedClasses.length) {
      definedClasses = Arrays.copyOf(definedClasses, Math.max(number + 1, number * 2));
    }
    if (!definedClasses[number]) {
      before.length = 0;
      before.varint(number);
      before.string(info.name);
      write(TraceFormat.CLASS, before);
      definedClasses[number] = true;
    }
    return number;
  }

  /** Number of a method, defined for this lane. */
  int defined(MethodInfo method) {
    int number = method.number;
    if (number >= definedMethods.length) {
      definedMethods = Arrays.copyOf(definedMethods, Math.max(number + 1, number * 2));
    }
    if (!definedMethods[number]) {
      int owner = defined(method.owner);
      before.length = 0;
      before.varint(number);
      before.varint(owner);
      before.string(method.name);
      before.string(method.descriptor);
      before.varint(method.access);
      write(TraceFormat.METHOD, before);
      definedMethods[number] = true;
    }
    return number;
  }

  /** Number of a short text, or -1 if it has none. */
  int textNumber(String text) {
    Integer number = texts.get(text);
    return number == null ? -1 : number;
  }

  /** True if one more text can have a number. */
  boolean hasRoomForTexts() {
    return texts.size() < MOST_TEXTS;
  }

  int defineText(String text, byte[] utf8) {
    before.length = 0;
    before.raw(utf8, 0, utf8.length);
    write(TraceFormat.TEXT, before);
    int number = texts.size();
    texts.put(text, number);
    return number;
  }

  /** The object with this identity has calls that are not recorded. */
  void capped(long id) {
    before.length = 0;
    before.varint(1);
    before.varint(id);
    write(TraceFormat.CAPPED, before);
  }

  /** What follows comes after what another lane has recorded so far. */
  void after(int other) {
    before.length = 0;
    before.varint(other);
    before.varint(get(other).count);
    write(TraceFormat.AFTER, before);
  }
}
