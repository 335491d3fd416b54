import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds mutants that a project's own tests pass with, in an order that a seed decides, until there
 * are so many. Each mutant meets the test classes that load its class when nothing is changed,
 * nearest first, each in a class loader of its own.
 *
 * <p>{@code java MissedFaults.java FOLDER SEED COUNT}: FOLDER has {@code pit/export}, the mutants
 * as PIT exports them, and {@code tests}, the names of the test classes; {@code class-path}, the
 * project's own classes first. Results go to {@code own.tsv}, a line per mutant, which is gone on
 * with. Ends with 3 where a test hangs: run it again.
 */
final class MissedFaults {
  private static final int HANGS = 3;
  private static final Pattern DETAILS =
      Pattern.compile(
          "clazz=([^,]+), method=([^,]+), methodDesc=([^\\]]+)\\], indexes=\\[([^\\]]*)\\],"
              + " mutator=([^\\]]+)\\].* lineNumber=(\\d+), description=(.*), testsInOrder=");

  /** A mutant: where its class file is, and what it is. */
  private record Mutant(
      String id, String className, String method, String line, String what, Path classFile) {}

  /** What a test class does where nothing is changed. */
  private record Usual(String test, long millis, Set<String> failures, Set<String> loaded) {}

  /** Loads a project's classes, one of them from other bytes. */
  private static final class Loader extends URLClassLoader {
    private final String replaced;
    private final byte[] bytes;
    final Set<String> loaded = new LinkedHashSet<>();

    Loader(URL[] urls, String replaced, byte[] bytes) {
      super(urls, ClassLoader.getPlatformClassLoader());
      this.replaced = replaced;
      this.bytes = bytes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      synchronized (loaded) {
        loaded.add(name);
      }
      if (name.equals(replaced)) {
        return defineClass(name, bytes, 0, bytes.length);
      }
      return super.findClass(name);
    }
  }

  private final PrintStream out = System.out;
  private final Path folder;
  private final URL[] classPath;

  private MissedFaults(Path folder) throws IOException {
    this.folder = folder;
    List<URL> urls = new ArrayList<>();
    for (String entry : Files.readString(folder.resolve("class-path")).strip().split(":")) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    classPath = urls.toArray(new URL[0]);
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream errors = System.err;
    MissedFaults missed = new MissedFaults(Path.of(arguments[0]));
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    try {
      missed.find(arguments[1], Integer.parseInt(arguments[2]));
    } catch (Exception e) {
      e.printStackTrace(errors);
      System.exit(1);
    }
    System.exit(0);
  }

