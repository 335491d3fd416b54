package io.palus.worker;

import io.palus.wire.ByteReader;
import io.palus.wire.ByteWriter;
import io.palus.wire.FrameReader;
import io.palus.wire.FrameWriter;
import io.palus.wire.Kinds.Call;
import io.palus.wire.Kinds.End;
import io.palus.wire.Kinds.Request;
import io.palus.wire.Kinds.Response;
import io.palus.wire.WireException;
import io.palus.worker.instrument.GuardRules;
import io.palus.worker.instrument.Mutant;
import io.palus.worker.instrument.ProbeTable;
import io.palus.worker.runtime.ApiCalls;
import io.palus.worker.runtime.Distances;
import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.MissingFiles;
import io.palus.worker.runtime.Mutants;
import io.palus.worker.runtime.Probes;
import io.palus.worker.runtime.ThreadLocals;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Answers requests until there are no more. */
final class Session {
  private static final Set<Request> BEFORE_SETUP =
      EnumSet.of(Request.SETUP, Request.READ_CLASSES, Request.EXIT);
  private static final int FIELD_READ = MethodEntry.GET_FIELD;
  private static final int FIELD_WRITE = MethodEntry.SET_FIELD;

  private final FrameReader in;
  private final FrameWriter out;
  private final Progress progress;
  private final UserFiles user;
  private final Denials kernel;
  private final Watchdog watchdog = new Watchdog(ExitCode.TIME_USED_UP::halt);
  private final LiveThreads threads = new LiveThreads();
  private final SequenceReader sequence = new SequenceReader();
  private final OutcomeWriter outcomes = new OutcomeWriter();
  private final ByteWriter batch = new ByteWriter();
  private Subject subject;
  private ProbeTable table;
  private WorkFolder work;
  private SequenceRunner runner;
  private Initializers initializers;

  Session(FrameReader in, FrameWriter out, Progress progress, UserFiles user, Denials kernel) {
    this.in = in;
    this.out = out;
    this.user = user;
    this.kernel = kernel;
    this.progress = progress;
  }

  /** Answers; returns how the JVM shall end. */
  ExitCode run() throws IOException {
    for (ByteReader request = in.next(); request != null; request = in.next()) {
      Request kind = request.kind(Request.values(), "a kind of request");
      if (runner == null && !BEFORE_SETUP.contains(kind)) {
        throw new WireException("it comes before Setup");
      }
      if ((kind == Request.BEGIN || kind == Request.EXECUTE) && runner.staysSpoilt()) {
        return ExitCode.NORMAL; // whoever asks gets an end, which tells more than a wrong answer
      }
      switch (kind) {
        case SETUP:
          setup(request);
          break;
        case DEFINE_METHODS:
          defineMethods(request);
          break;
        case DEFINE_FIELDS:
          defineFields(request);
          break;
        case BEGIN:
          begin(request);
          break;
        case EXECUTE:
          if (!execute(request)) {
            return ExitCode.OUT_OF_MEMORY;
          }
          break;
        case READ_CLASSES:
          readClasses(request);
          break;
        case EXIT:
          return ExitCode.NORMAL;
        case WATCH:
          if (Mutants.areHeld() || ApiCalls.areRecorded()) {
            throw new WireException("nothing is watched beside mutants or recorded calls");
          }
          table.watch(probes(request));
          break;
        case FORGET:
          runner.forget();
          break;
        case MUTATE:
          mutate(request);
          break;
        case TURN_ON:
          turnOn(request, Mutants.count());
          break;
        case DEFINE_SITES:
          subject.classes().define(Sites.read(request));
          break;
        case RECORD:
          subject.classes().record(request.bool());
          break;
        default:
          throw new AssertionError(kind);
      }
      request.end();
    }
    return ExitCode.INPUT_ENDED;
  }

  private void setup(ByteReader request) throws IOException {
    Setup setup = Setup.read(request);
    table = new ProbeTable();
    subject = new Subject(new SubjectClasses(new ClassPath(setup.path), setup.numbers, table));
    Guard.set(
        setup.folder,
        Thread.currentThread(),
        threads::remember,
        threads::anyStarted,
        GuardRules::whyDenied);
    user.leaveOut(kernel);
    subject.classes().logging().begin(user, kernel);
    MissingFiles.set(setup.path, user.folders());
    work = new WorkFolder(setup.folder, user);
    ThreadLocals.of(Thread.currentThread());
    runner =
        new SequenceRunner(subject, table, threads, work, user, kernel, setup.fuel, setup.maxDepth);
    initializers =
        new Initializers(subject, work, user, runner, threads, kernel, progress, watchdog);
    watchdog.start(setup.limitMillis);
    threads.leaveOutPresent();
    ByteWriter answer = out.begin();
    answer.kind(Response.READY);
    answer.fixed32(Setup.MAGIC);
    answer.put(Setup.VERSION);
    answer.put(Setup.VERSION >> 8);
    answer.string(System.getProperty("java.specification.version"));
    out.send();
  }

  private void defineMethods(ByteReader request) throws WireException {
    for (int left = request.count(); left > 0; left--) {
      int id = request.number();
      int kind = request.kind(Call.values(), "a kind of call").ordinal();
      String owner = request.string();
      String name = request.string();
      subject.defineMethod(id, new MethodEntry(kind, owner, name, request.string()));
    }
  }

