package io.palus.maven;

import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Part of the lifecycle that {@code palus:check} forks, not for the command line: checks what is
 * set, as each goal does, before anything is compiled.
 */
@Mojo(name = "check-settings", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class CheckSettingsMojo extends PalusMojo {
  @Override
  void run() {}
}
