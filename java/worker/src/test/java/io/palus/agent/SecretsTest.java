package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No secret of the build reaches a trace. */
class SecretsTest {
  private static final String JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln";

  @TempDir Path folder;

  @Test
  void the_rules_are_those_of_the_engine() throws Exception {
    Path table = Path.of(System.getProperty("palus.goldens"), "../../../engine/tests/secrets.txt");
    int rows = 0;
    for (String line : Files.readAllLines(table)) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] columns = line.split("\t", -1);
      Map<String, String> pair = Map.of(columns[1], columns[2]);
      Secrets secrets =
          Secrets.of(
              columns[0].equals("variable") ? pair : Map.of(),
              columns[0].equals("property") ? pair : Map.of());
      assertEquals(columns[4].equals("held"), holds(secrets, columns[3]), line);
      rows++;
    }
    assertTrue(rows > 70);
  }

  @Test
  void options_of_agents_in_files_of_arguments_are_found() throws Exception {
    Path file = folder.resolve("jvm.args");
    Files.writeString(
        file,
        "# don't log this\n-cp "
            + "/a/long/class/path.jar:".repeat(1000)
            + "\n'-javaagent:/opt/my agent.jar=key=\"lemur55 pine\"' -Dkey=none\n");
    for (String argument : List.of("@" + file, "-XX:VMOptionsFile=" + file)) {
      List<String[]> options = new ArrayList<>();
      AgentOptions.addAll(options, argument);
      assertTrue(
          options.stream().anyMatch(one -> one[0].equals("key") && one[1].equals("lemur55 pine")),
          argument);
    }
    List<String[]> options = new ArrayList<>();
    AgentOptions.addAll(options, "@" + folder.resolve("missing"));
    assertEquals(List.of(), options);
  }

  @Test
  void options_of_agents_are_secrets_by_their_names() {
    List<String[]> options = new ArrayList<>();
    AgentOptions.add(
        options, "-javaagent:/opt/a.jar=plain,licenseKey:zebra77staple|mode=developer");
    AgentOptions.add(options, "-javaagent:/opt/b.jar");
    AgentOptions.add(options, "-Dpassword=camel42orange");
    AgentOptions.add(options, "-javaagent:/opt/c.jar=password=\"lemur55 pine\",mode=staging");
    AgentOptions.add(options, "-javaagent:/opt/d.jar={\"token\": \"otter31birch\", \"x\": 1}");
    AgentOptions.add(options, "-javaagent:/opt/e.jar=secret=x7|Kd93,mmQ2;port=8080");
    Secrets.open(List.of(), Map.of(), Map.of());
    try {
      Secrets.know(options);
      assertTrue(holds(Secrets.current(), "<zebra77staple>"));
      assertTrue(holds(Secrets.current(), "lemur55 pine"));
      assertTrue(holds(Secrets.current(), "otter31birch"));
      assertTrue(holds(Secrets.current(), "x7|Kd93"));
      assertTrue(holds(Secrets.current(), "x7|Kd93,mmQ2"));
      assertFalse(holds(Secrets.current(), "developer"));
      assertFalse(holds(Secrets.current(), "staging"));
      assertFalse(holds(Secrets.current(), "camel42orange"));
    } finally {
      Secrets.open(List.of(), Map.of(), Map.of());
    }
  }

  private static boolean holds(Secrets secrets, String text) {
    String number = text.substring(text.indexOf(' ') + 1);
    return switch (text.substring(0, text.length() - number.length())) {
      case "long " -> secrets.holds(Long.parseLong(number));
      case "float " -> secrets.holds(Float.parseFloat(number));
      case "double " -> secrets.holds(Double.parseDouble(number));
      default -> secrets.holds(text);
    };
  }

  @Test
  void values_of_variables_and_secret_properties_are_recorded_as_unknown() throws Exception {
    TracedProgram.Run run =
        run(
            """
            class Main {
              static void say(String text) {}
              static void say(char[] text) {}
              static void say(byte[] text) {}
              public static void main(String[] a) throws Exception {
                String token = System.getenv("PALUS_TRIED_TOKEN");
                say(token);
                say("Bearer " + token);
                say(token.toCharArray());
                say(token.getBytes("UTF-8"));
                say(("x" + token).substring(1, 12));
                say(new StringBuilder("at ").append(token).toString());
                say(System.getenv("PALUS_TRIED_CUSTOMER"));
                say(System.getProperty("db.password"));
                say("%JWT%");
                say(java.util.Base64.getEncoder().encodeToString(("me:" + token).getBytes("UTF-8")));
                byte[] header = ("someone:" + token).getBytes("UTF-8");
                say(java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(header));
                say(java.util.Base64.getMimeEncoder(8, new byte[] {13, 10}).encodeToString(header));
                say(java.util.Base64.getEncoder().encode(header));
                say(new java.math.BigInteger(1, header).toString(16));
                say(java.net.URLEncoder.encode(new String(header, "UTF-8"), "UTF-8"));
                say("ordinary");
                say("abcd".toCharArray());
              }
            }
            """
                .replace("%JWT%", JWT));
    List<String> lines = run.lines();
    assertEquals(12, count(lines, "Main.say(unknown)"), lines.toString());
    assertEquals(1, count(lines, "Main.say(\"ordinary\")"), lines.toString());
    String told = lines.toString();
    for (String part : List.of("t0ken", "Miller", "hunter22", "eyJ", "char 116", "byte 116")) {
      assertFalse(told.contains(part), part + " in " + told);
    }
    assertTrue(told.contains("char 97"), told);
  }

  @Test
  void numbers_and_pieces_of_secrets_are_recorded_as_unknown() throws Exception {
    TracedProgram.Run run =
        run(
            """
            class Main {
              static void say(int number) {}
              static void say(long number) {}
              static void say(float number) {}
              static void say(double number) {}
              static void say(Object number) {}
              static void say(int[] numbers) {}
              static void say(String[] pieces) {}
              static long give(long number) { return number; }
              public static void main(String[] a) {
                String pin = System.getenv("PALUS_TRIED_PIN");
                say(Integer.parseInt(pin));
                say(Long.parseLong(pin));
                say(Float.parseFloat(pin));
                say(Double.parseDouble(pin));
                say(Integer.valueOf(pin));
                say((Object) Double.valueOf(pin));
                say(new int[] {7, Integer.parseInt(pin)});
                say(System.getenv("PALUS_TRIED_KEY").split("\\\\."));
                give(Long.parseLong(pin));
                java.util.UUID id = java.util.UUID.fromString(System.getenv("PALUS_TRIED_UUID"));
                say(id.getMostSignificantBits());
                say(id.getLeastSignificantBits());
                say(73914683);
              }
            }
            """);
    List<String> lines = run.lines();
    assertEquals(8, count(lines, "Main.say(unknown number)"), lines.toString());
    assertEquals(1, count(lines, "Main.say(73914683)"), lines.toString());
    String told = lines.toString();
    for (String part : List.of("73914682", "7391468", "7.391468", "qzHdr", "pLmq", "sIgzz")) {
      assertFalse(told.replace("73914683", "").contains(part), part + " in " + told);
    }
  }

  @Test
  void letters_of_secrets_as_numbers_of_any_type_are_not_recorded() throws Exception {
    TracedProgram.Run run =
        run(
            """
            class Main {
              static void say(Object letters) {}
              public static void main(String[] a) {
                all(System.getenv("PALUS_TRIED_TOKEN") + "s"); // t is 116
                all("qrstuvw"); // q is 113
              }
              static void all(String text) {
                int n = text.length();
                short[] shorts = new short[n];
                int[] ints = new int[n];
                long[] longs = new long[n];
                float[] floats = new float[n];
                double[] doubles = new double[n];
                Byte[] bytes = new Byte[n];
                Character[] characters = new Character[n];
                Short[] boxedShorts = new Short[n];
                Integer[] boxedInts = new Integer[n];
                Long[] boxedLongs = new Long[n];
                Float[] boxedFloats = new Float[n];
                Double[] boxedDoubles = new Double[n];
                Object[] mixed = new Object[n];
                for (int i = 0; i < n; i++) {
                  char c = text.charAt(i);
                  mixed[i] = i % 2 == 0 ? (Object) c : (Object) (long) c;
                  bytes[i] = (byte) c;
                  characters[i] = c;
                  boxedShorts[i] = shorts[i] = (short) c;
                  boxedInts[i] = ints[i] = c;
                  boxedLongs[i] = longs[i] = c;
                  boxedFloats[i] = floats[i] = c;
                  boxedDoubles[i] = doubles[i] = c;
                }
                say(shorts);
                say(ints);
                say(longs);
                say(floats);
                say(doubles);
                say(bytes);
                say(characters);
                say(boxedShorts);
                say(boxedInts);
                say(boxedLongs);
                say(boxedFloats);
                say(boxedDoubles);
                say(mixed);
                say(new double[] {0.5, -1, 1e300, Double.NaN, 113});
              }
            }
            """);
    List<String> said = run.lines().stream().filter(line -> line.contains("Main.say(")).toList();
    assertEquals(28, said.size(), said.toString());
    for (int i = 0; i < 13; i++) {
      assertTrue(said.get(i).endsWith("{})"), said.get(i));
      assertTrue(said.get(i + 14).contains("113"), said.get(i + 14));
    }
    assertTrue(said.get(13).contains("113"), said.get(13));
  }

  @Test
  void properties_that_a_test_runner_sets_later_are_seen() throws Exception {
    TracedProgram.Run run =
        run(
            """
            class Main {
              static void say(String text) {}
              public static void main(String[] a) {
                System.setProperty("ftp.Credential", "hunter23");
                for (int i = 0; i < 100; i++) say("text " + i);
                System.setProperty("late.secret", "hunter24");
                for (int i = 0; i < 100; i++) say("more " + i);
                say("hunter23");
                say("hunter24");
              }
            }
            """);
    assertEquals(2, count(run.lines(), "Main.say(unknown)"));
  }

  @Test
  void traces_are_private_files_in_a_private_folder() throws Exception {
    Path output = Files.createDirectories(folder.resolve("traces"));
    TracedProgram program = program("class Main { public static void main(String[] a) { } }");
    Path options = folder.resolve("options.properties");
    Files.write(
        options,
        List.of("output=" + output, "classes.0=" + program.classes),
        StandardCharsets.UTF_8);
    program.jvmArguments.add(0, "-javaagent:" + TracedProgram.agentJar() + "=" + options);
    List<String> command =
        Stream.of(List.of(program.java), program.jvmArguments, List.of("Main"))
            .flatMap(List::stream)
            .toList();
    assertEquals(0, new ProcessBuilder(command).start().waitFor());
    assertEquals("rwx------", rights(output));
    try (Stream<Path> files = Files.list(output)) {
      List<Path> all = files.toList();
      assertEquals(2, all.size()); // the trace and the log
      for (Path each : all) {
        assertEquals("rw-------", rights(each));
      }
    }
  }

  private static String rights(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static long count(List<String> lines, String line) {
    return lines.stream().filter(each -> each.equals(line)).count();
  }

  private TracedProgram program(String source) throws Exception {
    TracedProgram program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
    return program.compile(8, source);
  }

  private TracedProgram.Run run(String source) throws Exception {
    TracedProgram program = program(source);
    program.jvmArguments.add("-Ddb.password=hunter22");
    program.wrapper =
        List.of(
            "env",
            "PALUS_TRIED_TOKEN=t0ken-of-mine",
            "PALUS_TRIED_CUSTOMER=Miller & Sons",
            "PALUS_TRIED_PIN=73914682",
            "PALUS_TRIED_UUID=3f9c1b7e-8d2a-4c65-9e01-7ab4d3f2c8e6",
            "PALUS_TRIED_KEY=qzHdrWxkv.pLmqTyuvbn.sIgzzQwerty");
    TracedProgram.Run run = program.run("Main");
    assertEquals("", run.output());
    assertEquals(List.of(), run.log());
    return run;
  }
}
