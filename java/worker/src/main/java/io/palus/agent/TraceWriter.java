package io.palus.agent;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * One trace file. Threads ask it for chunks and fill these through memory, which survives a killed
 * JVM. A chunk is written as zeros before it is mapped: a full disk is an exception here, where it
 * ends tracing, and not an error inside the user's test.
 */
final class TraceWriter {
  private static final int ZEROS = 1 << 16;

  private final RandomAccessFile file;
  private final FileChannel channel;
  private long end = TraceFormat.HEADER;
  private boolean stopped;

  TraceWriter(File path, long process) throws IOException {
    PrivateFiles.create(path);
    file = new RandomAccessFile(path, "rw");
    channel = file.getChannel();
    ByteBuffer header = littleEndian(TraceFormat.HEADER);
    header.put(TraceFormat.MAGIC).putShort((short) TraceFormat.VERSION);
    header.putLong(TraceFormat.PROCESS_AT, process);
    header.position(0);
    writeAll(header, 0);
    // What the JDK loads for its first mapping, it loads now: later somebody may be asked whether
    // it may, and a class that was refused once stays unusable for the program.
    channel.map(FileChannel.MapMode.READ_WRITE, 0, TraceFormat.HEADER);
  }

  /**
   * Reserves a chunk and maps what is behind its header.
   *
   * @return null if there is no room; then tracing has stopped
   */
  synchronized MappedByteBuffer chunk(int thread, int ordinal, int size) {
    if (stopped) {
      return null;
    }
    // Of an interrupted thread the channel would be closed.
    boolean interrupted = Thread.interrupted();
    try {
      for (long at = end; at < end + size; at += ZEROS) {
        writeAll(ByteBuffer.allocate((int) Math.min(ZEROS, end + size - at)), at);
      }
      MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, end, size);
      map.order(ByteOrder.LITTLE_ENDIAN);
      map.position(TraceFormat.CHUNK_HEADER);
      map.putInt(4, thread).putInt(8, size).putInt(12, ordinal);
      for (int i = TraceFormat.CHUNK_MAGIC.length - 1; i >= 0; i--) {
        map.put(i, TraceFormat.CHUNK_MAGIC[i]);
      }
      end += size;
      return map;
    } catch (StackOverflowError e) {
      throw e; // the program's; there is room again when it has returned
    } catch (Throwable e) {
      stop(e);
      return null;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends the trace; what is in it stays readable. */
  synchronized void stop(Throwable cause) {
    if (stopped) {
      return;
    }
    stopped = true;
    CallRecorder.stop();
    boolean interrupted = Thread.interrupted();
    try {
      ExceptionSink.report("the trace stops here", cause);
      // Half a chunk of zeros would be read as a chunk that was never used; give the room back.
      channel.truncate(end);
      writeAll(ByteBuffer.wrap(new byte[] {TraceFormat.FLAG_STOPPED}), TraceFormat.FLAGS_AT);
    } catch (Throwable e) {
      ExceptionSink.report("the trace cannot be marked", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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
      writeAll(length, TraceFormat.LENGTH_AT);
      writeAll(ByteBuffer.wrap(new byte[] {TraceFormat.FLAG_CLOSED}), TraceFormat.FLAGS_AT);
    } catch (IOException e) {
      ExceptionSink.report("the trace cannot be closed", e);
    }
  }

  private void writeAll(ByteBuffer bytes, long at) throws IOException {
    long place = at;
    while (bytes.hasRemaining()) {
      place += channel.write(bytes, place);
    }
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
