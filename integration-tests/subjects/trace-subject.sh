#!/usr/bin/env bash
# trace-subject.sh NAME DIR WORKER_JAR     makes the subject NAME in DIR, compiles it and runs its tests once, traced
#
# Leaves in DIR, besides the project that get-subject.sh makes: target/classes, target/test-classes, class-path.txt (of
# the tests, entries between colons, without these two), class-path-runtime.txt (the same of the classes alone),
# traces/*.trace and trace-seconds.txt (of the traced run, start of Maven included). WORKER_JAR is palus-worker.jar, whose agent traces. A failing test of the subject's own is no error: its calls are not learned from.
set -euo pipefail

if [ $# -ne 3 ]; then
  sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
worker=$(cd "$(dirname "$3")" && pwd -P)/$(basename "$3")
"$here/get-subject.sh" "$1" "$2"
project=$(cd "$2" && pwd -P)
rm -rf "$project/target" "$project/traces"
mkdir -p "$project/traces"
cat > "$project/traces/agent.properties" << OPTIONS
output=$project/traces
cap=10000
classes.0=$project/target/classes
testClasses.0=$project/target/test-classes
OPTIONS
cd "$project"
maven() { mvn -q -B -Dstyle.color=never "$@" < /dev/null >> "$project/build.log" 2>&1; }
rm -f build.log
built=yes
class_path() { # FILE SCOPE
  maven org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath \
    -Dmdep.outputFile="$project/$1" -DincludeScope="$2" -Dmdep.regenerateFile=true
}
maven test-compile && class_path class-path.txt test && class_path class-path-runtime.txt runtime || built=
started=$(date +%s)
# What Surefire calls a debugger is any argument of the test JVM, added to those in the pom.
[ -z "$built" ] || maven surefire:test -Dmaven.test.failure.ignore=true \
  -Dmaven.surefire.debug="-javaagent:$worker=$project/traces/agent.properties" || built=
echo $(($(date +%s) - started)) > trace-seconds.txt
[ -n "$built" ] || {
  tail -n 40 "$project/build.log" >&2
  echo "trace-subject.sh: the build of $1 failed; all it said is in $project/build.log" >&2
  exit 1
}
if ! ls traces/*.trace > /dev/null 2>&1; then
  echo "trace-subject.sh: the tests of $1 left no trace; see $project/build.log and $project/traces/agent.log" >&2
  exit 1
fi
