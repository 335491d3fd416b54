# Apache BCEL 6.5.0, a library for class files, with its own tests.
title='Apache BCEL 6.5.0'
main_sources org.apache.bcel:bcel:6.5.0:sources
test_sources org.apache.bcel:bcel:6.5.0:test-sources
own_sources
dependencies=(junit:junit:4.13.2:test net.java.dev.jna:jna:5.5.0:test net.java.dev.jna:jna-platform:5.5.0:test
  org.apache.commons:commons-lang3:3.10:test javax:javaee-api:6.0:test org.openjdk.jmh:jmh-core:1.19:test
  commons-io:commons-io:2.7:test org.apache.commons:commons-collections4:4.4:test)
