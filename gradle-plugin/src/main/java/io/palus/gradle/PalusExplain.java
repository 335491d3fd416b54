package io.palus.gradle;

import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.options.Option;
import org.gradle.work.DisableCachingByDefault;

/**
 * Says what the last run knows about one method: what it depends on, where the models have it, its
 * tests, or why it has none. Runs nothing and changes nothing.
 */
@DisableCachingByDefault(because = "it only prints")
public abstract class PalusExplain extends DefaultTask {
  /** Which method, such as {@code com.acme.Account#deposit}. */
  @Input
  @Optional
  public abstract Property<String> getMethodName();

  /** What {@code --method} says. */
  @Option(
      option = OptionNames.METHOD,
      description = "The method, such as com.acme.Account#deposit.")
  public void methodNamed(String name) {
    getMethodName().set(name);
  }

  /** Where the last run left its report. */
  @Internal
  public abstract DirectoryProperty getReportDirectory();

  /** What makes such a run. */
  @Internal
  public abstract Property<String> getGenerateCommand();

  /** Prints. */
  @TaskAction
  public void explain() {
    Settings settings =
        Settings.builder()
            .set(OptionNames.METHOD, getMethodName().getOrNull())
            .set("reportDirectory", getReportDirectory().get().getAsFile())
            .set("commandLine", getGenerateCommand().get())
            .build();
    try {
      Palus.explain(settings, GradleConsole.answering(getLogger()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }
}
