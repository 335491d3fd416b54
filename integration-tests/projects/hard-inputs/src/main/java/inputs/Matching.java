package inputs;

import java.net.URI;
import java.net.URL;
import java.util.UUID;
import java.util.regex.Pattern;

/** Patterns, addresses, ids. */
public class Matching {
  public String match(Pattern pattern) {
    return pattern.matcher("key=value").matches() ? "reached a match" : "none";
  }

  public String address(URI uri) {
    if ("https".equals(uri.getScheme())) {
      return uri.getHost() == null ? "reached a scheme" : "reached a host";
    }
    return "other";
  }

  public String site(URL url) {
    return url.getPath().isEmpty() ? "reached an empty path" : "reached a path";
  }

  public String id(UUID id) {
    return id.version() == 4 ? "reached a random id" : "other";
  }
}
