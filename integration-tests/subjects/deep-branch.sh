#!/usr/bin/env bash
# deep-branch.sh DIR WORKER_JAR LAUNCHER [SECONDS [SEEDS]]     looks for the deep branch of the sample gangup in three ways
#
# With all that Palus has, without templates, and as the paper's baseline does: without templates, operands of
# comparisons, traces and constants. The sample is made and traced in DIR; each way gets SECONDS of generation (60) with
# each of SEEDS seeds (1), and ends earlier where everything is covered.
set -euo pipefail

if [ $# -lt 3 ]; then
  sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
worker=$(cd "$(dirname "$2")" && pwd -P)/$(basename "$2")
launcher=$(cd "$(dirname "$3")" && pwd -P)/$(basename "$3")
mkdir -p "$1"
project=$(cd "$1" && pwd -P)
[ -d "$project/traces" ] || "$here/trace-subject.sh" gangup "$project" "$worker"
cd "$here/../.."
cargo build --quiet --release --example generate -p palus-engine
generate=${CARGO_TARGET_DIR:-target}/release/examples/generate
deep=$(awk '/return defence == 0/ { print NR }' "$here/gangup/main/gangup/Rules.java")

paths=()
IFS=: read -ra entries < "$project/class-path.txt" || true
for entry in "$project/target/test-classes" "$project/target/classes" "${entries[@]}"; do
  paths+=("classPath=$entry")
done

# The engine keeps a quarter of the time of its only class for making tests.
time=$((${4:-60} * 4 / 3))

look() {
  local name=$1 said
  shift
  said=$(PALUS_DEBUG=1 "$generate" classesDirectory="$project/target/classes" "${paths[@]}" \
    javaHome="${JAVA_HOME:?}" workerJar="$worker" launcher="$launcher" projectDirectory="$project" projectName=gangup \
    outputDirectory="$project/deep/src" workDirectory="$project/deep/work" reportDirectory="$project/deep/report" \
    classes=gangup.Rules workers=1 verification=ONCE contracts=false theories=false patience=false budget=1000000000 \
    generationTime=$time timeLimit=$((time + 300)) seed="$seed" "$@")
  local covered="covered"
  if grep -q "^  open gangup.Rules.hits $deep " <<< "$said"; then covered="not covered"; fi
  sed -n "s|^gangup/Rules: \([0-9]*\) sequences in \([0-9.]*\) s.*|seed $seed, $name: $covered; \1 sequences in \2 s|p" <<< "$said"
}

for seed in $(seq "${5:-1}"); do
  look "all that there is" traceDirectory="$project/traces"
  look "without templates" traceDirectory="$project/traces" templates=false
  look "the paper's baseline" mode=BLIND search=DYNAMOSA templates=false operandFeedback=false
done
