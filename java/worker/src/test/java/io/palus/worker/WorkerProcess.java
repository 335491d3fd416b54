package io.palus.worker;

import io.palus.wire.ByteReader;
import io.palus.wire.ByteWriter;
import io.palus.wire.FrameReader;
import io.palus.wire.FrameWriter;
import io.palus.wire.Kinds.Operator;
import io.palus.wire.Kinds.Request;
import io.palus.wire.Kinds.Response;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A real worker JVM and its wire, as the engine sees it. */
final class WorkerProcess implements AutoCloseable {
  final Path progress;
  final Path workFolder;
  List<Path> libraries = List.of(); // jars behind the subject's classes
  private final Process process;
  private final FrameReader in;
  private final FrameWriter out;
  private int[] watched = new int[0];
  private boolean areMutantsHeld;
  final List<String> details = new ArrayList<>(); // what each mutant is about

  /** Of the last batch: mutants by number, and whether they would have made a difference. */
  final Map<Integer, Boolean> reached = new TreeMap<>();

  private final Map<String, Integer> members = new LinkedHashMap<>();

  WorkerProcess(Path folder, String... jvmArguments) throws IOException {
    progress = folder.resolve("progress");
    workFolder = Files.createDirectories(folder.resolve("work"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"));
    command.addAll(List.of("-XX:-OmitStackTraceInFastThrow", "-Djava.io.tmpdir=" + workFolder));
    command.addAll(Arrays.asList(jvmArguments));
    command.addAll(List.of("-cp", jar(), "io.palus.worker.WorkerMain"));
    command.addAll(List.of("--progress", progress.toString()));
    process =
        new ProcessBuilder(command)
            .directory(workFolder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    in = new FrameReader(process.getInputStream());
    out = new FrameWriter(process.getOutputStream());
  }

  /** The jar that is shipped; in an IDE without it, the test's own class path. */
  private static String jar() {
    return System.getProperty("palus.workerJar", System.getProperty("java.class.path"));
  }

  /** Starts a worker on compiled classes, all of which are subject classes in name order. */
  static WorkerProcess on(Path folder, Path classes, String... jvmArguments) throws IOException {
    WorkerProcess worker = new WorkerProcess(folder, jvmArguments);
    worker.setUp(classes, 100_000, 500, 2000);
    worker.begin();
    return worker;
  }

  /** The same, with time enough for each sequence on any machine. */
  static WorkerProcess patient(Path folder, Path classes) throws IOException {
    WorkerProcess worker = new WorkerProcess(folder);
    worker.setUp(classes, 100_000, 500, 60_000);
    worker.begin();
    return worker;
  }

  String setUp(Path classes, int fuel, int maxDepth, int limitMillis) throws IOException {
    List<String> names = Sources.names(classes);
    ByteWriter request = out.begin();
    request.put(0);
    request.raw(new byte[] {'P', 'A', 'L', 'W', Setup.VERSION, 0});
    request.varint(1 + libraries.size());
    request.string(classes.toString());
    libraries.forEach(library -> request.string(library.toString()));
    request.varint(names.size());
    for (int i = 0; i < names.size(); i++) {
      request.varint(i);
      request.string(names.get(i));
    }
    request.varint(fuel);
    request.varint(maxDepth);
    request.varint(limitMillis);
    request.string(workFolder.toString());
    out.send();
    ByteReader answer = answer(0);
    answer.fixed32();
    answer.get();
    answer.get();
    return answer.string();
  }

  /** A fresh class loader; tells which classes could not be initialised. */
  List<String> begin(String... initialise) throws IOException {
    return beginIn(0, initialise);
  }

  /** The same in another environment. */
  List<String> beginIn(int environment, String... initialise) throws IOException {
    ByteWriter request = out.begin();
    request.put(3);
    watched = new int[0];
    strings(request, initialise);
    request.varint(environment);
    out.send();
    ByteReader answer = answer(1);
    List<String> failed = new ArrayList<>();
    for (int left = answer.count(); left > 0; left--) {
      failed.add(answer.string() + " " + answer.string());
    }
    return failed;
  }

  /** From now on outcomes tell how near they came to these probes of the first class. */
  void watch(int... probes) throws IOException {
    watchInAll(List.of(0), probes);
  }

  /** The same probes of some classes, given by their numbers in ascending order. */
  void watchInAll(List<Integer> types, int... probes) throws IOException {
    watched = new int[types.size() * probes.length];
    ByteWriter request = out.begin();
    request.put(7);
    request.varint(watched.length);
    int lastType = 0;
    for (int i = 0; i < watched.length; i++) {
      int type = types.get(i / probes.length);
      int place = i % probes.length;
      watched[i] = probes[place];
      request.varint(type - lastType);
      request.varint(place == 0 ? probes[0] : probes[place] - probes[place - 1]);
      lastType = type;
    }
    out.send();
  }

  /** From the next {@link #begin} on, these classes hold mutants; tells of them, from number 1. */
  List<String> mutate(String... internalNames) throws IOException {
    ByteWriter request = out.begin();
    request.kind(Request.MUTATE);
    strings(request, internalNames);
    out.send();
    ByteReader answer = answer(Response.MUTANTS.ordinal());
    List<String> mutants = new ArrayList<>();
    details.clear();
    for (int left = answer.count(); left > 0; left--) {
      String owner = internalNames[answer.number()];
      String text = answer.kind(Operator.values(), "an operator") + " " + owner + ".";
      mutants.add(text + answer.string() + answer.string() + ":" + answer.number());
      details.add(answer.string());
    }
    answer.end();
    areMutantsHeld = !mutants.isEmpty();
    return mutants;
  }

  void turnOn(int mutant, int fuel) throws IOException {
    ByteWriter request = out.begin();
    request.kind(Request.TURN_ON);
    request.varint(mutant);
    request.varint(fuel);
    out.send();
  }

  /** Runs one sequence. */
  Outcome run(Consumer<SequenceBuilder> sequence) throws IOException {
    return runAll(List.of(sequence)).get(0);
  }

  /** Runs sequences as one batch. */
  List<Outcome> runAll(List<Consumer<SequenceBuilder>> sequences) throws IOException {
    send(sequences);
    return outcomes();
  }

  void send(List<Consumer<SequenceBuilder>> sequences) throws IOException {
    List<SequenceBuilder> built = new ArrayList<>();
    for (Consumer<SequenceBuilder> sequence : sequences) {
      SequenceBuilder builder = new SequenceBuilder(this);
      sequence.accept(builder);
      built.add(builder);
    }
    ByteWriter request = out.begin();
    request.put(4);
    request.varint(built.size());
    for (SequenceBuilder builder : built) {
      builder.write(request);
    }
    out.send();
  }

  List<Outcome> outcomes() throws IOException {
    Response near = watched.length > 0 ? Response.NEAR_OUTCOMES : Response.OUTCOMES;
    ByteReader answer = answer((areMutantsHeld ? Response.MUTANT_OUTCOMES : near).ordinal());
    List<String> names = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    reached.clear();
    for (int left = answer.count(); left > 0; left--) {
      outcomes.add(Outcome.read(answer, names, watched));
      for (int mutants = areMutantsHeld ? answer.count() : 0; mutants > 0; mutants--) {
        int number = answer.number();
        reached.put(number / 2, number % 2 == 1);
      }
    }
    answer.end();
    return outcomes;
  }

  List<byte[]> readClasses(String... names) throws IOException {
    ByteWriter request = out.begin();
    request.put(5);
    strings(request, names);
    out.send();
    ByteReader answer = answer(3);
    List<byte[]> files = new ArrayList<>();
    for (int left = answer.count(); left > 0; left--) {
      byte[] file = null;
      if (answer.bool()) {
        file = new byte[answer.count()];
        for (int i = 0; i < file.length; i++) {
          file[i] = (byte) answer.get();
        }
      }
      files.add(file);
    }
    return files;
  }

  private static void strings(ByteWriter request, String... texts) {
    request.varint(texts.length);
    for (String text : texts) {
      request.string(text);
    }
  }

  void sendRaw(int... bytes) throws IOException {
    ByteWriter request = out.begin();
    for (int each : bytes) {
      request.put(each);
    }
    out.send();
  }

  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  ExitCode exitCode() throws InterruptedException {
    int number = process.waitFor();
    return Arrays.stream(ExitCode.values())
        .filter(code -> code.number() == number)
        .findFirst()
        .orElseThrow(() -> new AssertionError("ended with " + number));
  }

  /** The progress file's two numbers: batch and index. */
  int[] progress() throws IOException {
    byte[] bytes = Files.readAllBytes(progress);
    ByteReader reader = new ByteReader(bytes, bytes.length);
    return new int[] {reader.fixed32(), reader.fixed32()};
  }

  /** The number of a method; defined at first use. Kinds are the wire's. */
  int method(int kind, String owner, String name, String descriptor) {
    return members.computeIfAbsent(
        owner + '.' + name + descriptor + kind,
        key -> {
          ByteWriter request = out.begin();
          request.put(1);
          request.varint(1);
          request.varint(members.size());
          request.put(kind);
          request.string(owner);
          request.string(name);
          request.string(descriptor);
          return send();
        });
  }

  int field(boolean isStatic, String owner, String name, String descriptor) {
    return members.computeIfAbsent(
        owner + '.' + name + descriptor,
        key -> {
          ByteWriter request = out.begin();
          request.put(2);
          request.varint(1);
          request.varint(members.size());
          request.bool(isStatic);
          request.string(owner);
          request.string(name);
          request.string(descriptor);
          return send();
        });
  }

  private int send() {
    try {
      out.send();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return members.size();
  }

  private ByteReader answer(int kind) throws IOException {
    ByteReader answer = in.next();
    if (answer == null) {
      throw new IOException("the worker is gone: " + ended());
    }
    int found = answer.get();
    if (found != kind) {
      throw new AssertionError("answer of kind " + found);
    }
    return answer;
  }

  private String ended() {
    try {
      return exitCode().toString();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  File workFile(String name) {
    return workFolder.resolve(name).toFile();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
