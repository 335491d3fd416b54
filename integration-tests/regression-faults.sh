#!/usr/bin/env bash
# Which faults do kept tests notice that a project's own tests miss? Makes the library NAME of subjects/ with written tests,
# then takes mutants of its bytecode (PIT's default mutators) in an order that SEED decides, those that its own tests pass
# with (faults/MissedFaults.java), until there are COUNT. `palus:check` looks at each, one at a time, with the mutant in
# place of the class file. Prints a row per fault, and how many are caught.
#
#   ./gradlew publishToBuild mavenSettings :integration-tests:tools -x javadoc
#   integration-tests/regression-faults.sh NAME <folder> [COUNT [SEED]]
#
# What each check said is in N.log in the folder. What is there is gone on with: written tests, mutants, rows (N.row).
# PIT is got from Maven Central; it makes the mutants and runs no test.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
name=$1
mkdir -p "$2"
folder=$(realpath "$2")
count=${3:-50}
seed=${4:-27}
project=$folder/$name
tests=$project/src/palus-test/java

export MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
maven() { (cd "$project" && "$root/integration-tests/build/tools/maven-3.9.9/bin/mvn" -B -ntp -gs "$root/build/maven-settings.xml" \
  -Dmaven.repo.local="$root/build/m2" -Dstyle.color=never "-Dpalus.outputDirectory=$tests" "$@"); }
palus=io.palus:palus-maven-plugin:$(sed -n 's/^version *= *//p' "$root/gradle.properties")
dependency=org.apache.maven.plugins:maven-dependency-plugin:3.6.1

if [ ! -f "$tests/.palus-manifest" ]; then
  "$root/integration-tests/subjects/get-subject.sh" "$name" "$project" >&2
  maven "$palus:generate" -Dpalus.timeLimit=3600 > "$folder/generate.log" 2>&1
fi

[ -d "$folder/unchanged" ] || cp -a "$project/target/classes" "$folder/unchanged"
cp -a "$folder/unchanged/." "$project/target/classes"

# All mutants as class files.
if [ ! -d "$folder/pit/export" ]; then
  mkdir -p "$folder/tool"
  cat > "$folder/tool/pom.xml" << POM
<project>
  <modelVersion>4.0.0</modelVersion><groupId>tool</groupId><artifactId>pit</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.pitest</groupId><artifactId>pitest-command-line</artifactId><version>1.25.9</version></dependency>
  </dependencies>
</project>
POM
  maven -q -f "$folder/tool/pom.xml" $dependency:build-classpath -Dmdep.outputFile="$folder/tool/class-path"
  maven -q $dependency:build-classpath -Dmdep.outputFile="$folder/dependencies"
  own=$folder/unchanged:$project/target/test-classes:$(cat "$folder/dependencies")
  echo "$own" > "$folder/class-path"
  classes=$(cd "$folder/unchanged" && find . -name '*.class' | sed 's#^\./##; s#\.class$##; s#/#.#g' | paste -sd,)
  java -cp "$(cat "$folder/tool/class-path"):$own" \
    org.pitest.mutationtest.commandline.MutationCoverageReport --reportDir "$folder/pit" --sourceDirs "$project/src/main/java" \
    --targetClasses "$classes" --targetTests no.such.Test --mutableCodePaths "$folder/unchanged" --failWhenNoMutations false \
    --dryRun true --features +EXPORT --outputFormats CSV --timestampedReports=false > "$folder/pit.log" 2>&1
fi

# Those that the own tests miss. The test classes are those that the build ran.
(cd "$project/target/surefire-reports" && ls TEST-*.xml | sed 's/^TEST-//; s/\.xml$//') > "$folder/tests"
arguments=$(sed -n 's#.*<argLine>\(.*\)</argLine>.*#\1#p' "$project/pom.xml" | sed 's/@{[^}]*}//g')
while true; do
  status=0
  # shellcheck disable=SC2086 # arguments of a JVM, between blanks
  (cd "$project" && java -Xmx1g $arguments "$root/integration-tests/faults/MissedFaults.java" "$folder" "$seed" "$count") >&2 || status=$?
  [ $status = 3 ] || break
done
[ $status = 0 ] || exit $status

# The code as it is: all pass, and what they rest on is noted.
if [ ! -f "$folder/compared" ]; then
  maven "$palus:check" -Dmaven.main.skip -Dmaven.resources.skip > "$folder/unchanged.log" 2>&1 ||
    { echo "kept tests fail on the code as it is: $folder/unchanged.log"; exit 1; }
  cp -p "$project/target/palus/compared" "$folder/compared"
fi

look() { # number, class, method, line, what, class file of the mutant
  local log=$folder/$1.log class_file=$project/target/classes/${2//.//}.class said is_caught=yes is_named=no
  cp -p "$folder/compared" "$project/target/palus/compared"
  cp "$6" "$class_file"
  touch -r "$folder/unchanged/${2//.//}.class" "$class_file"
  maven "$palus:check" -Dmaven.main.skip -Dmaven.resources.skip > "$log" 2>&1 && is_caught=no
  cmp -s "$6" "$class_file" || { echo "compiled again: $2" >&2; exit 1; }
  cp -p "$folder/unchanged/${2//.//}.class" "$class_file"
  said=$(grep -m1 -oE 'changed +.*, now [^;]*' "$log" | sed -E 's/^changed +//; s/\|/\\|/g' | cut -c1-240 || true)
  if [ $is_caught = yes ] && [ -z "$said" ]; then
    echo "fails and names no change: $log" >&2
    exit 1
  fi
  if grep -qE "changed +${2//\$/\\\$}#" "$log"; then is_named=class; fi
  local method=$3
  case $method in '<init>' | '<clinit>') method=$(echo "${2##*[.\$]}") ;; esac
  if grep -qF "changed   $2#$method:" "$log"; then is_named=method; fi
  echo "| $1 | ${2##*.}#${3//[<>]/}: ${5//|/\\|} | $4 | $is_caught | $is_named | ${said:-} |" > "$folder/$1.part"
  mv "$folder/$1.part" "$folder/$1.row"
}

echo '| n | fault | line | caught | named | what is said first |'
echo '|---|---|---|---|---|---|'
number=0
while IFS=$'\t' read -r _ verdict class method line what file; do
  [ "$verdict" = missed ] || continue
  number=$((number + 1))
  [ $number -le "$count" ] || break
  [ -f "$folder/$number.row" ] || look $number "$class" "$method" "$line" "$what" "$file" < /dev/null
  cat "$folder/$number.row"
done < "$folder/own.tsv"
echo "caught $(cat "$folder"/*.row | grep -c '| yes |' || true) of $number"
