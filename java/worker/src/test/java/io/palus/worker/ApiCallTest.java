package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.palus.wire.ByteReader;
import io.palus.wire.ByteWriter;
import io.palus.wire.Kinds.End;
import io.palus.worker.instrument.ProbeTable;
import io.palus.worker.runtime.ApiCalls;
import io.palus.worker.runtime.ApiTypes;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EmptyStackException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** What subject code calls of an API is recorded, with its objects and exceptions. */
class ApiCallTest {
  private static final String CODE =
      """
      package code;
      import java.util.*;
      public class Code extends ArrayList<Object> {
        static String join(long gap, double more) {
          List<String> texts = new ArrayList<>(Arrays.asList("a", "b"));
          StringBuilder all = new StringBuilder().append(texts.size());
          for (String text : texts) { all.append(text).append(gap).append(more); }
          return all.toString();
        }
        static int caught(int n) {
          int sum = n;
          try {
            sum += new Integer(new Stack<Integer>().pop());
          } catch (EmptyStackException e) {
            sum++;
          } finally {
            sum += 10;
          }
          return sum;
        }
        static Object thrown() { return new Stack<Object>().peek(); }
        static int moved(Map<String, String> map) {
          Vector<String> values = new Vector<>(map.values());
          values.addAll(values);
          Iterator<String> all = map.values().iterator();
          return all.next().length() + values.get(0).length();
        }
        @Override public boolean add(Object one) { return super.add(one); }
        static boolean own() {
          Code code = new Code();
          Collection<Object> plain = code;
          return plain.add("x");
        }
        static final int FIRST = new ArrayList<>(Arrays.asList(1, 2)).size();
      }
      """;

  @TempDir Path folder;

  /** Names of the called methods, by place. */
  private final List<String> places = new ArrayList<>();

  private Class<?> code;

  @AfterEach
  void forget() {
    ApiCalls.set(null, null);
  }

