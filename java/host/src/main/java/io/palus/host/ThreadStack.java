package io.palus.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How large the stacks of a traced JVM are: four times what they are without tracing, for what the
 * agent adds to a method takes its place in each call of a recursion. In code that is interpreted
 * that is little; the JIT compiler's first stage makes a frame of several times the size.
 *
 * <p>Comes in: the arguments of the JVM as the user has them, and its variables. Goes out: one more
 * argument, to stand behind all others. Does not know: threads whose size their code names.
 */
public final class ThreadStack {
  private static final Pattern NAMED =
      Pattern.compile("(?:^|[\\s\"'])-(Xss|XX:ThreadStackSize=)(\\d{1,12})([kKmMgG]?)");

  /** Variables whose arguments a JVM takes before those of its command line. */
  private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

  private static final List<String> FILES = List.of("@", "-XX:VMOptionsFile=", "-XX:Flags=");

  private static final int TIMES = 4;

  /** HotSpot takes no more, in KiB. */
  private static final long MOST = 1 << 20;

  private ThreadStack() {}

  /** The argument that enlarges the stack of a JVM with these arguments and variables. */
  public static String argument(Iterable<String> arguments, Map<String, ?> variables) {
    List<String> texts = new ArrayList<>();
    for (String variable : VARIABLES) {
      texts.add(String.valueOf(variables.get(variable)));
    }
    for (String argument : arguments) {
      texts.add(argument);
      for (String start : FILES) {
        if (argument.startsWith(start)) {
          texts.add(read(argument.substring(start.length())));
        }
      }
    }
    // The launcher gives the main thread what -Xss says, and the JVM all others what was said last.
    long ofMain = 0;
    long last = 0;
    for (String text : texts) {
      Matcher named = NAMED.matcher(text);
      while (named.find()) {
        last = kibibytes(named.group(2), named.group(3), named.group(1).equals("Xss"));
        ofMain = named.group(1).equals("Xss") ? last : ofMain;
      }
    }
    long usual = platformDefault();
    long least = Math.max(ofMain == 0 ? usual : ofMain, last == 0 ? usual : last);
    return "-Xss" + Math.min(TIMES * least, MOST) + "k";
  }

  private static long kibibytes(String number, String unit, boolean isOfBytes) {
    long factor = isOfBytes ? 1 : 1024;
    switch (unit.toLowerCase(Locale.ROOT)) {
      case "k":
        factor *= 1L << 10;
        break;
      case "m":
        factor *= 1L << 20;
        break;
      case "g":
        factor *= 1L << 30;
        break;
      default:
        break;
    }
    long most = MOST << 10;
    long parsed = Long.parseLong(number);
    return parsed > most / factor ? MOST : (parsed * factor + 1023) >> 10;
  }

  /** HotSpot's, in KiB: a 64-bit Arm needs more than others. */
  private static long platformDefault() {
    return System.getProperty("os.arch", "").equals("aarch64") ? 2048 : 1024;
  }

  private static String read(String file) {
    try {
      Path path = Paths.get(file);
      return Files.isRegularFile(path)
          ? new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1)
          : "";
    } catch (IOException | RuntimeException e) {
      return ""; // The JVM will say what is wrong with it.
    }
  }
}
