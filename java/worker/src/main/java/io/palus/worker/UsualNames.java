package io.palus.worker;

/** Names that many users' files have, by the folder in which they are. */
final class UsualNames {
  static final String[] CHECKOUT = {
    "README.md",
    "pom.xml",
    "build.gradle",
    "settings.gradle",
    ".gitignore",
    ".git/HEAD",
    ".git/config",
    "src/main/java/Main.java",
    "src/main/resources/application.properties",
    "src/test/resources/data.json",
    "build/classes/Main.class",
    "target/classes/Main.class",
    "data/ledger.db",
    "data/archive/old.csv",
    "config/settings.properties",
    "config/app.yml",
    "conf/server.xml",
    "logs/app.log",
    "log/app.log",
    "output/report.html",
    "out/result.txt",
    "tmp/part.tmp",
    "temp/part.tmp",
    "cache/entry.bin",
    "backup/data.zip",
    "db/main.db",
    "lib/tool.jar",
    "docs/index.html",
    "files/file.txt",
    "test/test.txt",
    "store/index.dat",
    "config.properties",
    "settings.xml",
    "config.json",
    "data.txt",
    "input.txt",
    "output.txt",
    "test.txt",
    "file.txt",
    "out.txt",
    "log.txt",
    "app.log",
    "data.db",
    "a",
    "b",
    "x/y"
  };
  static final String[] HOME = {
    ".bashrc",
    ".profile",
    ".gitconfig",
    ".netrc",
    ".ssh/id_rsa",
    ".ssh/config",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".config/app/settings.json",
    ".cache/app/entry.bin",
    ".local/share/app/data.db",
    ".aws/credentials",
    ".app/config",
    "Documents/letter.txt",
    "Desktop/note.txt",
    "Downloads/file.zip",
    "config.properties"
  };

  /**
   * In the folder for temporary files, where programs keep what is to last until they run again.
   */
  static final String[] TEMPORARY = {
    "app.lock",
    "app.log",
    "app.pid",
    "app/config.properties",
    "cache/entry.bin",
    "data.tmp",
    "data/part.bin",
    "export.csv",
    "output.txt",
    "report.html",
    "report.xml",
    "test.txt",
    "upload/part.tmp",
    "a"
  };

  private UsualNames() {}
}
