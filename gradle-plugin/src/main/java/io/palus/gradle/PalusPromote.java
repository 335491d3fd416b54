package io.palus.gradle;

import io.palus.host.OptionNames;
import io.palus.host.Palus;
import io.palus.host.PalusException;
import io.palus.host.Settings;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.options.Option;
import org.gradle.work.DisableCachingByDefault;

/**
 * Moves the written tests of the chosen classes that pass on what the code is now into the
 * project's own test sources, where they are its own from then on. Overwrites nothing.
 */
@DisableCachingByDefault(because = "it moves files into the project")
public abstract class PalusPromote extends EarlierTask {
  /** What {@code --covers} says, in the place of the option of that name. */
  @Internal
  public abstract Property<String> getCovers();

  /** What {@code --best-per-class} says, likewise. */
  @Internal
  public abstract Property<String> getBestPerClass();

  /** Whether the same is done for other projects of the build. */
  @Internal
  public abstract Property<Boolean> getHasOtherModules();

  /** Takes {@code --covers}. */
  @Option(
      option = OptionNames.COVERS,
      description =
          "Moves only tests that reach one of these: shop.Rates, shop.Rates#fee, shop.Rates:12-20.")
  public void covers(String places) {
    getCovers().set(places);
  }

  /** Takes {@code --best-per-class}. */
  @Option(
      option = "best-per-class",
      description = "Moves so many tests of each class at most, those that notice most faults.")
  public void bestPerClass(String most) {
    getBestPerClass().set(most);
  }

  /** Looks, and moves what passes. */
  @TaskAction
  public void promote() {
    try {
      Settings.Builder builder = look();
      setInstead(builder, OptionNames.COVERS, getCovers());
      setInstead(builder, OptionNames.BEST_PER_CLASS, getBestPerClass());
      builder.set("hasOtherModules", getHasOtherModules().getOrElse(false));
      Settings settings = builder.build();
      getLogger().info("{}", settings);
      Palus.promote(settings, GradleConsole.answering(getLogger()));
    } catch (PalusException e) {
      throw Failures.of(e);
    }
  }

  private static void setInstead(Settings.Builder builder, String name, Property<String> given) {
    if (given.isPresent()) {
      builder.setInstead(name, given.get());
    }
  }
}
