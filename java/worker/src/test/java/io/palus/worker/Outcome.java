package io.palus.worker;

import io.palus.wire.ByteReader;
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
    switch (in.get()) {
      case 0:
        return "completed";
      case 1:
        String text = "threw at " + in.number() + " " + name(in, names);
        text += in.bool() ? " '" + in.string() + "'" : "";
        return in.bool() ? text + " in " + name(in, names) + "." + name(in, names) : text;
      case 2:
        return "out of fuel";
      case 3:
        return "too deep";
      case 4:
        return "timed out";
      case 5:
        return "denied " + in.string();
      case 6:
        return "started thread";
      case OutcomeWriter.OUT_OF_MEMORY:
        return "out of memory";
      case 7:
        return "unusable " + in.string();
      default:
        throw in.damaged("an end");
    }
  }

  private static String observation(ByteReader in, List<String> names) throws WireException {
    switch (in.get()) {
      case 0:
        return "nothing";
      case 1:
        return "null";
      case 2:
        return constant(in);
      case 3:
        return "boxed " + constant(in);
      case 4:
        return "enum " + name(in, names) + "." + name(in, names);
      case 5:
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
        return same < 0 ? text : text + " same as " + same;
      case 6:
        return "long text";
      default:
        return null;
    }
  }

  private static String constant(ByteReader in) throws WireException {
    int kind = in.get();
    switch (kind) {
      case 0:
        return "null";
      case 1:
        return "boolean " + in.bool();
      case 2:
        return "byte " + in.signed();
      case 3:
        return "char " + in.varint();
      case 4:
        return "short " + in.signed();
      case 5:
        return "int " + in.signed();
      case 6:
        return "long " + in.signed();
      case 7:
        return "float " + Float.intBitsToFloat(in.fixed32());
      case 8:
        return "double " + Double.longBitsToDouble(in.fixed64());
      case 9:
        return "text " + in.string();
      case 10:
        return "enum " + in.string() + "." + in.string();
      case 11:
        return "class " + in.string();
      default:
        throw in.damaged("a constant");
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
