package io.palus.worker.runtime;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * How far texts are from having a relation that they have not. A char that differs counts less than
 * 1, the less the nearer it is; one that is missing or too many counts 1. Only the first chars of
 * long texts are looked at.
 */
final class TextDistance {
  private static final int LOOKED_AT = 200;
  private static final int STEPS = 4096;
  private static final int LONGEST_FOR_PATTERNS = 64;
  private static final double LEAST = 0.5;

  private static Pattern lastPattern = Pattern.compile("");

  private TextDistance() {}

  /** What a JDK's class of texts holds; null for others, whose methods are not ours to call. */
  static String text(Object value) {
    boolean isPlain =
        value instanceof String || value instanceof StringBuilder || value instanceof StringBuffer;
    return isPlain ? value.toString() : null;
  }

  static double equal(String left, String right) {
    int common = Math.min(left.length(), right.length());
    return more(aligned(left, 0, right, 0, common) + Math.abs(left.length() - right.length()));
  }

  static double equalIgnoringCase(String left, String right) {
    if (right == null) {
      return 1 + left.length();
    }
    return equal(fold(left), fold(right));
  }

  private static String fold(String text) {
    char[] folded = new char[Math.min(text.length(), LOOKED_AT)];
    for (int i = 0; i < folded.length; i++) {
      folded[i] = Character.toLowerCase(Character.toUpperCase(text.charAt(i)));
    }
    return new String(folded) + text.substring(folded.length);
  }

  static double prefix(String text, String prefix) {
    int common = Math.min(text.length(), prefix.length());
    return more(aligned(text, 0, prefix, 0, common) + (prefix.length() - common));
  }

  static double suffix(String text, String suffix) {
    int common = Math.min(text.length(), suffix.length());
    int left = text.length() - common;
    int right = suffix.length() - common;
    return more(aligned(text, left, suffix, right, common) + right);
  }

  /** From not having a part to having it, at the place that is nearest to it. */
  static double part(String text, String part) {
    if (text == null || part == null) {
      return 1;
    }
    double best = part.length();
    int places = Math.min(text.length(), STEPS / Math.max(1, Math.min(part.length(), LOOKED_AT)));
    for (int place = 0; place < places; place++) {
      int common = Math.min(text.length() - place, part.length());
      double distance = aligned(text, place, part, 0, common) + (part.length() - common);
      best = Math.min(best, distance);
    }
    return more(best);
  }

  /** One and what is left of the text behind its longest beginning with which a match can begin. */
  static double pattern(String text, String expression) {
    if (text == null || expression == null || text.length() > LONGEST_FOR_PATTERNS) {
      return 1 + (text == null ? 0 : text.length());
    }
    try {
      if (!lastPattern.pattern().equals(expression)) {
        lastPattern = Pattern.compile(expression);
      }
      int least = 0;
      int most = text.length();
      while (least < most) {
        int middle = (least + most + 1) >>> 1;
        Matcher matcher = lastPattern.matcher(text).region(0, middle);
        if (matcher.matches() || matcher.hitEnd()) {
          least = middle;
        } else {
          most = middle - 1;
        }
      }
      return 1.0 + text.length() - least;
    } catch (PatternSyntaxException | StackOverflowError e) {
      return 1;
    }
  }

  /** Sum over chars that stand side by side. */
  private static double aligned(String left, int leftAt, String right, int rightAt, int length) {
    double sum = 0;
    for (int i = 0; i < length && i < LOOKED_AT; i++) {
      int apart = Math.abs(left.charAt(leftAt + i) - right.charAt(rightAt + i));
      if (apart > 0) {
        sum += apart / (apart + 1.0);
      }
    }
    return sum;
  }

  /** It is known that they are apart, if only where nobody looked. */
  private static double more(double distance) {
    return Math.max(distance, LEAST);
  }
}
