package io.palus.worker;

import io.palus.wire.ByteReader;
import io.palus.wire.WireException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The first request: what the worker works on, and what it may use. */
final class Setup {
  static final int MAGIC = 'P' | 'A' << 8 | 'L' << 16 | 'W' << 24;
  static final int VERSION = 8;

  final List<String> path;

  /** The engine's numbers of the subject's classes. */
  final Map<String, Integer> numbers = new HashMap<>();

  final int fuel;
  final int maxDepth;
  final int limitMillis;
  final String folder;

  private Setup(ByteReader request) throws WireException {
    path = Session.strings(request);
    for (int left = request.count(); left > 0; left--) {
      int number = request.number();
      numbers.put(request.string(), number);
    }
    fuel = request.number();
    maxDepth = request.number();
    limitMillis = request.number();
    folder = request.string();
    request.end();
  }

  /**
   * Reads all of it, so that nothing damaged is begun with.
   *
   * @throws WireException if it is damaged, or of another version
   */
  static Setup read(ByteReader request) throws WireException {
    int magic = request.fixed32();
    int version = request.get() | request.get() << 8;
    if (magic != MAGIC || version != VERSION) {
      throw new WireException("it has version " + version + ", this worker knows " + VERSION);
    }
    return new Setup(request);
  }
}
