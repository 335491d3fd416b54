#!/bin/sh
# tracing-cost.sh AGENT RUNS CLASSES PATH MAIN [ARGUMENT...]
#
# What tracing costs: runs the class MAIN of the class path PATH with its arguments, RUNS times without the agent and
# with it, in turns, and prints the user CPU seconds of each run and the ratio of the medians. AGENT is the worker's jar
# (`java/worker/build/libs/palus-worker-VERSION.jar`), CLASSES the folder of the classes that are traced.
# The project's own sample of a suite that makes millions of calls, after `./gradlew :java:worker:shadowJar`:
#
#   javac -d classes integration-tests/projects/many-calls/src/main/java/sample/*.java
#   javac -d tests -cp classes:junit-jupiter-api.jar integration-tests/projects/many-calls/src/test/java/sample/*.java
#   tracing-cost.sh palus-worker.jar 5 classes classes:tests:junit-jupiter-api.jar sample.LinesTest 2000
set -eu

usage='usage: tracing-cost.sh AGENT RUNS CLASSES PATH MAIN [ARGUMENT...]'
agent=${1:?$usage}
runs=${2:?$usage}
classes=${3:?$usage}
path=${4:?$usage}
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP

mkdir "$folder/traces"
printf 'output=%s\nclasses.0=%s\n' "$folder/traces" "$(cd "$classes" && pwd)" > "$folder/options"

# User CPU and exit status of one run; the shell's `times` sums those of all children.
measure() {
  python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:.2f} {status}")
PYTHON
}

run=0
while [ "$run" -lt "$runs" ]; do
  without=$(measure java -cp "$path" "$@")
  with=$(measure java "-javaagent:$agent=$folder/options" -cp "$path" "$@")
  if [ "${without#* }" != "${with#* }" ]; then
    echo "the run ends with ${without#* } without the agent and with ${with#* } with it" >&2
    exit 1
  fi
  without=${without% *} with=${with% *}
  echo "without $without s, with $with s"
  echo "$without" >> "$folder/without"
  echo "$with" >> "$folder/with"
  rm -rf "$folder/traces"/*
  run=$((run + 1))
done

median() {
  sort -n "$1" | sed -n "$(((runs + 1) / 2))p"
}
echo "$(median "$folder/without") $(median "$folder/with")" |
  awk '{ printf "medians %s s and %s s: %.1f times\n", $1, $2, $2 / $1 }'
