#!/usr/bin/env bash
# Which faults do kept tests notice that a project's own tests miss? Makes the library NAME of subjects/ with written tests,
# then takes mutants of its bytecode (PIT's default mutators) in an order that SEED decides, those that its own tests pass
# with (faults/MissedFaults.java), until there are COUNT. `palus:check` looks at each, one at a time, with the mutant in
# place of the class file. Written tests that never load the mutated class pass with it as without it: they lie aside
# meanwhile. Prints a row per fault, and how many are caught.
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

if [ -d "$folder/loads/all" ]; then
  rm -rf "$tests"
  cp -a "$folder/loads/all" "$tests"
elif [ ! -f "$tests/.palus-manifest" ]; then
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
  echo "$folder/unchanged:$project/target/test-classes:$(cat "$folder/dependencies")" > "$folder/class-path"
  classes=$(cd "$folder/unchanged" && find . -name '*.class' | sed 's#^\./##; s#\.class$##; s#/#.#g' | paste -sd,)
  java -cp "$(cat "$folder/tool/class-path"):$(cat "$folder/class-path")" \
    org.pitest.mutationtest.commandline.MutationCoverageReport --reportDir "$folder/pit" --sourceDirs "$project/src/main/java" \
    --targetClasses "$classes" --targetTests no.such.Test --mutableCodePaths "$folder/unchanged" --failWhenNoMutations false \
    --dryRun true --features +EXPORT --outputFormats CSV --timestampedReports=false > "$folder/pit.log" 2>&1
fi

own=$(cat "$folder/class-path")

# Those that the own tests miss. The test classes are those that the build ran.
(cd "$project/target/surefire-reports" && ls TEST-*.xml | sed 's/^TEST-//; s/\.xml$//') > "$folder/tests"
arguments=$(sed -n 's#.*<argLine>\(.*\)</argLine>.*#\1#p' "$project/pom.xml" | sed 's/@{[^}]*}//g')
of_each() { # folder, count
  local status=3
  while [ $status = 3 ]; do
    status=0
    # shellcheck disable=SC2086 # arguments of a JVM, between blanks
    (cd "$project" && java -Xmx1g $arguments "$root/integration-tests/faults/MissedFaults.java" "$1" "$seed" "$2") >&2 || status=$?
  done
  return $status
}
of_each "$folder" "$count"

# The code as it is: all pass, and what they rest on is noted.
if [ ! -f "$folder/compared" ]; then
  maven "$palus:check" -Dmaven.main.skip -Dmaven.resources.skip > "$folder/unchanged.log" 2>&1 ||
    { echo "kept tests fail on the code as it is: $folder/unchanged.log"; exit 1; }
  cp -p "$project/target/palus/compared" "$folder/compared"
fi

# Which classes each written test loads.
if [ ! -f "$folder/loads/usual.tsv" ]; then
  mkdir -p "$folder/loads/classes"
  [ -d "$folder/loads/all" ] || cp -a "$tests" "$folder/loads/all"
  (cd "$tests" && find . -name '*PalusTest.java') | sed 's#^\./##; s#\.java$##; s#/#.#g' | sort > "$folder/loads/tests"
  echo "$folder/unchanged:$folder/loads/classes:${own#*:}" > "$folder/loads/class-path"
  find "$tests" -name '*.java' > "$folder/loads/files"
  release=$(sed -n 's#.*<maven.compiler.release>\(.*\)</maven.compiler.release>.*#\1#p' "$project/pom.xml")
  javac -nowarn -proc:none -encoding UTF-8 --release "$release" -d "$folder/loads/classes" -cp "$own" "@$folder/loads/files" 2> "$folder/loads/javac.log"
  of_each "$folder/loads" 0
fi

# What JUnit alone says of the written tests on each fault: a first answer, in a fraction of the time.
if [ ! -d "$folder/kept" ]; then
  mkdir -p "$folder/kept"
  cp "$folder/loads/class-path" "$folder/loads/tests" "$folder/loads/usual.tsv" "$folder/kept"
fi
mkdir -p "$folder/kept/pit/export"
{ grep -P '\tmissed\t' "$folder/own.tsv" || true; } | head -n "$count" | while IFS=$'\t' read -r id _ _ _ _ _ file; do
  [ -d "$folder/kept/pit/export/$id" ] || cp -r "$(dirname "$file")" "$folder/kept/pit/export/$id"
done
of_each "$folder/kept" 1000000
echo "JUnit alone: $(awk -F'\t' '$2 != "missed"' "$folder/kept/own.tsv" | wc -l) of $(wc -l < "$folder/kept/own.tsv") faults make a written test fail"

# Leaves those written tests in their folder that load a class.
leave() { # class
  rm -rf "$tests"
  mkdir -p "$tests"
  cp -p "$folder/loads/all/.palus-manifest" "$tests"
  awk -F'\t' -v class="$1" '{ n = split($4, all, "|"); for (i = 1; i <= n; i++) if (all[i] == class) { print $1; break } }' \
    "$folder/loads/usual.tsv" | sed 's#\.#/#g; s#$#.java#' > "$folder/loads/left"
  (cd "$folder/loads/all" && xargs -r cp -p --parents -t "$tests" < "$folder/loads/left")
}

look() { # number, class, method, line, what, class file of the mutant
  local log=$folder/$1.log class_file=$project/target/classes/${2//.//}.class said is_caught=yes is_named=no
  leave "$2"
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
number=0 caught=0
while IFS=$'\t' read -r _ verdict class method line what file; do
  [ "$verdict" = missed ] || continue
  [ $number -lt "$count" ] || break
  number=$((number + 1))
  [ -f "$folder/$number.row" ] || look $number "$class" "$method" "$line" "$what" "$file" < /dev/null
  cat "$folder/$number.row"
  if grep -q '| yes |' "$folder/$number.row"; then caught=$((caught + 1)); fi
done < "$folder/own.tsv"
rm -rf "$tests"
cp -a "$folder/loads/all" "$tests"
echo "caught $caught of $number"
