package io.palus.host;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IBundleCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.ICoverageNode;
import org.jacoco.core.analysis.IPackageCoverage;
import org.jacoco.core.analysis.ISourceFileCoverage;
import org.jacoco.core.tools.ExecFileLoader;

/**
 * Runs in a JVM of its own: reads execution data and class files, both as bytes, and prints what
 * JaCoCo's analysis says.
 *
 * <p>Arguments: {@code --exec FILE... --classes DIR...}. Standard output, columns between tabs:
 *
 * <ul>
 *   <li>{@code C internal name lines covered lines branches covered branches}, one per class
 *   <li>{@code L package/SourceFile.java line 0 none | 1 missed | 2 partly | 3 full}, one per line
 *       with code
 *   <li>{@code T lines covered lines branches covered branches}, last
 * </ul>
 *
 * What cannot be read is named on standard error and left out; a missing execution data file means
 * nothing is covered.
 */
public final class CoverageMain {
  private final ExecFileLoader loader = new ExecFileLoader();
  private final CoverageBuilder builder = new CoverageBuilder();
  private final PrintStream err;

  private CoverageMain(PrintStream err) {
    this.err = err;
  }

  /** Ends with code 2 on wrong arguments, else 0. */
  public static void main(String[] args) throws IOException {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(System.out, 1 << 16), false, StandardCharsets.UTF_8.name());
    int code = run(args, out, System.err);
    out.flush();
    if (code != 0) {
      System.exit(code);
    }
  }

  /** The whole program but for the exit. */
  static int run(String[] args, PrintStream out, PrintStream err) throws IOException {
    List<Path> exec = new ArrayList<>();
    List<Path> classes = new ArrayList<>();
    List<Path> list = null;
    for (String arg : args) {
      if (arg.equals("--exec")) {
        list = exec;
      } else if (arg.equals("--classes")) {
        list = classes;
      } else if (list == null) {
        err.println("usage: --exec FILE... --classes DIR...");
        return 2;
      } else {
        list.add(Paths.get(arg));
      }
    }
    CoverageMain main = new CoverageMain(err);
    for (Path file : exec) {
      main.readExecutionData(file);
    }
    main.analyze(classes);
    main.print(out);
    return 0;
  }

  private void readExecutionData(Path file) {
    if (!Files.exists(file)) {
      return;
    }
    try (InputStream in = new FileInputStream(file.toFile())) {
      loader.load(in);
    } catch (EOFException e) {
      err.println(file + " is cut short; what came before is used");
    } catch (IOException | IllegalStateException e) {
      err.println(file + " cannot be read: " + e.getMessage());
    }
  }

  private void analyze(List<Path> directories) throws IOException {
    Analyzer analyzer = new Analyzer(loader.getExecutionDataStore(), builder);
    Set<String> seen = new HashSet<>();
    for (Path directory : directories) {
      if (!Files.isDirectory(directory)) {
        continue;
      }
      for (Path file : classFiles(directory)) {
        String name = directory.relativize(file).toString().replace(File.separatorChar, '/');
        // The first of two classes of one name is the one that is loaded.
        if (!seen.add(name)) {
          continue;
        }
        try {
          analyzer.analyzeClass(Files.readAllBytes(file), name);
        } catch (IOException | RuntimeException e) {
          err.println(file + " cannot be analyzed: " + e.getMessage());
        }
      }
    }
  }

  private static List<Path> classFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(f -> f.toString().endsWith(".class"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  private void print(PrintStream out) {
    builder.getClasses().stream()
        .filter(c -> fitsLine(c.getName()))
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .forEach(c -> out.print("C\t" + c.getName() + counters(c) + "\n"));
    IBundleCoverage bundle = builder.getBundle("all");
    bundle.getPackages().stream()
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .forEach(p -> printLines(p, out));
    out.print("T" + counters(bundle) + "\n");
  }

  /** A class file may say any name, one with line breaks too. */
  private static boolean fitsLine(String name) {
    return name.chars().noneMatch(Character::isISOControl);
  }

  private static void printLines(IPackageCoverage packageCoverage, PrintStream out) {
    String folder = packageCoverage.getName().isEmpty() ? "" : packageCoverage.getName() + "/";
    packageCoverage.getSourceFiles().stream()
        .filter(s -> fitsLine(s.getName()))
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .forEach(s -> printLines(folder + s.getName(), s, out));
  }

  private static void printLines(String name, ISourceFileCoverage source, PrintStream out) {
    for (int line = Math.max(source.getFirstLine(), 0); line <= source.getLastLine(); line++) {
      int status = status(source.getLine(line).getStatus());
      if (status != 0) {
        out.print("L\t" + name + "\t" + line + "\t" + status + "\n");
      }
    }
  }

  private static int status(int status) {
    switch (status) {
      case ICounter.NOT_COVERED:
        return 1;
      case ICounter.PARTLY_COVERED:
        return 2;
      case ICounter.FULLY_COVERED:
        return 3;
      default:
        return 0;
    }
  }

  private static String counters(ICoverageNode node) {
    ICounter lines = node.getLineCounter();
    ICounter branches = node.getBranchCounter();
    return "\t"
        + lines.getCoveredCount()
        + "\t"
        + lines.getTotalCount()
        + "\t"
        + branches.getCoveredCount()
        + "\t"
        + branches.getTotalCount();
  }
}
