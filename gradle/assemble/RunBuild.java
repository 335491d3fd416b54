package io.palus.assemble;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.internal.StartParameterInternal;
import org.gradle.api.internal.file.FileCollectionFactory;
import org.gradle.api.logging.configuration.ConsoleOutput;
import org.gradle.cli.CommandLineArgumentException;
import org.gradle.cli.CommandLineParser;
import org.gradle.initialization.DefaultBuildCancellationToken;
import org.gradle.initialization.DefaultBuildRequestContext;
import org.gradle.initialization.DefaultBuildRequestMetaData;
import org.gradle.initialization.NoOpBuildEventConsumer;
import org.gradle.initialization.layout.BuildLayoutFactory;
import org.gradle.internal.buildprocess.BuildProcessState;
import org.gradle.internal.classpath.ClassPath;
import org.gradle.internal.instrumentation.agent.AgentStatus;
import org.gradle.internal.logging.LoggingManagerInternal;
import org.gradle.internal.logging.services.LoggingServiceRegistry;
import org.gradle.internal.nativeintegration.services.NativeServices;
import org.gradle.internal.service.ServiceRegistry;
import org.gradle.launcher.cli.BuildEnvironmentConfigurationConverter;
import org.gradle.launcher.cli.Parameters;
import org.gradle.launcher.exec.BuildActionResult;
import org.gradle.launcher.exec.BuildExecutor;
import org.gradle.launcher.exec.DefaultBuildActionParameters;
import org.gradle.tooling.internal.provider.action.ExecuteBuildAction;
import org.gradle.util.GradleVersion;

/**
 * The command line of an assembled Gradle: runs one build inside this JVM, as {@code gradle
 * --no-daemon} does.
 *
 * <p>Only for API jars that lack Gradle's own entry point (8.10 and newer); compiled against them.
 */
public final class RunBuild {
  private RunBuild() {}

  /** Ends with 0 where the build succeeded. */
  public static void main(String[] args) {
    int exitCode = 1;
    try {
      exitCode = run(args);
    } catch (Throwable failure) {
      failure.printStackTrace();
    }
    System.exit(exitCode);
  }

  private static int run(String[] commandLine) {
    List<String> args = new ArrayList<>();
    for (String arg : commandLine) {
      switch (arg) {
        case "--version":
        case "-v":
          System.out.println("Gradle " + GradleVersion.current().getVersion() + " (assembled)");
          return 0;
        case "--stop":
        case "--status":
          System.out.println("An assembled Gradle has no daemon.");
          return 0;
        case "--daemon":
        case "--no-daemon":
          break;
        default:
          args.add(arg);
      }
    }
    ServiceRegistry logging = LoggingServiceRegistry.newCommandLineProcessLogging();
    NativeServices.initializeOnDaemon(gradleUserHome(), NativeServices.NativeServicesMode.ENABLED);
    boolean continuous = args.contains("-t") || args.contains("--continuous");
    BuildProcessState process =
        new BuildProcessState(
            continuous,
            AgentStatus.disabled(),
            ClassPath.EMPTY,
            logging,
            NativeServices.getInstance());
    try {
      return build(process.getServices(), logging, args);
    } catch (CommandLineArgumentException wrongArgument) {
      System.err.println(wrongArgument.getMessage());
      return 1;
    } finally {
      process.close();
    }
  }

  private static int build(ServiceRegistry services, ServiceRegistry logging, List<String> args) {
    File folder = new File("").getAbsoluteFile();
    CommandLineParser parser = new CommandLineParser();
    parser.allowMixedSubcommandsAndOptions();
    BuildEnvironmentConfigurationConverter converter =
        new BuildEnvironmentConfigurationConverter(
            new BuildLayoutFactory(), services.get(FileCollectionFactory.class));
    converter.configure(parser);
    Parameters parameters = converter.convertParameters(parser.parse(args), folder);
    StartParameterInternal start = parameters.getStartParameter();
    System.getProperties().putAll(parameters.getProperties().getRequestedSystemProperties());

    LoggingManagerInternal console = logging.getFactory(LoggingManagerInternal.class).create();
    console.setLevelInternal(start.getLogLevel());
    console.start();
    // The rich console needs a client process of its own; plain lines do not.
    ConsoleOutput asked = start.getConsoleOutput();
    console.attachProcessConsole(asked == ConsoleOutput.Auto ? ConsoleOutput.Plain : asked);
    try {
      BuildActionResult result =
          services
              .get(BuildExecutor.class)
              .execute(
                  new ExecuteBuildAction(start),
                  new DefaultBuildActionParameters(
                      System.getProperties(),
                      System.getenv(),
                      folder,
                      start.getLogLevel(),
                      false,
                      ClassPath.EMPTY),
                  new DefaultBuildRequestContext(
                      new DefaultBuildRequestMetaData(System.currentTimeMillis(), false),
                      new DefaultBuildCancellationToken(),
                      new NoOpBuildEventConsumer()));
      return result.hasFailure() ? 1 : 0;
    } finally {
      console.stop();
    }
  }

  private static File gradleUserHome() {
    String home = System.getProperty("gradle.user.home", System.getenv("GRADLE_USER_HOME"));
    return home != null ? new File(home) : new File(System.getProperty("user.home"), ".gradle");
  }
}
