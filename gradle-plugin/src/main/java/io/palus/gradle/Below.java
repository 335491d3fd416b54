package io.palus.gradle;

import java.io.Serializable;
import org.gradle.api.Transformer;
import org.gradle.api.file.Directory;

/** A folder in a folder. */
final class Below implements Transformer<Directory, Directory>, Serializable {
  private static final long serialVersionUID = 1L;

  private final String name;

  Below(String name) {
    this.name = name;
  }

  @Override
  public Directory transform(Directory directory) {
    return directory.dir(name);
  }
}
