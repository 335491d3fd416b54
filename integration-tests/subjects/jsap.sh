# JSAP 2.1, a parser of command lines, with its own tests, from Debian's sources: Maven Central has none.
title='JSAP 2.1'
debian_sources jsap src/java
# A task for Ant, and examples.
rm -rf "$project"/src/{main,test}/java/com/martiansoftware/jsap/{ant,examples}
own_sources
dependencies=(com.thoughtworks.xstream:xstream:1.4.20 junit:junit:4.13.2:test)
test_excludes=('**/TestAll.java')
