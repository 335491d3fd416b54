#!/bin/sh
# Runs the build with the one Gradle version it is pinned to. Plain shell: no wrapper jar to trust.
# Where that Gradle comes from is the business of gradle/distribution.sh, which says on the console what it used.
# Needs a JDK of Java 17 to 23: JAVA_HOME, else `java` on the PATH, else the first that lies where JDKs usually do.
set -eu

gradle_version=8.11.1

script=$0
while [ -h "$script" ]; do
  link=$(readlink "$script")
  case $link in
    /*) script=$link ;;
    *) script=$(dirname "$script")/$link ;;
  esac
done
root=$(cd "$(dirname "$script")" && pwd -P)

# Prints the major version of a JDK's folder, nothing where there is no JDK.
major_of() {
  [ -x "$1/bin/javac" ] || return 0
  "$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9][0-9]*\).*/\1/p' | head -n 1
}
# Gradle 8.11.1 runs on 17 to 23; on 25 it fails with "Type T not present".
fits() { [ "${1:-0}" -ge 17 ] && [ "$1" -le 23 ]; }

if [ -n "${JAVA_HOME-}" ]; then
  jdk=$JAVA_HOME
else
  jdk=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p' || true)
fi
major=$(major_of "$jdk")
if ! fits "$major"; then
  for other in /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if fits "$(major_of "$other")"; then
      echo "gradlew: ${jdk:-no java} is ${major:+Java }${major:-not a JDK}; Gradle $gradle_version needs 17 to 23, taking $other" >&2
      JAVA_HOME=$other
      export JAVA_HOME
      break
    fi
  done
  if ! fits "$(major_of "${JAVA_HOME-}")"; then
    echo "gradlew: Gradle $gradle_version needs a JDK of Java 17 to 23. Install one (17 is what Palus is built with) and set" >&2
    echo "gradlew: JAVA_HOME to it. Found: ${jdk:-no java on the PATH}${major:+, which is Java $major}." >&2
    exit 1
  fi
fi

home=$("$root/gradle/distribution.sh" "$gradle_version")

# Gradle's own distribution forks a daemon with the memory that gradle.properties asks for. The assembled one builds in
# the JVM started here and never reads that setting, so it gets the same memory this way.
if [ -f "$home/assembled" ]; then
  GRADLE_OPTS="-Xmx1536m -XX:MaxMetaspaceSize=512m -Dfile.encoding=UTF-8 ${GRADLE_OPTS-}"
  export GRADLE_OPTS
fi
exec "$home/bin/gradle" "$@"
