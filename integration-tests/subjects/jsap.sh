# JSAP 2.1, a parser of command lines. The jar on Maven Central has neither line numbers nor sources; Debian's has lines.
title='JSAP 2.1'
main_debian_classes libjsap-java jsap.jar
# They need other libraries, or are examples.
rm -rf "$project"/src/main/resources/com/martiansoftware/jsap/{ant,xml,examples}
own_sources
dependencies=(junit:junit:4.13.2:test)
