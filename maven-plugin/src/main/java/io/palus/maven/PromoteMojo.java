package io.palus.maven;

import io.palus.host.Palus;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Moves the written tests of the chosen classes into the project's own test sources, where they are
 * its own from then on. Overwrites nothing. For the command line: {@code mvn palus:promote
 * -Dpalus.classes=shop.*}.
 */
@Mojo(name = "promote", threadSafe = true)
public final class PromoteMojo extends PalusMojo {
  @Override
  void run() {
    Palus.promote(optionsAndFolders().build(), MavenConsole.answering(getLog()));
  }
}
