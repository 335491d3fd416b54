package io.palus.maven;

import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.Settings;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Says what the last run knows about one method: what it depends on, where the models have it, its
 * tests, or why it has none. Runs nothing and changes nothing.
 */
@Mojo(name = "explain", threadSafe = true)
public final class ExplainMojo extends PalusMojo {
  /** Which method, such as {@code com.acme.Account#deposit}. */
  @Parameter(property = "palus.method")
  private String method;

  @Override
  void run() {
    Settings settings =
        Settings.builder()
            .set(OptionNames.METHOD, method)
            .set("reportDirectory", layout().report())
            .set("commandLine", "mvn palus:generate")
            .build();
    Palus.explain(settings, MavenConsole.answering(getLog()));
  }
}