  private void find(String seed, int count) throws Exception {
    List<Usual> usual = usual();
    Path results = folder.resolve("own.tsv");
    List<String> known = Files.exists(results) ? Files.readAllLines(results) : List.of();
    Set<String> done = known.stream().map(line -> line.split("\t")[0]).collect(Collectors.toSet());
    long found = known.stream().filter(line -> line.split("\t")[1].equals("missed")).count();
    if (found >= count) {
      return;
    }
    for (Mutant mutant : mutants(seed)) {
      if (found >= count) {
        return;
      }
      if (done.contains(mutant.id)) {
        continue;
      }
      String verdict = verdict(usual, mutant);
      String line =
          String.join(
              "\t",
              mutant.id,
              verdict,
              mutant.className,
              mutant.method,
              mutant.line,
              mutant.what,
              mutant.classFile.toString());
      Files.writeString(results, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (verdict.startsWith("hangs")) {
        System.exit(HANGS);
      }
      found += verdict.equals("missed") ? 1 : 0;
    }
    out.println("only " + found + " mutants are missed");
  }

  private List<Mutant> mutants(String seed) throws Exception {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder.resolve("pit/export"))) {
      all = files.filter(file -> file.endsWith("details.txt")).toList();
    }
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    List<Mutant> mutants = new ArrayList<>();
    for (Path file : all) {
      Matcher details = DETAILS.matcher(Files.readString(file));
      if (!details.find()) {
        throw new IOException("unknown details: " + file);
      }
      String identity = seed + " " + details.group(0).replaceFirst(", filename=.*", "");
      byte[] hash = digest.digest(identity.getBytes(StandardCharsets.UTF_8));
      String className = details.group(1);
      mutants.add(
          new Mutant(
              HexFormat.of().formatHex(hash, 0, 8),
              className,
              details.group(2),
              details.group(6),
              details.group(7),
              file.resolveSibling(className + ".class")));
    }
    mutants.sort(Comparator.comparing(Mutant::id));
    return mutants;
  }

  private String verdict(List<Usual> usual, Mutant mutant) throws Exception {
    byte[] bytes = Files.readAllBytes(mutant.classFile);
    String simple = mutant.className.replaceFirst(".*\\.", "").replaceFirst("\\$.*", "");
    List<Usual> tests =
        usual.stream()
            .filter(one -> one.loaded.contains(mutant.className))
            .sorted(
                Comparator.comparing((Usual one) -> !one.test.contains(simple))
                    .thenComparing(Usual::millis))
            .toList();
    for (Usual one : tests) {
      long limit = 20_000 + 10 * one.millis;
      Set<String> failures = run(one.test, new Loader(classPath, mutant.className, bytes), limit);
      if (failures == null) {
        return "hangs " + one.test;
      }
      failures.removeAll(one.failures);
      if (!failures.isEmpty()) {
        return "noticed " + failures.iterator().next();
      }
    }
    return "missed";
  }

  /** Each test class where nothing is changed; kept in a file. */
  private List<Usual> usual() throws Exception {
    Path kept = folder.resolve("usual.tsv");
    Map<String, Usual> known = new LinkedHashMap<>();
    if (Files.exists(kept)) {
      for (String line : Files.readAllLines(kept)) {
        String[] parts = line.split("\t", -1);
        known.put(
            parts[0],
            new Usual(parts[0], Long.parseLong(parts[1]), split(parts[2]), split(parts[3])));
      }
    }
    for (String test : Files.readAllLines(folder.resolve("tests"))) {
      if (known.containsKey(test)) {
        continue;
      }
      Loader loader = new Loader(classPath, null, null);
      long start = System.nanoTime();
      Set<String> failures = run(test, loader, 600_000);
      if (failures == null) {
        throw new IOException("hangs where nothing is changed: " + test);
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      known.put(test, new Usual(test, millis, failures, loader.loaded));
      String line =
          String.join(
              "\t",
              test,
              Long.toString(millis),
              String.join("|", failures),
              String.join("|", loader.loaded));
      Files.writeString(kept, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    return List.copyOf(known.values());
  }

  private static Set<String> split(String text) {
    return text.isEmpty() ? Set.of() : Set.of(text.split("\\|"));
  }

  /** Names of the tests that fail; null where they do not end in time. */
  private static Set<String> run(String test, Loader loader, long limit) throws Exception {
    Set<String> failures = new LinkedHashSet<>();
    Thread thread = new Thread(null, () -> failures.addAll(failures(test, loader)), "own", 8 << 20);
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.start();
    thread.join(limit);
    return thread.isAlive() ? null : failures;
  }

  private static Set<String> failures(String test, Loader loader) {
    Set<String> failures = new LinkedHashSet<>();
    try {
      Class<?> core = loader.loadClass("org.junit.runner.JUnitCore");
      Method run = core.getMethod("runClasses", Class[].class);
      Object result = run.invoke(null, (Object) new Class<?>[] {loader.loadClass(test)});
      List<?> all = (List<?>) result.getClass().getMethod("getFailures").invoke(result);
      for (Object failure : all) {
        Object header = failure.getClass().getMethod("getTestHeader").invoke(failure);
        failures.add(String.valueOf(header).replaceAll("[\\s|]+", " "));
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      failures.add(test + ": " + e.getClass().getName());
    }
    return failures;
  }
}
