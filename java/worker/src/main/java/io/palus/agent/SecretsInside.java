package io.palus.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Secrets inside a value: in addresses, pairs of a name and a value, JSON, XML, headers, options
 * and netrc. Does not know whose value it is. The engine has the same rules ({@code
 * secrets/likeness/embedded.rs}).
 */
final class SecretsInside {
  /** What ends a value without quotes, and stands before a name. */
  private static final String SEPARATORS = ";&?, \t\n\r";

  private static final String BLANKS = " \t\n\r";
  private static final String GAP = " \t";
  private static final String QUOTES = "\"'\\";

  /** What may stand between a separator and a name. */
  private static final String OPENING = "{[(<\"'\\";

  /** Where a blank may be between a name and its value, the name ends so. */
  private static final String[] ENDS =
      ("password passwd passphrase passcode pswd pwd secret token credential credentials apikey"
              + " secretkey accesskey privatekey authorization")
          .split(" ");

  /** The same for the last word of a name. */
  private static final Set<String> LAST_WORDS = set("pass pw psw jwt otp");

  private static final String[] SCHEMES = {"Bearer", "Basic", "Token"};
  private static final Set<String> SCHEME_NAMES = set("bearer basic token digest negotiate");
  private static final int SHORTEST_ALONE = 8;

  private final String value;
  private final List<String> found = new ArrayList<>();

  private SecretsInside(String value) {
    this.value = value;
  }

  private static Set<String> set(String words) {
    return new HashSet<>(Arrays.asList(words.split(" ")));
  }

