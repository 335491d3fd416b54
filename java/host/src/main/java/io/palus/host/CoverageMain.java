package io.palus.host;

import java.io.BufferedInputStream;
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
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.ExecutionDataWriter;

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
 *   <li>{@code W text}, one per file of execution data that is damaged or cut short: what came
 *       before that is used; and one where classes ran that were others than their files
 *   <li>{@code T lines covered lines branches covered branches}, last
 * </ul>
 *
 * A class that cannot be read is named on standard error and left out; a missing execution data
 * file means nothing is covered.
 */
public final class CoverageMain {
  private final ExecutionDataStore executed = new ExecutionDataStore();
  private final List<String> warnings = new ArrayList<>();
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
    String damage;
    try (InputStream in = new BufferedInputStream(new FileInputStream(file.toFile()))) {
      new BoundedReader(in, executed).read();
      return;
    } catch (EOFException e) {
      damage = "it is cut short";
    } catch (IOException | RuntimeException e) {
      damage = String.valueOf(e.getMessage());
    }
    String text =
        file + " is no whole execution data: " + damage + "; the rest of it counts as no coverage";
    warnings.add(text.replaceAll("\\p{Cntrl}", " "));
  }

  private void analyze(List<Path> directories) throws IOException {
    Analyzer analyzer = new Analyzer(executed, builder);
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
    int others = builder.getNoMatchClasses().size();
    if (others > 0) {
      warnings.add(
          "the tests ran "
              + others
              + (others == 1 ? " class" : " classes")
              + " otherwise than in the class files, as where an agent of theirs changes them or"
              + " they were compiled since: of these all counts as not covered");
    }
    warnings.forEach(text -> out.print("W\t" + text + "\n"));
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

  /** Believes no length that the rest of the file has no room for. */
  private static final class BoundedReader extends ExecutionDataReader {
    private final ExecutionDataStore executed;

    private BoundedReader(InputStream in, ExecutionDataStore executed) {
      super(in);
      this.executed = executed;
      setSessionInfoVisitor(session -> {});
      setExecutionDataVisitor(executed::put);
    }

    @Override
    protected boolean readBlock(byte type) throws IOException {
      if (type != ExecutionDataWriter.BLOCK_EXECUTIONDATA) {
        return super.readBlock(type);
      }
      long id = in.readLong();
      String name = in.readUTF();
      boolean[] probes = new boolean[length()];
      int bits = 0;
      for (int i = 0; i < probes.length; i++) {
        bits = i % 8 == 0 ? in.readByte() : bits >>> 1;
        probes[i] = (bits & 1) != 0;
      }
      executed.put(new ExecutionData(id, name, probes));
      return true;
    }

    private int length() throws IOException {
      long length = 0;
      int shift = 0;
      int part;
      do {
        part = in.readUnsignedByte();
        length |= (long) (part & 0x7f) << shift;
        shift += 7;
      } while (part > 0x7f && shift < 35);
      if (length > 8L * in.available()) {
        throw new IOException("a class of " + length + " probes cannot be in it");
      }
      return (int) length;
    }
  }
}
