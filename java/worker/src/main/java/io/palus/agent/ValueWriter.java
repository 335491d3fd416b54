package io.palus.agent;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/** Writes values into a lane's payload. Reads fields, never calls code of the program. */
final class ValueWriter extends PrimitiveWriter {
  private static final int LONGEST_NUMBERED_TEXT = 256;
  private static final int LONGEST_TEXT = 65_535;
  private static final int CACHE = 256;

  /** So far behind what is recorded of an array a secret that begins there is looked for. */
  private static final int BEYOND = 256;

  private final CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
  private final IdentityMap.Entry[] cache = new IdentityMap.Entry[CACHE];

  ValueWriter(Lane lane) {
    super(lane);
  }

  void value(Object value) {
    write(value, 0, true);
  }

  private void write(Object value, int nesting, boolean profiled) {
    if (value == null) {
      lane.payload.put(TraceFormat.NULL_VALUE);
    } else if (value instanceof String) {
      text((String) value);
    } else if (value instanceof Integer) {
      value(((Integer) value).intValue());
    } else if (value instanceof Number && box((Number) value)) {
      return;
    } else if (value instanceof Boolean) {
      value(((Boolean) value).booleanValue());
    } else if (value instanceof Character) {
      value(((Character) value).charValue());
    } else if (value instanceof Enum) {
      Enum<?> constant = (Enum<?>) value;
      int owner = lane.defined(ClassInfo.of(constant.getDeclaringClass()));
      int name = numberedText(constant.name());
      lane.payload.put(TraceFormat.ENUM_VALUE);
      lane.payload.varint(owner);
      lane.payload.varint(name);
    } else if (value instanceof Class) {
      int name = numberedText(descriptor((Class<?>) value));
      lane.payload.put(TraceFormat.CLASS_VALUE);
      lane.payload.varint(name);
    } else if (value.getClass().isArray()) {
      array(value, nesting);
    } else {
      ClassInfo info = ClassInfo.of(value.getClass());
      if (info.isSubject) {
        subject(value, info, profiled);
      } else {
        object(ObjectState.id(entry(value).state), info, -1);
      }
    }
  }

  /** An object of a subject class. */
  private void subject(Object object, ClassInfo info, boolean profiled) {
    Members members = Members.of(object.getClass());
    long state = members.state(object);
    long seen = see(state, info);
    if (seen != state) {
      members.state(object, seen);
    }
    Profile profile = lane.profile;
    profile.length = 0;
    boolean read = profiled && members.profile(object, profile);
    object(ObjectState.id(seen), info, read ? profile.length : -1);
  }

  /** The entry of an object of another class; one without identity gets it. */
  private IdentityMap.Entry entry(Object object) {
    int slot = System.identityHashCode(object) >>> 4 & CACHE - 1;
    IdentityMap.Entry entry = cache[slot];
    if (entry == null || entry.get() != object) {
      entry = IdentityMap.find(object, true);
      cache[slot] = entry;
    }
    if (entry.state == 0) {
      entry.state = ObjectState.of(lane.newId(), lane.number);
    }
    return entry;
  }

  /** The state of a subject's object that is about to be mentioned by this lane. */
  private long see(long state, ClassInfo info) {
    if (ObjectState.isFollowed(state)) {
      int other = ObjectState.thread(state);
      if (other == lane.number) {
        return state;
      }
      lane.after(other);
      return ObjectState.of(ObjectState.id(state), lane.number);
    }
    if (state == 0 && !info.isFull) {
      return ObjectState.of(lane.newId(), lane.number);
    }
    if (ObjectState.id(state) != 0) {
      return state;
    }
    long id = lane.newId();
    lane.capped(id);
    return id | ObjectState.DROPPED;
  }

  private void object(long id, ClassInfo info, int profileLength) {
    int number = lane.defined(info);
    RecordBuffer payload = lane.payload;
    payload.put(profileLength < 0 ? TraceFormat.OBJECT_VALUE : TraceFormat.PROFILED_VALUE);
    payload.varint(id);
    payload.varint(number);
    if (profileLength >= 0) {
      payload.varint(profileLength);
      for (int i = 0; i < profileLength; i++) {
        payload.varint(lane.profile.codes[i]);
      }
    }
  }

