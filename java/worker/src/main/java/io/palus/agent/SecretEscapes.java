package io.palus.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * A value as JSON, HTML and XML escape it, and without such escapes where it has them. Does not
 * know what is a secret. The engine has the same forms ({@code secrets/encoded/escapes.rs}).
 */
final class SecretEscapes {
  private static final String SPECIAL = "&<>\"'";
  private static final String[][] ENTITIES = {
    {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"},
    {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"},
    {"&#38;", "&#60;", "&#62;", "&#34;", "&#39;"},
    {"&#x26;", "&#x3c;", "&#x3e;", "&#x22;", "&#x27;"},
  };

  /** As XML needs it in texts, and in attributes: other letters stay. */
  private static final int[] FEWEST = {3, 4, 5};

  /** What writers of JSON escape by number; null for all but letters and digits. */
  private static final String[] BY_NUMBER = {"", "<>&", "<>&='", null};

  private static final String ESCAPES = "\"\\/ntrbf";
  private static final String ESCAPED = "\"\\/\n\t\r\b\f";

  private SecretEscapes() {}

  static Set<String> escaped(String value) {
    Set<String> forms = new HashSet<>();
    for (String[] names : ENTITIES) {
      for (int count : FEWEST) {
        StringBuilder form = new StringBuilder();
        for (char c : value.toCharArray()) {
          int at = SPECIAL.indexOf(c);
          form.append(at >= 0 && at < count ? names[at] : String.valueOf(c));
        }
        forms.add(form.toString());
      }
    }
    for (boolean capitals : new boolean[] {false, true}) {
      for (String byNumber : BY_NUMBER) {
        forms.add(json(value, byNumber, false, capitals));
        forms.add(json(value, byNumber, true, capitals));
      }
      StringBuilder each = new StringBuilder();
      for (char c : value.toCharArray()) {
        each.append(number(c, capitals));
      }
      forms.add(each.toString());
    }
    return forms;
  }

  private static String json(String value, String byNumber, boolean ascii, boolean capitals) {
    StringBuilder form = new StringBuilder();
    for (char c : value.toCharArray()) {
      boolean named = byNumber == null ? !isAlphanumeric(c) : byNumber.indexOf(c) >= 0;
      if (named || ascii && c > 127) {
        form.append(number(c, capitals));
      } else {
        form.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return form.toString();
  }

  private static String number(char c, boolean capitals) {
    String digits = Integer.toHexString(c | 0x10000).substring(1);
    return "\\u" + (capitals ? digits.toUpperCase(Locale.ROOT) : digits);
  }

  /** What a value stands for that is percent-encoded, or escaped for JSON or XML. */
  static Set<String> decoded(String value) {
    Set<String> all = new HashSet<>();
    all.add(value.indexOf('%') < 0 ? null : unpercent(value));
    all.add(value.indexOf('\\') < 0 ? null : unjson(value));
    all.add(value.indexOf('&') < 0 ? null : unxml(value));
    all.remove(value);
    all.removeIf(
        text ->
            text == null
                || text.codePointCount(0, text.length()) < 4
                || SecretForms.isCommon(text));
    return all;
  }

  private static String unpercent(String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length; i++) {
      int code = text[i] == '%' && i + 2 < text.length ? hex(text[i + 1]) * 16 : -1;
      if (code >= 0 && hex(text[i + 2]) >= 0) {
        bytes.write(code + hex(text[i + 2]));
        i += 2;
      } else {
        bytes.write(text[i]);
      }
    }
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
      return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Null where a backslash begins no escape of JSON. */
  private static String unjson(String value) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        i++;
        int at = i < value.length() ? ESCAPES.indexOf(value.charAt(i)) : -1;
        if (at >= 0) {
          c = ESCAPED.charAt(at);
        } else if (value.startsWith("u", i) && i + 4 < value.length()) {
          int code = 0;
          for (int digit = 1; digit <= 4; digit++) {
            int number = hex(value.charAt(i + digit));
            if (number < 0) {
              return null;
            }
            code = code * 16 + number;
          }
          c = (char) code;
          i += 4;
        } else {
          return null;
        }
      }
      text.append(c);
    }
    return text.toString();
  }

  private static String unxml(String value) {
    String text = value;
    for (String[] names : ENTITIES) {
      for (int i = 1; i < names.length; i++) {
        text = text.replace(names[i], SPECIAL.substring(i, i + 1));
      }
    }
    // Last, since what it begins is no entity.
    return text.replace("&amp;", "&").replace("&#38;", "&").replace("&#x26;", "&");
  }

  private static int hex(int c) {
    return c > 127 ? -1 : Character.digit(c, 16);
  }

  private static boolean isAlphanumeric(char c) {
    return c < 128 && Character.isLetterOrDigit(c);
  }
}
