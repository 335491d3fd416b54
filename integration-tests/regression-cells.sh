#!/usr/bin/env bash
# What a user sees of changed code: four ways to run Palus, five changes, on an old checkout (with what earlier builds left)
# and on a fresh one. Prints the table of docs/regression.md; ends with 1 where a cell is not as it should be.
#
#   ./gradlew publishToBuild mavenSettings :integration-tests:tools -x javadoc
#   integration-tests/regression-cells.sh [<folder for the builds> [<ways> [<changes>]]]
#
# The project is integration-tests/projects/regression, its written tests in a folder that is committed. What each build said
# is in WAY-CHANGE-CHECKOUT.log in that folder.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$(mktemp -d)}
ways=${2:-by-hand bound JOIN GENERATE}
changes=${3:-constant deleted renamed added reverted}
mkdir -p "$folder"
folder=$(realpath "$folder")
tools=$root/integration-tests/build/tools
tests=src/palus-test/java
rates=src/main/java/sample/Rates.java
own=src/test/java/sample/RatesTest.java

maven() { "$tools/maven-3.9.9/bin/mvn" -B -ntp -gs "$root/build/maven-settings.xml" -Dmaven.repo.local="$root/build/m2" \
  -Dstyle.color=never "-Dpalus.outputDirectory=$PWD/$tests" "$@"; }
gradle() { GRADLE_OPTS=-Xmx1g "$tools/gradle-8.11.1/bin/gradle" --no-daemon --console=plain \
  "-PpalusRepository=$root/build/repository" "-Ppalus.outputDirectory=$tests" "$@"; }
palus=io.palus:palus-maven-plugin:$(sed -n 's/^version *= *//p' "$root/gradle.properties")

# The ordinary command of a way.
build() {
  case $1 in
    by-hand) maven "$palus:generate" ;;
    bound) maven verify ;;
    JOIN) gradle check -Pmode=JOIN ;;
    GENERATE) gradle check -Pmode=GENERATE ;;
  esac
}

# A project with written tests, as the way makes them; where nothing generates by itself, by hand.
project() {
  cp -r "$root/integration-tests/projects/regression" "$1"
  cd "$1"
  if [ "$2" = by-hand ]; then
    sed -i '/<goal>/d' pom.xml
  fi
  if [ "$2" = JOIN ]; then
    gradle palusGenerate -Pmode=JOIN
  fi
  build "$2"
  cd "$folder"
}

edit() {
  case $1 in
    constant) sed -i 's/? 5 : 1/? 7 : 1/' $rates ;;
    deleted)
      sed -i '/isFree/,/^  }/d' $rates
      sed -i '/isFree/d; /assertTrue/d' $own ;;
    renamed)
      sed -i 's/class Rates/class Fees/' $rates
      mv $rates src/main/java/sample/Fees.java
      sed -i 's/new Rates()/new Fees()/' $own ;;
    added) sed -i 's/^  public boolean isFree/  public int twice(int amount) {\n    return amount * 2;\n  }\n\n&/' $rates ;;
  esac
}

# What a build said that tells most.
said() {
  local line
  for pattern in 'cannot find symbol' '^\s+at .*\.java:[0-9]+\)' '(changed|edited) +sample' 'do not compile' '> .*\(\) FAILED' \
    'check +[0-9]' 'unchanged +[0-9]' 'wrote +[0-9]' 'up to date' 'as they were' '[0-9]+ written test' 'Task :palusTest( |$)'; do
    line=$(grep -m1 -E "$pattern" "$1" | sed -E 's/^\[[A-Z]+\] //; s/  +[0-9.]+ s$//; s/ +/ /g; s/^ //; s/, [A-Za-z]+\.java:.*//; s/\|/\\|/g' || true)
    if [ -n "$line" ]; then
      echo "$line"
      return
    fi
  done
  echo nothing
}

failed=0
echo '| way | change | checkout | the build | written files that changed | what it says first |'
echo '|---|---|---|---|---|---|'
for way in $ways; do
  base=$folder/$way
  rm -rf "$base"
  (project "$base" "$way") > "$folder/$way.log" 2>&1 || { echo "the first build of $way failed, see $folder/$way.log"; exit 1; }
  for change in $changes; do
    for checkout in old fresh; do
      cell=$folder/$way-$change-$checkout
      rm -rf "$cell"
      cp -r "$base" "$cell"
      cd "$cell"
      log=$cell.log
      if [ "$change" = reverted ]; then
        edit constant
        if [ "$checkout" = fresh ]; then rm -rf target build .gradle; fi
        build "$way" > "$log.first" 2>&1 && { echo "not red before it was reverted: $cell"; failed=1; }
        cp "$base/$rates" $rates
      else
        edit "$change"
        if [ "$checkout" = fresh ]; then rm -rf target build .gradle; fi
      fi
      status=green
      build "$way" > "$log" 2>&1 || status=red
      changed=$({ diff -rq "$base/$tests" $tests | grep -o '[A-Za-z]*PalusTest.java' || true; } | sort -u | tr '\n' ' ')
      wrong=
      case $change in
        constant | deleted | renamed) [ "$status" = red ] || wrong='should be red' ;;
        *) [ "$status" = green ] || wrong='should be green' ;;
      esac
      case $change-$way in
        added-JOIN) [ -z "$changed" ] || wrong='writes' ;;
        added-*) [ "$changed" = 'RatesPalusTest.java ' ] || wrong='writes other files' ;;
        *) [ -z "$changed" ] || wrong='writes' ;;
      esac
      if grep -qE 'COMPILATION ERROR|compileTestJava FAILED' "$log"; then wrong='breaks the own tests'; fi
      said=$(said "$log")
      [ "$said" != nothing ] || wrong=silent
      case $said in *symbol* | at\ *) wrong='shows what no user wrote' ;; esac
      if ! find . -name 'TEST-sample.RatesTest.xml' | grep -q .; then wrong='runs no own test'; fi
      [ -z "$wrong" ] || failed=1
      echo "| $way | $change | $checkout | $status${wrong:+ (WRONG: $wrong)} | ${changed:-none} | $said |"
      cd "$folder"
    done
  done
done
exit $failed
