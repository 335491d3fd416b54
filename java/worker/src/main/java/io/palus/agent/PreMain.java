package io.palus.agent;

import io.palus.worker.verify.GuardAgent;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.security.SecureRandom;

/**
 * Starts the agent: {@code -javaagent:palus-worker.jar=<options file>}. Whatever goes wrong while
 * it traces, the JVM goes on as if there were no agent, and {@code agent.log} says why.
 */
public final class PreMain {
  private PreMain() {}

  /**
   * Called by the JVM before the program's {@code main}.
   *
   * @param options path of the options file; or what asks for guards instead of tracing
   * @param instrumentation the JVM's
   * @throws Exception if guards that are asked for cannot be had: the JVM ends
   */
  public static void premain(String options, Instrumentation instrumentation) throws Exception {
    if (options != null && options.startsWith(GuardAgent.OPTION)) {
      GuardAgent.start(instrumentation, options);
      return;
    }
    try {
      File file = new File(options == null ? "" : options).getAbsoluteFile();
      if (file.getParentFile() != null && file.getParentFile().isDirectory()) {
        ExceptionSink.open(file.getParentFile());
      }
      if (AccessChecks.areMade()) {
        ExceptionSink.report("nothing is traced: the JVM starts with a security manager", null);
        return;
      }
      start(AgentSettings.read(file), instrumentation);
    } catch (Throwable e) {
      ExceptionSink.report("nothing is traced", e);
    }
  }

  private static void start(AgentSettings settings, Instrumentation instrumentation)
      throws Exception {
    ExceptionSink.open(settings.output);
    PrivateFiles.createFolder(settings.output);
    long process = new SecureRandom().nextLong();
    String name = String.format("%s-%016x.trace", processId(), process);
    TraceWriter writer = new TraceWriter(new File(settings.output, name), process);
    Secrets.open(settings.secrets, settings.secretPlaces, System.getenv());
    Secrets.know(AgentOptions.ofThisJvm(System.getenv()));
    ReflectionFilter.hideCoverage(settings.measuresCoverage);
    Lane.open(writer);
    TracingTransformer transformer = new TracingTransformer(new SubjectClasses(settings));
    // Retransform-capable transformers come after the others, whatever the order of the agents: so
    // JaCoCo sees the bytes that its ids are made of.
    instrumentation.addTransformer(transformer, true);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread("palus-trace-end") {
              @Override
              public void run() {
                transformer.reportSkipped();
                writer.close();
              }
            });
    ModuleReads.add(instrumentation);
    initialise();
    ExceptionSink.begin();
    CallRecorder.start(settings.cap);
  }

  /**
   * What instrumented code calls is ready before it calls. A class that is first used near the
   * stack's end would fail then, and each time after.
   */
  private static void initialise() throws Exception {
    Class<?>[] used = {
      CallEnd.class,
      CallFrame.class,
      CallFrame.Stage.class,
      ClassInfo.class,
      IdentityMap.class,
      IdentityMap.Entry.class,
      Lane.class,
      MethodInfo.class,
      ObjectState.class,
      PrimitiveWriter.class,
      Profile.class,
      RecordBuffer.class,
      ReflectionFilter.class,
      SecretEscapes.class,
      SecretForms.class,
      SecretLetters.class,
      SecretNumbers.class,
      SecretUuids.class,
      SecretsInside.class,
      TestRecorder.class,
      TraceFormat.class,
      ValueWriter.class
    };
    for (Class<?> each : used) {
      Class.forName(each.getName(), true, PreMain.class.getClassLoader());
    }
    Members.warmUp();
  }

  private static String processId() throws Exception {
    try {
      // Java 9 and later; the way below loads much.
      Class<?> handle = Class.forName("java.lang.ProcessHandle");
      Object current = handle.getMethod("current").invoke(null);
      return String.valueOf(handle.getMethod("pid").invoke(current));
    } catch (ClassNotFoundException e) {
      // Not the name of this JVM, for which Java 8 looks up the host.
      String link = new File("/proc/self").getCanonicalFile().getName();
      return link.replaceAll("[^0-9]", "");
    }
  }
}
