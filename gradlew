#!/bin/sh
# Runs the build with the one Gradle version it is pinned to. Plain shell: no wrapper jar to trust.
# Where that Gradle comes from is the business of gradle/distribution.sh, which says on the console what it used.
# Needs a JDK 17 or newer (JAVA_HOME, else `java` on the PATH).
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

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
if ! version=$("$java" -version 2>&1); then
  echo "gradlew: cannot run '$java'. Install a JDK 17 or newer and set JAVA_HOME, or put its bin folder on the PATH." >&2
  exit 1
fi
major=$(printf '%s\n' "$version" | sed -n 's/.* version "\([0-9][0-9]*\).*/\1/p' | head -n 1)
if [ "${major:-0}" -lt 17 ]; then
  echo "gradlew: '$java' is Java ${major:-of an unknown version}, and a JDK 17 or newer is needed. Set JAVA_HOME to one." >&2
  exit 1
fi

home=$("$root/gradle/distribution.sh" "$gradle_version")

# Gradle's own distribution forks a daemon with the memory that gradle.properties asks for. The assembled one builds in
# the JVM started here and never reads that setting, so it gets the same memory this way.
if [ -f "$home/assembled" ]; then
  GRADLE_OPTS="-Xmx1536m -XX:MaxMetaspaceSize=512m -Dfile.encoding=UTF-8 ${GRADLE_OPTS-}"
  export GRADLE_OPTS
fi
exec "$home/bin/gradle" "$@"