  private void load(int release) throws Exception {
    Path classes = Sources.compile(folder, release, "code/Code.java", CODE);
    ClassNode type = new ClassNode();
    byte[] bytes = Files.readAllBytes(classes.resolve("code/Code.class"));
    new ClassReader(bytes).accept(type, 0);
    ByteWriter sites = new ByteWriter();
    List<Integer> ofApi = new ArrayList<>();
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode node : method.instructions) {
        if (node instanceof MethodInsnNode) {
          MethodInsnNode call = (MethodInsnNode) node;
          boolean isOwn = method.name.equals("<init>");
          boolean isAnother = call.owner.endsWith("Arrays") || call.owner.endsWith("Map");
          if (call.owner.startsWith("java/util/") && !isOwn && !isAnother) {
            ofApi.add(places.size());
          }
          places.add(call.name);
        }
      }
    }
    sites.varint(2);
    sites.string("java/util/Collection");
    sites.string("java/util/Iterator");
    sites.varint(1);
    sites.string("code/Code");
    sites.varint(ofApi.size());
    for (int place : ofApi) {
      sites.varint(place);
      sites.varint(place);
    }
    ClassPath path = new ClassPath(List.of(classes.toString()));
    SubjectClasses subject = new SubjectClasses(path, Map.of("code/Code", 0), new ProbeTable());
    subject.define(Sites.read(new ByteReader(sites.array(), sites.length())));
    subject.record(true);
    code = new SubjectLoader(subject).loadClass("code.Code");
    ApiCalls.set(subject.recordedTypes(), Thread.currentThread());
  }

  private Object call(String name, Object... arguments) throws Exception {
    ApiCalls.start();
    for (java.lang.reflect.Method method : code.getDeclaredMethods()) {
      if (method.getName().equals(name)
          && !method.isSynthetic()
          && method.getParameterCount() == arguments.length) {
        method.setAccessible(true);
        try {
          return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
          return e.getCause();
        } finally {
          ApiCalls.end();
        }
      }
    }
    throw new AssertionError(name);
  }

  /** {@code 1 = 0.iterator(0:2)}, or with the exception's class behind it. */
  private List<String> calls() {
    List<String> calls = new ArrayList<>();
    for (int call = 0; call < ApiCalls.count(); call++) {
      StringBuilder text = new StringBuilder();
      if (ApiCalls.result(call) != ApiCalls.NONE) {
        text.append(ApiCalls.result(call)).append(" = ");
      }
      if (ApiCalls.receiver(call) != ApiCalls.NONE) {
        text.append(ApiCalls.receiver(call)).append('.');
      }
      text.append(places.get(ApiCalls.site(call))).append('(');
      for (int[] argument : ApiCalls.arguments()) {
        if (argument[0] == call) {
          text.append(argument[1]).append(':').append(argument[2]);
        }
      }
      Class<?> thrown = ApiCalls.thrown(call);
      calls.add(text + ")" + (thrown == null ? "" : " " + thrown.getSimpleName()));
    }
    return calls;
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 17})
  void calls_are_told_with_objects_and_exceptions_and_do_what_they_did(int release)
      throws Exception {
    load(release);
    assertEquals("2a31.5b31.5", call("join", 3L, 1.5));
    assertEquals(
        List.of(
            // What `Arrays.asList` made is known as what everybody may call.
            "1 = <init>(0:0)",
            "1.size()",
            "2 = 1.iterator()",
            "2.hasNext()",
            "2.next()",
            "2.hasNext()",
            "2.next()",
            "2.hasNext()"),
        calls());
    assertEquals(
        List.of("java/util/AbstractList", "java/util/ArrayList", "java/util/Iterator"),
        ApiCalls.objects());

    assertEquals(16, call("caught", 5));
    assertEquals(List.of("0 = <init>()", "0.pop() EmptyStackException"), calls());
    assertEquals(EmptyStackException.class, call("thrown").getClass());
    assertEquals(List.of("0 = <init>()", "0.peek() EmptyStackException"), calls());

    assertEquals(2, call("moved", new HashMap<>(Map.of("k", "v"))));
    assertEquals(
        List.of("1 = <init>(0:0)", "1.addAll(0:1)", "2 = 0.iterator()", "2.next()", "1.get()"),
        calls());
  }

  @Test
  void an_object_of_the_subject_is_known_by_its_nearest_class_of_the_api() throws Exception {
    load(8);
    assertEquals(true, call("own"));
    // The subject's `add` calls that of its superclass.
    assertEquals(List.of("0.add()", "0.add()"), calls());
    assertEquals(List.of("java/util/ArrayList"), ApiCalls.objects());
  }

  @Test
  void a_proxy_is_known_by_what_it_stands_for() {
    ApiCalls.set(
        new ApiTypes(List.of("java/util/Iterator"), type -> false), Thread.currentThread());
    ApiCalls.start();
    Class<?>[] types = {Iterator.class};
    ClassLoader loader = getClass().getClassLoader();
    Object proxy = Proxy.newProxyInstance(loader, types, (self, method, arguments) -> null);
    ApiCalls.begin(proxy, 0);
    assertEquals(List.of("java/util/Iterator"), ApiCalls.objects());
  }

  @Test
  void nothing_is_kept_beyond_the_first_calls_and_nothing_of_other_threads() throws Exception {
    load(8);
    ApiCalls.start();
    for (int i = 0; i < ApiCalls.MOST_CALLS + 10; i++) {
      ApiCalls.returned("a", ApiCalls.begin(0));
    }
    assertEquals(ApiCalls.MOST_CALLS, ApiCalls.count());
    ApiCalls.start();
    Thread other = new Thread(() -> ApiCalls.begin(new Stack<>(), 0));
    other.start();
    other.join();
    assertEquals(0, ApiCalls.count());
  }

  @Test
  void recordings_are_the_bytes_rust_reads() throws Exception {
    ApiCalls.set(
        new ApiTypes(List.of("java/util/Iterator", "java/util/Collection"), type -> false),
        Thread.currentThread());
    ApiCalls.start();
    Stack<Object> stack = new Stack<>();
    Object all = stack.iterator();
    ApiCalls.returned(stack, ApiCalls.begin(0));
    int call = ApiCalls.begin(all, 300);
    ApiCalls.argument(stack, 0, call);
    ApiCalls.argument("text", 1, call);
    ApiCalls.argument(all, 2, call);
    EmptyStackException thrown = new EmptyStackException();
    ApiCalls.threw(thrown, ApiCalls.begin(stack, 1));
    ApiCalls.end();
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.util.Stack", "peek", null, -1),
          // Added for the recording.
          new StackTraceElement("demo.Stack", "palus$call$0", "Stack.java", -1),
          new StackTraceElement("demo.Stack", "top", "Stack.java", 300)
        });
    ByteWriter bytes = new ByteWriter();
    bytes.put(8);
    bytes.varint(2);
    OutcomeWriter out = new OutcomeWriter();
    out.begin(bytes);
    out.end(End.COMPLETED);
    out.noProbes();
    out.aftermath(0, false, true);
    out.fail(new EmptyStackException()); // no call threw this one
    out.fail(thrown);
    out.recorded();
    out.end(End.OUT_OF_FUEL);
    out.noProbes();
    out.aftermath(0, false, true);
    out.recorded();
    byte[] golden = Goldens.bodies("responses.txt").get("recorded-outcomes");
    byte[] written = Arrays.copyOf(bytes.array(), bytes.length());
    assertArrayEquals(golden, written);
  }

  @Test
  void sites_are_those_rust_wrote() throws IOException {
    byte[] body = Goldens.bodies("requests.txt").get("define-sites");
    ByteReader in = new ByteReader(body, body.length);
    in.get();
    Sites sites = Sites.read(in);
    in.end();
    assertEquals(List.of("java/util/Iterator", "java/util/Vector"), sites.api());
    assertEquals(Map.of(0, 0, 200, 1), sites.of("demo/Stack"));
    assertEquals(Map.of(3, 300), sites.of("demo/Stack$Node"));
    assertFalse(ApiCalls.areRecorded());
  }
}
