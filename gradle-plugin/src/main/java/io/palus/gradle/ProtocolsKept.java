package io.palus.gradle;

import io.palus.host.OptionNames;
import java.io.File;
import java.io.Serializable;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

/**
 * Whether the file of protocols is where the last {@link PalusGenerate} left it. It lies among what
 * speeds up the next run, which Gradle does not look at.
 */
final class ProtocolsKept implements Spec<Task>, Serializable {
  private static final long serialVersionUID = 1L;

  @Override
  public boolean isSatisfiedBy(Task task) {
    PalusGenerate generate = (PalusGenerate) task;
    File work = generate.getWorkDirectory().get().getAsFile();
    String protocols = generate.getOptions().get().get(OptionNames.PROTOCOLS);
    // The engine knows whether there was any to learn, and has nothing to do otherwise.
    return protocols == null
        || protocols.equalsIgnoreCase("OFF")
        || new File(work, "protocols.json").isFile();
  }
}