  static List<String> of(String value) {
    SecretsInside inside = new SecretsInside(value);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (value.startsWith("://", i)) {
        inside.address(value.substring(i + 3));
      }
      if (c == '"') {
        inside.json(i);
      } else if (c == '<') {
        inside.element(value.substring(i + 1));
      } else if (c == ':' || c == '=') {
        inside.pair(i);
      }
    }
    inside.oracle();
    inside.words();
    inside.headerAlone();
    inside.found.removeIf(
        part ->
            part.codePointCount(0, part.length()) < 4
                || SecretForms.isCommon(part)
                || SCHEME_NAMES.contains(part.toLowerCase(Locale.ROOT)));
    return inside.found;
  }

  /** The password of an address, which may hold slashes and the like although it should not. */
  private void address(String rest) {
    String authority = rest.split("[/?#]", 2)[0];
    int colon = authority.indexOf(':');
    int at = authority.lastIndexOf('@');
    String proper = colon >= 0 && colon < at ? authority.substring(colon + 1, at) : null;
    if (proper != null) {
      found.add(proper);
    }
    String address = rest.substring(0, find(rest, 0, BLANKS + "\"<>"));
    at = address.lastIndexOf('@');
    colon = address.indexOf(':');
    if (colon < 0 || colon > at) {
      return;
    }
    String password = address.substring(colon + 1, at);
    // A port before a path is no password.
    boolean isPort = password.matches("(?s)[0-9]+[/?#].*");
    boolean isKnown =
        proper != null
            && (password.length() <= proper.length()
                || password.indexOf('=', proper.length()) >= 0);
    if (find(address, 0, "/?#@") > colon && !isPort && !isKnown) {
      found.add(password);
    }
  }

  /** As Oracle's driver has it: jdbc:oracle:thin:scott/tiger@//host:1521/service. */
  private void oracle() {
    String user = value.startsWith("jdbc:") ? value.substring(5).split("//", 2)[0] : "";
    int slash = user.indexOf('/');
    int host = user.lastIndexOf('@');
    if (slash >= 0 && slash < host) {
      found.add(user.substring(slash + 1, host));
    }
  }

  private void json(int quote) {
    int colon = skip(value, quote + 1, BLANKS);
    int open = value.startsWith(":", colon) ? skip(value, colon + 1, BLANKS) : value.length();
    if (value.startsWith("\"", open)) {
      String name = value.substring(value.lastIndexOf('"', quote - 1) + 1, quote);
      if (SecretForms.isSecretName(name)) {
        int end = closing(value, open + 1, '"');
        found.add(value.substring(open + 1, end < 0 ? value.length() : end));
      }
    }
  }

  /** Where the quote is that ends a text, but for those behind a backslash; -1 if nowhere. */
  private static int closing(String text, int from, char quote) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == quote) {
        return i;
      }
      i += text.charAt(i) == '\\' ? 1 : 0;
    }
    return -1;
  }

  private void element(String rest) {
    int end = rest.length() - rest.replaceFirst("^[A-Za-z0-9_.:-]+", "").length();
    int close = rest.indexOf('>', end);
    String name = rest.substring(rest.lastIndexOf(':', end - 1) + 1, end);
    if (close < 0 || !isExactName(name)) {
      return;
    }
    String text = rest.substring(close + 1);
    boolean isData = text.startsWith("<![CDATA[");
    found.add(isData ? text.substring(9).split("]]>", 2)[0] : text.split("<", 2)[0].trim());
  }

  private static boolean isOfName(char c) {
    return c < 128 && (Character.isLetterOrDigit(c) || "-_.:".indexOf(c) >= 0);
  }

  private void pair(int at) {
    boolean isColon = value.charAt(at) == ':';
    int named = at;
    while (named > 0 && GAP.indexOf(value.charAt(named - 1)) >= 0) {
      named--;
    }
    int rest = skip(value, at + 1, GAP);
    String scheme = afterScheme(skip(value, rest, QUOTES));
    boolean isClose = named == at && rest == at + 1;
    boolean isApart = named < at && rest > at + 1;
    if (isColon) {
      isApart = rest > at + 1 || rest < value.length() && isOne(rest, QUOTES);
    }
    if (scheme == null && !isApart && (isColon || !isClose)) {
      return;
    }
    int start = named;
    while (start > 0 && !isOne(start - 1, SEPARATORS)) {
      start--;
    }
    String segment = value.substring(start, named);
    int end = start + segment.replaceAll("[\"'\\\\]+$", "").length();
    int opened = end;
    while (opened > start && !isOne(opened - 1, OPENING)) {
      opened--;
    }
    String name = value.substring(opened, end);
    if (scheme != null && (isExactName(name) || isHeader(name))) {
      found.add(scheme);
    } else if (!isColon && isClose) {
      if (segment.indexOf('=') < 0 && SecretForms.isSecretName(segment)) {
        found.add(given(value.substring(at + 1)));
      }
    } else if (isApart
        && find(name, 0, ":/=") == name.length()
        && isExactName(name)
        && mayBegin(value.substring(0, opened))) {
      found.add(given(value.substring(rest)));
    }
  }

  private boolean isOne(int at, String of) {
    return of.indexOf(value.charAt(at)) >= 0;
  }

  private static boolean isHeader(String name) {
    String plain = name.toLowerCase(Locale.ROOT);
    return plain.endsWith("header") || plain.endsWith("headers");
  }

  private static boolean isExactName(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[-_.]", "");
    for (String end : ENDS) {
      if (plain.endsWith(end)) {
        return true;
      }
    }
    String[] words = name.split("[^A-Za-z0-9]|(?<=[^A-Z])(?=[A-Z])", -1);
    return LAST_WORDS.contains(words[words.length - 1].toLowerCase(Locale.ROOT));
  }

  /**
   * Whether a name may come after this text: in a line of its own, after a separator, an option, or
   * another pair. In a sentence a name has a word before it.
   */
  private static boolean mayBegin(String before) {
    String line = before.substring(before.lastIndexOf('\n') + 1);
    line = line.replaceAll("[\"'\\\\]+$", "").trim();
    if (line.isEmpty()) {
      return true;
    }
    String[] words = line.split("[ \t\n\r]+");
    String last = words[words.length - 1];
    String other = words.length > 1 ? words[words.length - 2] : "";
    return "{[(,;&|>-".indexOf(last.charAt(last.length() - 1)) >= 0
        || last.startsWith("-")
        || find(last, 0, ":=") < last.length()
        || other.matches(".*[:=]");
  }

  /** The value that a text begins with, without its quotes. */
  private static String given(String text) {
    int end = text.startsWith("\\\"") ? text.indexOf("\\\"", 2) : -1;
    if (end >= 0) {
      return text.substring(2, end);
    }
    end = text.startsWith("{") ? text.indexOf('}') : -1;
    if (end >= 0 && isEnd(text, end + 1)) {
      return text.substring(1, end);
    }
    if (text.startsWith("\"") || text.startsWith("'")) {
      end = closing(text, 1, text.charAt(0));
      if (end >= 0) {
        return text.substring(1, end);
      }
    }
    String plain = text.substring(0, find(text, 0, SEPARATORS));
    String bare = plain.replaceAll("^[\"']+|[\"']+$", "");
    if (find(bare, 0, "{[(") == bare.length()) {
      bare = bare.replaceAll("[\\]})\"']+$", "");
    }
    return bare.codePointCount(0, bare.length()) < 4 ? plain : bare;
  }

  private static boolean isEnd(String text, int at) {
    return at == text.length() || (SEPARATORS + "\"'").indexOf(text.charAt(at)) >= 0;
  }

  /** The word after the name of a scheme; that of a pair, as in auth=basic mode=fast, is none. */
  private String afterScheme(int at) {
    for (String scheme : SCHEMES) {
      int end = at + scheme.length();
      if (!value.regionMatches(true, at, scheme, 0, scheme.length())) {
        continue;
      }
      int start = value.startsWith("%20", end) ? end + 3 : skip(value, end, GAP);
      int stop = start;
      while (stop < value.length()
          && !isOne(stop, ":")
          && (isOfName(value.charAt(stop)) || isOne(stop, "~+/"))) {
        stop++;
      }
      stop = skip(value, stop, "=");
      boolean isWhole = isEnd(value, stop) || isOne(stop, "\\}])<%");
      return start > end && isWhole ? value.substring(start, stop) : null;
    }
    return null;
  }

  private void headerAlone() {
    String text = value.trim();
    for (String scheme : SCHEMES) {
      int start = text.startsWith(scheme) ? skip(text, scheme.length(), GAP) : 0;
      String word = text.substring(start);
      if (start > scheme.length()
          && word.codePointCount(0, word.length()) >= SHORTEST_ALONE
          && find(word, 0, BLANKS) == word.length()
          && !word.matches("authentication|authorization")
          && !(scheme.equals("Basic") && word.matches("[a-z]*"))) {
        found.add(word);
      }
    }
  }

  /** Words after other words: --password word, login ann password word, curl -u ann:word. */
  private void words() {
    String[] before = {"", ""};
    boolean isCurl = false;
    for (int at = skip(value, 0, BLANKS); at < value.length(); ) {
      int end = find(value, at, BLANKS);
      String word = value.substring(at, end);
      at = skip(value, end, BLANKS);
      isCurl |= word.equals("curl") || word.endsWith("/curl");
      String option = word.replaceAll("^[\"']+", "");
      boolean isOption = option.startsWith("-") && find(option, 0, ":=") == option.length();
      boolean isNetrc =
          (word.equals("password") || word.equals("passwd"))
              && (before[0].matches("login|machine|account") || before[1].equals("default"));
      if (isNetrc || isOption && isExactName(option) && !value.startsWith("-", at)) {
        found.add(given(value.substring(at)));
      }
      String user = isCurl ? userOfCurl(option, value.substring(at)) : "";
      if (user.indexOf(':') >= 0) {
        found.add(user.substring(user.indexOf(':') + 1));
      }
      before = new String[] {before[1], word};
    }
  }

  private static String userOfCurl(String option, String rest) {
    if (option.matches("-[A-Za-z]*[uU]|--user|--proxy-user")) {
      return given(rest);
    }
    return option.matches("(?s)(--user=|--proxy-user=|-[uU]).*")
        ? given(option.replaceFirst("--user=|--proxy-user=|-[uU]", ""))
        : "";
  }

  /** Where the first of these characters is, or the end. */
  private static int find(String text, int from, String of) {
    int i = from;
    while (i < text.length() && of.indexOf(text.charAt(i)) < 0) {
      i++;
    }
    return i;
  }

  /** Where the first other character is, or the end. */
  private static int skip(String text, int from, String over) {
    int i = from;
    while (i < text.length() && over.indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    return i;
  }
}
