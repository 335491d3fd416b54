package io.palus.worker;

import io.palus.wire.ByteReader;
import io.palus.wire.Kinds.Constant;
import io.palus.wire.Kinds.Content;
import io.palus.wire.Kinds.End;
import io.palus.wire.Kinds.Observation;
import io.palus.wire.WireException;
import java.util.ArrayList;
import java.util.List;

/** An outcome as text, one short phrase per part. */
record Outcome(
    String end,
    List<String> observations,
    List<String> probes,
    List<String> distances,
    List<String> comparisons) {
  static Outcome read(ByteReader in, List<String> names, int[] watched) throws WireException {
    List<String> observations = new ArrayList<>();
    for (String each = observation(in, names); each != null; each = observation(in, names)) {
      observations.add(each);
    }
    String end = end(in, names);
    List<String> probes = new ArrayList<>();
    int type = 0;
    int probe = 0;
    for (int left = in.count(); left > 0; left--) {
      int step = in.number();
      probe = step == 0 ? probe + in.number() : in.number();
      type += step;
      probes.add(type + ":" + probe);
    }
    in.number(); // what it cost
    in.get(); // what it left
    List<String> distances = new ArrayList<>();
    List<String> comparisons = new ArrayList<>();
    if (watched.length > 0) {
      near(in, watched, distances, comparisons);
    }
    return new Outcome(end, observations, probes, distances, comparisons);
  }

  private static void near(
      ByteReader in, int[] watched, List<String> distances, List<String> comparisons)
      throws WireException {
    int place = 0;
    for (int left = in.count(); left > 0; left--) {
      place += in.number();
      long twice = in.varint();
      double distance = twice == 1 ? Double.longBitsToDouble(in.fixed64()) : twice / 2.0;
      distances.add(watched[place] + "=" + distance);
    }
    String[] relations = {"order", "equal", "ignoring", "prefix", "suffix", "part", "pattern"};
    for (int left = in.count(); left > 0; left--) {
      String probe = watched[in.number()] + " " + relations[in.get()];
      comparisons.add(probe + ": " + constant(in) + ", " + constant(in));
    }
  }

  private static String end(ByteReader in, List<String> names) throws WireException {
    switch (in.kind(End.values(), "an end")) {
      case COMPLETED:
        return "completed";
      case THREW:
        String text = "threw at " + in.number() + " " + name(in, names);
        text += in.bool() ? " '" + in.string() + "'" : "";
        text += in.bool() ? " in " + name(in, names) + "." + name(in, names) : "";
        for (int left = in.count(); left > 0; left--) {
          text += " with " + name(in, names) + " " + observation(in, names);
        }
        return text;
      case OUT_OF_FUEL:
        return "out of fuel";
      case TOO_DEEP:
        return "too deep";
      case TIMED_OUT:
        return "timed out";
      case DENIED:
        return "denied " + in.string();
      case STARTED_THREAD:
        return "started thread";
      case OUT_OF_MEMORY:
        return "out of memory";
      case UNUSABLE:
        return "unusable " + in.string();
      default:
        throw new AssertionError();
    }
  }

  private static String observation(ByteReader in, List<String> names) throws WireException {
    switch (in.kind(Observation.values(), "an observation")) {
      case NOTHING:
        return "nothing";
      case NULL:
        return "null";
      case PRIMITIVE:
        return constant(in);
      case REFERENCE:
        return "boxed " + constant(in);
      case ENUM_CONSTANT:
        return "enum " + name(in, names) + "." + name(in, names);
      case OBJECT:
        String text = name(in, names);
        int codes = in.number();
        if (codes > 0) {
          List<Integer> profile = new ArrayList<>();
          for (int i = 1; i < codes; i++) {
            profile.add(in.number());
          }
          text += " " + profile;
        }
        int same = in.slot();
        text += same < 0 ? "" : " same as " + same;
        return text + content(in, names);
      case LONG_TEXT:
        return "long text";
      default:
        return null;
    }
  }

  /** Texts and elements alike: tests of what objects hold ask for them directly. */
  private static String content(ByteReader in, List<String> names) throws WireException {
    switch (in.kind(Content.values(), "a content")) {
      case UNTOLD:
        return "";
      case TEXT:
        return " of '" + in.string() + "'";
      default:
        List<String> elements = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
          elements.add(observation(in, names));
        }
        return " of " + elements;
    }
  }

  private static String constant(ByteReader in) throws WireException {
    switch (in.kind(Constant.values(), "a constant")) {
      case NULL:
        return "null";
      case BOOLEAN:
        return "boolean " + in.bool();
      case BYTE:
        return "byte " + in.signed();
      case CHAR:
        return "char " + in.varint();
      case SHORT:
        return "short " + in.signed();
      case INT:
        return "int " + in.signed();
      case LONG:
        return "long " + in.signed();
      case FLOAT:
        return "float " + Float.intBitsToFloat(in.fixed32());
      case DOUBLE:
        return "double " + Double.longBitsToDouble(in.fixed64());
      case TEXT:
        return "text " + in.string();
      case ENUM_CONSTANT:
        return "enum " + in.string() + "." + in.string();
      case CLASS_LITERAL:
        return "class " + in.string();
      default:
        throw new AssertionError();
    }
  }

  private static String name(ByteReader in, List<String> names) throws WireException {
    int number = in.number();
    if (number == 0) {
      names.add(in.string());
      return names.get(names.size() - 1);
    }
    return names.get(number - 1);
  }
}