  private void defineFields(ByteReader request) throws WireException {
    for (int left = request.count(); left > 0; left--) {
      int id = request.number();
      int isStatic = request.bool() ? 1 : 0;
      String owner = request.string();
      String name = request.string();
      String descriptor = request.string();
      MethodEntry get = new MethodEntry(FIELD_READ + isStatic, owner, name, descriptor);
      MethodEntry set = new MethodEntry(FIELD_WRITE + isStatic, owner, name, descriptor);
      subject.defineField(id, get, set);
    }
  }

  private void begin(ByteReader request) throws IOException {
    List<String> names = strings(request);
    int environment = request.number();
    table.watch(new long[0]);
    Mutants.turnOn(0, Integer.MAX_VALUE);
    ApiCalls.set(null, null);
    List<String> failed = initializers.run(names, environment);
    ApiCalls.set(subject.classes().recordedTypes(), Thread.currentThread());
    threads.mark();
    progress.idle();
    ByteWriter answer = out.begin();
    answer.kind(Response.BEGUN);
    answer.varint(failed.size() / 2);
    for (String text : failed) {
      answer.string(text);
    }
    out.send();
  }

  private static Response kindOfOutcomes() {
    if (ApiCalls.areRecorded()) {
      return Response.RECORDED_OUTCOMES;
    }
    if (Mutants.areHeld()) {
      return Response.MUTANT_OUTCOMES;
    }
    return Distances.isWatching() ? Response.NEAR_OUTCOMES : Response.OUTCOMES;
  }

  private void mutate(ByteReader request) throws IOException {
    table.watch(new long[0]);
    List<String> names = strings(request);
    List<Mutant> mutants = subject.classes().mutate(names);
    ByteWriter answer = out.begin();
    answer.kind(Response.MUTANTS);
    answer.varint(mutants.size());
    for (Mutant mutant : mutants) {
      answer.varint(names.indexOf(mutant.owner));
      answer.kind(mutant.operator);
      answer.string(mutant.method);
      answer.string(mutant.descriptor);
      answer.varint(mutant.line);
      answer.string(mutant.detail);
    }
    out.send();
  }

  static void turnOn(ByteReader request, int mutants) throws WireException {
    int mutant = request.number();
    int fuel = request.number();
    if (mutant > mutants) {
      throw request.damaged("a mutant");
    }
    Mutants.turnOn(mutant, fuel);
  }

  /** A list of probes: class number in the upper half, probe in the lower, ascending. */
  static long[] probes(ByteReader request) throws WireException {
    long[] probes = new long[request.count()];
    long type = 0;
    long probe = 0;
    for (int i = 0; i < probes.length; i++) {
      int step = request.number();
      probe = step == 0 ? probe + request.number() : request.number();
      type += step;
      if (type > Integer.MAX_VALUE || probe > Integer.MAX_VALUE) {
        throw request.damaged("a probe");
      }
      probes[i] = type << 32 | probe;
    }
    return probes;
  }

  /** False if the heap stays full: what was done is answered, and no more will be. */
  private boolean execute(ByteReader request) throws IOException {
    int count = request.count();
    int done = 0;
    boolean hasMemory = true;
    progress.nextBatch();
    batch.clear();
    outcomes.begin(batch);
    for (int i = 0; i < count; i++) {
      sequence.read(request);
      if (runner.isSpoilt() || !hasMemory) {
        continue; // read on, so that damage is found
      }
      progress.at(i);
      watchdog.starts();
      outcomes.beginOutcome();
      Mutants.reset();
      try {
        Throwable thrown = runner.start().run(sequence, outcomes);
        runner.end(sequence, thrown, outcomes);
        outcomes.reached();
        outcomes.recorded();
        done++;
      } catch (OutOfMemoryError e) {
        outcomes.takeBack();
        hasMemory = hasRoomAgain();
        if (hasMemory) {
          outcomes.end(End.OUT_OF_MEMORY);
          outcomes.noProbes();
          outcomes.aftermath(Probes.cost(), false, true);
          outcomes.noNearness();
          outcomes.reached();
          ApiCalls.clear();
          outcomes.recorded();
          done++;
        }
      }
    }
    watchdog.ends(); // the next one's start ends the one before it
    if (hasMemory) {
      progress.idle();
    }
    ByteWriter answer = out.begin();
    answer.kind(kindOfOutcomes());
    answer.varint(done);
    answer.raw(batch);
    out.send();
    return hasMemory;
  }

  /**
   * True if what filled the heap is gone with the sequence that made it, as it is where one array
   * was too large.
   */
  private static boolean hasRoomAgain() {
    if (isHalfEmpty()) {
      return true;
    }
    System.gc();
    return isHalfEmpty();
  }

  private static boolean isHalfEmpty() {
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) < runtime.maxMemory() / 2;
  }

  private void readClasses(ByteReader request) throws IOException {
    ByteWriter answer = out.begin();
    answer.kind(Response.CLASS_FILES);
    readClasses(request, answer);
    out.send();
  }

  static void readClasses(ByteReader request, ByteWriter answer) throws IOException {
    List<String> names = strings(request);
    answer.varint(names.size());
    for (String name : names) {
      // The system loader finds the classes of all the JDK's modules, and ours, which are no one's.
      boolean isOurs = name.startsWith("io/palus/");
      try (InputStream file =
          isOurs ? null : ClassLoader.getSystemResourceAsStream(name + ".class")) {
        answer.bool(file != null);
        if (file != null) {
          answer.blob(ClassPath.readAll(file));
        }
      }
    }
  }

  static List<String> strings(ByteReader request) throws WireException {
    List<String> strings = new ArrayList<>();
    for (int left = request.count(); left > 0; left--) {
      strings.add(request.string());
    }
    return strings;
  }
}
