package io.palus.agent;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** Records a script into the file it is given; in a JVM of its own, so that all numbers are new. */
final class GoldenScript {
  /** Stands for a subject class as the agent would have rewritten it. */
  @SuppressWarnings("unused")
  static final class City {
    final String name;
    int roads;
    private long $palus$state;

    City(String name) {
      this.name = name;
    }

    private void $palus$profile(Profile profile) {
      profile.field(name);
      profile.field((long) roads);
    }
  }

  private GoldenScript() {}

  public static void main(String[] arguments) throws Exception {
    TraceWriter writer = new TraceWriter(new File(arguments[0]), 0x0123456789abcdefL);
    Lane.open(writer);
    CallRecorder.start(3);
    script();
    CallRecorder.stop();
    writer.close();
  }

  private static void script() {
    String name = City.class.getName().replace('.', '/');
    ClassInfo city = ClassInfo.define(City.class.getClassLoader(), name);
    city.hasState = true;
    city.hasProfile = true;
    int init = MethodInfo.define(city, "<init>", "(Ljava/lang/String;)V", 1).number;
    int mix = MethodInfo.define(city, "mix", "(ZBCSIJFDLjava/lang/Object;)V", 1).number;
    int take = MethodInfo.define(city, "take", "(Ljava/lang/Object;)Ljava/lang/Object;", 1).number;
    CallFrame test = TestRecorder.start(null, "road/CityTest", "scripted");

    CallFrame call = CallRecorder.enter(null, init);
    call.argument((Object) "Zürich");
    call.begin();
    City zurich = new City("Zürich");
    CallEnd.exit(zurich, call);

    call = CallRecorder.enter(zurich, mix);
    call.argument(true);
    call.argument((byte) -1);
    call.argument('€');
    call.argument((short) -300);
    call.argument(-17);
    call.argument(1L << 40);
    call.argument(1.5f);
    call.argument(-0.0);
    call.argument((Object) null);
    call.begin();
    CallEnd.thrown(new IllegalStateException(), call);

    List<Object> values = new ArrayList<>();
    values.add(int[].class);
    values.add(java.util.concurrent.TimeUnit.DAYS);
    values.add(null);
    call = take(zurich, values.toArray(), take);
    CallEnd.exit((Object) "x".repeat(300), call);
    zurich.roads = 2;
    CallEnd.exit(take(zurich, new StringBuilder(), take));
    CallEnd.exit(take(zurich, 175, take));
    TestRecorder.thrown(new AssertionError(), test, null);
  }

  private static CallFrame take(City receiver, Object argument, int method) {
    CallFrame call = CallRecorder.enter(receiver, argument, method);
    call.argument(argument);
    call.begin();
    return call;
  }
}