  private void array(Object array, int nesting) {
    IdentityMap.Entry entry = entry(array);
    int number = lane.defined(ClassInfo.of(array.getClass()));
    int length = java.lang.reflect.Array.getLength(array);
    RecordBuffer payload = lane.payload;
    payload.put(TraceFormat.ARRAY_VALUE);
    payload.varint(ObjectState.id(entry.state));
    payload.varint(number);
    payload.varint(length);
    payload.varint(Profile.codeOfArray(array));
    boolean hidden = nesting == TraceFormat.MAX_NESTING || isSecret(array, length);
    int count = hidden ? 0 : Math.min(length, TraceFormat.MAX_ELEMENTS);
    payload.varint(count);
    for (int i = 0; i < count; i++) {
      element(array, i, nesting + 1);
    }
  }

  /** Whether an array holds the letters of a secret that begins where it is recorded. */
  private boolean isSecret(Object array, int length) {
    int seen = Math.min(length, TraceFormat.MAX_ELEMENTS + BEYOND);
    String text = SecretLetters.of(array, seen);
    if (text == null) {
      return false;
    }
    boolean isText = array instanceof char[] || array instanceof byte[];
    return (isText ? secrets() : secretsForNumbers()).holds(text);
  }

  private void element(Object array, int i, int nesting) {
    if (array instanceof Object[]) {
      write(((Object[]) array)[i], nesting, false);
    } else if (array instanceof int[]) {
      value(((int[]) array)[i]);
    } else if (array instanceof byte[]) {
      integer(TraceFormat.BYTE_VALUE, ((byte[]) array)[i]);
    } else if (array instanceof char[]) {
      value(((char[]) array)[i]);
    } else if (array instanceof boolean[]) {
      value(((boolean[]) array)[i]);
    } else if (array instanceof long[]) {
      value(((long[]) array)[i]);
    } else if (array instanceof double[]) {
      value(((double[]) array)[i]);
    } else if (array instanceof float[]) {
      value(((float[]) array)[i]);
    } else {
      integer(TraceFormat.SHORT_VALUE, ((short[]) array)[i]);
    }
  }

  private void text(String text) {
    int number = text.length() > LONGEST_NUMBERED_TEXT ? -1 : lane.textNumber(text);
    if (number < 0) {
      byte[] bytes = encode(text);
      if (bytes == null) {
        lane.payload.put(TraceFormat.UNKNOWN_TEXT_VALUE);
        return;
      }
      if (text.length() > LONGEST_NUMBERED_TEXT || !lane.hasRoomForTexts()) {
        lane.payload.put(TraceFormat.INLINE_TEXT_VALUE);
        lane.payload.varint(bytes.length);
        lane.payload.raw(bytes, 0, bytes.length);
        return;
      }
      number = lane.defineText(text, bytes);
    }
    lane.payload.put(TraceFormat.TEXT_VALUE);
    lane.payload.varint(number);
  }

  /** Number of a name; names have numbers even where there is no room for other texts. */
  int numberedText(String text) {
    int number = lane.textNumber(text);
    return number >= 0 ? number : lane.defineText(text, text.getBytes(StandardCharsets.UTF_8));
  }

  /** UTF-8; null for texts that a class file cannot hold or that may be secrets. */
  private byte[] encode(String text) {
    if (text.length() > LONGEST_TEXT) {
      return null;
    }
    if (secrets().holds(text)) {
      return null;
    }
    try {
      ByteBuffer encoded = utf8.reset().encode(CharBuffer.wrap(text));
      if (encoded.remaining() > LONGEST_TEXT) {
        return null;
      }
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      return null; // a lone surrogate
    }
  }

  private static String descriptor(Class<?> type) {
    if (type.isArray()) {
      return type.getName().replace('.', '/');
    }
    if (type.isPrimitive()) {
      return java.lang.invoke.MethodType.methodType(type).toMethodDescriptorString().substring(2);
    }
    return "L" + type.getName().replace('.', '/') + ";";
  }
}
