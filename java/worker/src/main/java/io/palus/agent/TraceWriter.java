package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One trace file. Threads ask it for chunks and write blocks into these, each at once: what is
 * written survives a killed JVM. The file is not mapped into memory, where a disk that is full or
 * gone would be an error in the middle of the user's test; here it is an exception, which ends
 * tracing. Nor is it written through a channel, which an interrupted thread would close.
 */
final class TraceWriter {
  private final RandomAccessFile file;
  private long end = TraceFormat.HEADER;
  private boolean stopped;

  /** Where the file stands; -1 if that is not known. */
  private long position = -1;

  TraceWriter(File path, long process) throws IOException {
    PrivateFiles.create(path);
    file = new RandomAccessFile(path, "rw");
    ByteBuffer header = littleEndian(TraceFormat.HEADER);
    header.put(TraceFormat.MAGIC).putShort((short) TraceFormat.VERSION);
    header.putLong(TraceFormat.PROCESS_AT, process);
    write(header.array(), TraceFormat.HEADER, 0);
  }

  /**
   * Reserves a chunk.
   *
   * @return where it begins in the file; -1 if there is no room, and then tracing has stopped
   */
  synchronized long chunk(int thread, int ordinal, int size) {
    if (stopped) {
      return -1;
    }
    try {
      ByteBuffer header = littleEndian(TraceFormat.CHUNK_HEADER);
      header.put(TraceFormat.CHUNK_MAGIC);
      header.putInt(4, thread).putInt(8, size).putInt(12, ordinal);
      file.setLength(end + size);
      write(header.array(), TraceFormat.CHUNK_HEADER, end);
      end += size;
      return end - size;
    } catch (StackOverflowError e) {
      throw e; // the program's; there is room again when it has returned
    } catch (Throwable e) {
      stop(e);
      return -1;
    }
  }

  /**
   * Writes a block of a chunk, in one call to the system: the mark at its end says whether all of
   * it was written when the JVM was killed.
   *
   * @return false if it is not written; then tracing has stopped
   */
  synchronized boolean block(long at, byte[] bytes, int length) {
    if (stopped) {
      return false;
    }
    try {
      write(bytes, length, at);
      return true;
    } catch (IOException e) {
      stop(e);
      return false;
    }
  }

  /** Ends the trace; what is in it stays readable. */
  synchronized void stop(Throwable cause) {
    if (stopped) {
      return;
    }
    stopped = true;
    CallRecorder.stop();
    try {
      ExceptionSink.report("the trace stops here", cause);
      // A chunk that was never used is none; give the room back.
      file.setLength(end);
      write(new byte[] {TraceFormat.FLAG_STOPPED}, 1, TraceFormat.FLAGS_AT);
    } catch (Throwable e) {
      ExceptionSink.report("the trace cannot be marked", e);
    }
  }

  /** Marks the file as complete. */
  synchronized void close() {
    if (stopped) {
      return;
    }
    try {
      ByteBuffer length = littleEndian(8);
      length.putLong(0, end);
      write(length.array(), 8, TraceFormat.LENGTH_AT);
      write(new byte[] {TraceFormat.FLAG_CLOSED}, 1, TraceFormat.FLAGS_AT);
    } catch (IOException e) {
      ExceptionSink.report("the trace cannot be closed", e);
    }
  }

  private void write(byte[] bytes, int length, long at) throws IOException {
    long before = position;
    position = -1;
    if (before != at) {
      file.seek(at);
    }
    file.write(bytes, 0, length);
    position = at + length;
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
