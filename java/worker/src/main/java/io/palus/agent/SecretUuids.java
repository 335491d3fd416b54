package io.palus.agent;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Other forms of a held-back value that is a UUID: its text in other writings, and its two halves,
 * which Java has as longs. Those that are numbers are held back as numbers, too. Does not know
 * which values are secrets.
 */
final class SecretUuids {
  private static final Pattern UUID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|\\p{XDigit}{32}");

  private SecretUuids() {}

  /** None for a value that is no UUID. */
  static Set<String> forms(String value) {
    Set<String> forms = new HashSet<>();
    if (!UUID.matcher(value).matches()) {
      return forms;
    }
    String digits = value.replace("-", "").toLowerCase(Locale.ROOT);
    forms.add(digits);
    forms.add(digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})", "$1-$2-$3-$4-"));
    for (String half : new String[] {digits.substring(0, 16), digits.substring(16)}) {
      long number = Long.parseUnsignedLong(half, 16);
      long size = Math.abs(number);
      // A small number is anybody's.
      if (Long.toUnsignedString(size).length() >= SecretNumbers.FEWEST_DIGITS) {
        forms.add(Long.toUnsignedString(size));
        forms.add(Long.toUnsignedString(number));
        forms.add(Long.toHexString(size));
        forms.add(Long.toHexString(number));
      }
    }
    for (String form : forms.toArray(new String[0])) {
      forms.add(form.toUpperCase(Locale.ROOT));
    }
    forms.remove(value);
    return forms;
  }
}
