#!/usr/bin/env bash
# get-subject.sh NAME DIR     puts the library NAME with its own tests into DIR, as a plain Maven and Gradle project
# get-subject.sh --list       prints the names
#
# A subject is a file NAME.sh beside this script. It sets the variables and calls the functions of the section
# "What a subject may say"; sources come from Maven Central, through mvn, so the user's own mirrors and proxies count,
# and where it has none, from Debian source packages, through apt-get.
# The project made knows nothing of Palus. Downloads are kept in ${XDG_CACHE_HOME:-~/.cache}/palus/subjects.
# Needs mvn and a JDK; for some subjects apt-get, tar and what unpacks such archives.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/palus/subjects
dependency_plugin=org.apache.maven.plugins:maven-dependency-plugin:3.6.1

fail() {
  echo "get-subject.sh: $*" >&2
  exit 1
}

# --- What a subject may say ---------------------------------------------------------------------------------------

title=               # one line, for people
release=8            # language level of main and test sources
encoding=UTF-8       # of main and test sources
test_arguments=      # arguments of the test JVM
dependencies=()      # group:artifact:version[:scope]
test_includes=('**/Test*.java' '**/*Test.java' '**/*Tests.java' '**/*TestCase.java')
test_excludes=()

main_sources() { unpack "$(jar_of "$1")" main; } # group:artifact:version:classifier of a jar of sources
test_sources() { unpack "$(jar_of "$1")" test; }
test_classes() { unpack "$(jar_of "$1")" test; } # of tests that are published compiled
# A jar of classes, for what its sources lack: each file that is not there yet, classes too, becomes a resource.
main_classes() { unpack "$(jar_of "$1")" main; } # group:artifact:version
# Java files of a Debian source package: those under a folder of it, tests (Test*.java) apart.
debian_sources() { # package, folder
  local tree file kind
  tree=$(debian_tree_of "$1")/$2
  (cd "$tree" && find . -name '*.java') | while IFS= read -r file; do
    case ${file##*/} in Test*) kind=test ;; *) kind=main ;; esac
    mkdir -p "$project/src/$kind/java/$(dirname "$file")"
    cp "$tree/$file" "$project/src/$kind/java/$file"
  done
}
# Java files kept beside this script, under NAME/main and NAME/test.
own_sources() {
  local kind
  for kind in main test; do
    [ ! -d "$here/$name/$kind" ] || { mkdir -p "$project/src/$kind/java" && cp -R "$here/$name/$kind/." "$project/src/$kind/java"; }
  done
}

# --- Making the project -------------------------------------------------------------------------------------------

# Prints the path of the jar, downloaded once.
jar_of() { # GROUP:ARTIFACT:VERSION[:CLASSIFIER]
  local group artifact version classifier
  IFS=: read -r group artifact version classifier <<< "$1"
  local jar=$cache/$artifact-$version${classifier:+-$classifier}.jar
  if [ ! -s "$jar" ]; then
    local part
    mkdir -p "$cache"
    part=$(mktemp -d "$cache/part-XXXXXX")
    mvn -q -B -Dstyle.color=never "$dependency_plugin:copy" -Dartifact="$group:$artifact:$version:jar${classifier:+:$classifier}" \
      -DoutputDirectory="$part" -Dmdep.useBaseVersion=true < /dev/null >&2 || fail "Maven could not get $1"
    mv "$part/$(basename "$jar")" "$jar"
    rmdir "$part"
  fi
  echo "$jar"
}

# Prints the folder of the upstream sources of a Debian package, in the version that the machine's own release has. The
# machine's list of packages is left alone: one of source packages, from the same places, is kept in the cache.
debian_tree_of() { # PACKAGE
  local tree=$cache/$1-sources lists=$cache/apt
  if [ ! -d "$tree" ]; then
    local part file
    command -v apt-get > /dev/null || fail "$name comes from the Debian package $1: apt-get is needed"
    mkdir -p "$lists"/{lists,archives}/partial "$lists/sources"
    for file in /etc/apt/sources.list.d/*.sources; do
      [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" > "$lists/sources/$(basename "$file")"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
      [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" > "$lists/sources/$(basename "$file" .list)-sources.list"
    done
    local options=(-q -o "Dir::State::Lists=$lists/lists" -o "Dir::Cache::archives=$lists/archives"
      -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= -o Dir::Etc::SourceList=/dev/null
      -o "Dir::Etc::SourceParts=$lists/sources" -o APT::Sandbox::User=)
    # Other places than Debian's may have no sources, or be out of reach.
    apt-get "${options[@]}" update < /dev/null >&2 || true
    part=$(mktemp -d "$cache/part-XXXXXX")
    (cd "$part" && apt-get "${options[@]}" source --download-only --tar-only "$1" < /dev/null >&2) || fail "apt-get could not get the sources of $1"
    mkdir "$part/tree"
    tar xf "$(ls "$part"/*.orig.tar.* | grep -v '\.asc$' | head -n 1)" -C "$part/tree" --strip-components=1
    mv "$part/tree" "$tree"
    rm -rf "$part"
  fi
  echo "$tree"
}

# Java files go to src/KIND/java, all others to src/KIND/resources; what is there already stays.
unpack() { # JAR main|test
  local folder file place
  folder=$(mktemp -d)
  (cd "$folder" && "${JAVA_HOME:+$JAVA_HOME/bin/}jar" xf "$1" && rm -rf META-INF)
  (cd "$folder" && find . -type f) | while IFS= read -r file; do
    case $file in
      *.java) place=$project/src/$2/java ;;
      *) place=$project/src/$2/resources ;;
    esac
    [ ! -e "$place/$file" ] || continue
    mkdir -p "$place/$(dirname "$file")"
    mv "$folder/$file" "$place/$file"
  done
  rm -rf "$folder"
}

write_pom() {
  local entry group artifact version scope
  cat << XML
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>subject</groupId>
  <artifactId>$name</artifactId>
  <version>1</version>
  <name>$title</name>
  <properties>
    <project.build.sourceEncoding>$encoding</project.build.sourceEncoding>
    <maven.compiler.release>$release</maven.compiler.release>
  </properties>
  <dependencies>
XML
  for entry in "${dependencies[@]}"; do
    IFS=: read -r group artifact version scope <<< "$entry"
    cat << XML
    <dependency>
      <groupId>$group</groupId>
      <artifactId>$artifact</artifactId>
      <version>$version</version>
      <scope>${scope:-compile}</scope>
    </dependency>
XML
  done
  cat << XML
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.11.0</version>
        <configuration>
          <proc>none</proc>
          <showWarnings>false</showWarnings>
          <compilerArgs>
            <arg>-Xlint:none</arg>
            <arg>-nowarn</arg>
          </compilerArgs>
        </configuration>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version>
        <configuration>
          <argLine>$test_arguments</argLine>
          <includes>
XML
  printf '            <include>%s</include>\n' "${test_includes[@]}"
  printf '          </includes>\n          <excludes>\n            <exclude>**/*$*</exclude>\n'
  [ ${#test_excludes[@]} -eq 0 ] || printf '            <exclude>%s</exclude>\n' "${test_excludes[@]}"
  cat << XML
          </excludes>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
XML
}

write_gradle() {
  local entry group artifact version scope argument
  cat << GRADLE
plugins {
    id 'java'
}

repositories {
    mavenCentral()
}

dependencies {
GRADLE
  for entry in "${dependencies[@]}"; do
    IFS=: read -r group artifact version scope <<< "$entry"
    case $scope in
      test) echo "    testImplementation '$group:$artifact:$version'" ;;
      runtime) echo "    runtimeOnly '$group:$artifact:$version'" ;;
      *) echo "    implementation '$group:$artifact:$version'" ;;
    esac
  done
  cat << GRADLE
}

tasks.withType(JavaCompile).configureEach {
    options.encoding = '$encoding'
    options.release = $release
    options.compilerArgs += ['-proc:none', '-Xlint:none', '-nowarn']
}

tasks.named('test') {
GRADLE
  for argument in $test_arguments; do echo "    jvmArgs '$argument'"; done
  # Gradle finds tests by their classes; Maven's patterns say the same by class file name.
  for entry in "${test_includes[@]}"; do echo "    include '${entry%.java}.class'"; done
  echo "    exclude '**/*\$*'"
  for entry in "${test_excludes[@]}"; do echo "    exclude '${entry%.java}.class'"; done
  echo '}'
}

# --- Command line -------------------------------------------------------------------------------------------------

subjects() { (cd "$here" && ls -- *.sh | grep -v -- '-subject\.sh$' | sed 's/\.sh$//'); }

if [ "${1:-}" = --list ]; then
  subjects
  exit 0
fi
if [ $# -ne 2 ]; then
  sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
name=$1
[ -f "$here/$name.sh" ] || fail "no subject '$name'; there are: $(subjects | tr '\n' ' ')"
mkdir -p "$2"
project=$(cd "$2" && pwd -P)
# Only what this script made is replaced; whatever else lies in the folder (a build's output) stays.
rm -rf "$project/src" "$project/pom.xml" "$project/build.gradle" "$project/settings.gradle"
mkdir -p "$project"/src/{main,test}/java
# shellcheck source=/dev/null
. "$here/$name.sh"
write_pom > "$project/pom.xml"
write_gradle > "$project/build.gradle"
echo "rootProject.name = '$name'" > "$project/settings.gradle"
count() { find "$project/src/$1/java" -name '*.java' | wc -l | tr -d ' '; }
echo "$title: $(count main) source files and $(count test) test files in $project"
