#!/usr/bin/env bash
# assemble-gradle.sh DIR VERSION
#
# Puts a Gradle that runs real builds together in DIR, from artifacts on Maven Central alone. For machines which cannot
# reach Gradle's distribution site, and for the integration tests. It is not Gradle's distribution: Groovy DSL only,
# one build per JVM (no daemon, no TestKit), `org.gradle.jvmargs` is ignored (set GRADLE_OPTS). Never ship it.
# Needs mvn and a JDK 17 or newer. Known to work: 8.11.1, 8.10, 8.5, 7.6.
#
# How: `dev.gradleplugins:gradle-api` is the jar that Gradle itself generates for plugin authors. It holds nearly all
# classes of the distribution, and for each of Gradle's modules the file <module>-classpath.properties that says which
# jars the module needs. assemble/AssembleGradle.java lays that out as the lib folder Gradle expects:
#   - the API jar becomes the jar of module gradle-base-services, which every other module needs;
#   - each other module becomes a jar with nothing but its properties file;
#   - each third-party jar is the real one where the API jar lacks its classes, else an empty jar of that name.
# Two things the API jar lacks are compiled from our own source here: RunBuild.java, a command line entry point, and
# IncrementalCompileTask.java, the hook in javac that tells Gradle which source made which class.
# The folder is made beside DIR and renamed at the end, so DIR is there whole or not at all.
set -euo pipefail

usage='usage: assemble-gradle.sh DIR VERSION'
dir=${1:?$usage}
version=${2:?$usage}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
dependency_plugin=org.apache.maven.plugins:maven-dependency-plugin:3.6.1
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}

if ! command -v mvn > /dev/null; then
  echo "assemble-gradle.sh: 'mvn' is not on the PATH. Install Maven 3.8 or newer." >&2
  exit 1
fi

mkdir -p "$(dirname "$dir")"
parent=$(cd "$(dirname "$dir")" && pwd -P)
name=$(basename "$dir")
work=$(mktemp -d "$parent/making-XXXXXX")
trap 'rm -rf "$work"' EXIT
home=$work/$name
mkdir -p "$home/bin" "$home/lib" "$work/classes" "$work/libraries"

# Copies the artifacts named on standard input (group:artifact:version, one a line) into a folder, through Maven, so
# that the user's own mirrors and proxies count.
fetch() { # FOLDER
  {
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>fetch</groupId><artifactId>fetch</artifactId>'
    echo '<version>1</version><packaging>pom</packaging><dependencies>'
    sed 's|\(.*\):\(.*\):\(.*\)|<dependency><groupId>\1</groupId><artifactId>\2</artifactId><version>\3</version></dependency>|'
    echo '</dependencies></project>'
  } > "$work/pom.xml"
  if ! mvn -B -ntp -Dstyle.color=never -f "$work/pom.xml" "$dependency_plugin:copy-dependencies" \
    -DexcludeTransitive=true -DoutputDirectory="$1" < /dev/null > "$work/mvn.log" 2>&1; then
    cat "$work/mvn.log" >&2
    echo "assemble-gradle.sh: Maven could not fetch what it takes to assemble Gradle $version." >&2
    exit 1
  fi
}

has() { "${jdk}jar" tf "$api" | grep -q "^$1"; } # is the class (a prefix of its path) in the API jar?

echo "dev.gradleplugins:gradle-api:$version" | fetch "$work"
api=$work/gradle-api-$version.jar
"${jdk}java" "$here/assemble/AssembleGradle.java" libraries "$api" > "$work/libraries.txt"
fetch "$work/libraries" < "$work/libraries.txt"

if ! has org/gradle/internal/compiler/java/IncrementalCompileTask.class; then
  "${jdk}javac" -nowarn -proc:none -d "$work/classes" "$here/assemble/IncrementalCompileTask.java"
fi
main=org.gradle.launcher.GradleMain
if ! has org/gradle/launcher/Main.class; then
  main=io.palus.assemble.RunBuild
  "${jdk}javac" -nowarn -proc:none -cp "$api" -d "$work/classes" "$here/assemble/RunBuild.java"
fi
"${jdk}java" "$here/assemble/AssembleGradle.java" make "$api" "$home" "$version" "$work/classes" "$work/libraries"

# Gradle reaches into the JDK in the places opened here, as its own start script does.
cat > "$home/bin/gradle" << SCRIPT
#!/bin/sh
home=\$(cd "\$(dirname "\$(readlink -f "\$0")")/.." && pwd -P)
jdk=\${JAVA_HOME:-\$(dirname "\$(dirname "\$(readlink -f "\$(command -v java)")")")}
# Gradle's classes as an earlier JVM of the same JDK had them in memory; see the end of assemble-gradle.sh.
archive=\$home/classes-\$(cksum < "\$jdk/release" 2> /dev/null | cut -d ' ' -f 1).jsa
if [ "\${1-}" = --print-archive ]; then echo "\$archive"; exit; fi
[ -f "\$archive" ] || archive=
exec "\$jdk/bin/java" -Xmx512m -Xss2m -XX:MaxMetaspaceSize=384m \\
  --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.lang.invoke=ALL-UNNAMED \\
  --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED \\
  --add-opens=java.base/java.nio.charset=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED \\
  --add-opens=java.prefs/java.util.prefs=ALL-UNNAMED --add-opens=java.xml/javax.xml.namespace=ALL-UNNAMED \\
  --add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED \\
  --add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED \\
  -Dorg.gradle.appname=gradle -Dorg.gradle.internal.instrumentation.agent=false \\
  \${archive:+-Xlog:cds=off "-XX:SharedArchiveFile=\$archive"} \${JAVA_OPTS-} \${GRADLE_OPTS-} -cp "\$home/lib/*" $main "\$@"
SCRIPT
chmod +x "$home/bin/gradle"
echo "Gradle $version, assembled from dev.gradleplugins:gradle-api:$version; main class $main" > "$home/assembled"

# A rename is all or nothing; it fails where another process was faster, and then that one's is as good.
mv "$home" "$parent/" 2> /dev/null || [ -f "$parent/$name/assembled" ]

# Reading and checking Gradle's classes is half of a short build's processor time. A small build leaves them as the JVM
# has them in memory, for JVMs of this JDK alone; one without such a file, or that it does not fit, reads the jars.
mkdir -p "$work/build/src/main/java"
echo "plugins { id 'java' }" > "$work/build/build.gradle"
echo "rootProject.name = 'build'" > "$work/build/settings.gradle"
echo 'class A {}' > "$work/build/src/main/java/A.java"
archive=$("$parent/$name/bin/gradle" --print-archive)
if [ ! -f "$archive" ] && cd "$work/build" \
  && GRADLE_OPTS=-XX:ArchiveClassesAtExit=../classes.jsa "$parent/$name/bin/gradle" -g "$work/user-home" \
    --offline --console=plain --configuration-cache --build-cache classes < /dev/null > "$work/archive.log" 2>&1; then
  mv "$work/classes.jsa" "$archive" 2> /dev/null || true
fi
