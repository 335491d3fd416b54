package io.palus.maven;

import io.palus.host.Console;
import io.palus.host.PacedConsole;
import java.util.Map;

/** Warnings that a build reads once, whichever of its goals and modules say them. */
final class Once {
  private Once() {}

  static void warn(PalusMojo mojo, String text) {
    Map<String, Object> data = mojo.session().getRequest().getData();
    synchronized (data) {
      if (data.put("palus.said:" + text, text) != null) {
        return;
      }
    }
    mojo.getLog().warn(text);
  }

  /** A console for what each goal looks at. */
  static Console console(PalusMojo mojo) {
    return new PacedConsole() {
      @Override
      public void line(int level, String text) {
        if (level >= WARNING) {
          warn(mojo, text);
        } else {
          mojo.getLog().debug(text);
        }
      }
    };
  }
}
