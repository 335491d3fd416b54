# Apache Commons Collections 3.2.2 with the whole of its own suite (JUnit 3 style, run by JUnit 4).
title='Apache Commons Collections 3.2.2'
main_sources commons-collections:commons-collections:3.2.2:sources
test_sources commons-collections:commons-collections:3.2.2:test-sources
# Its MultiMap.remove(Object, Object) clashes with Map.remove of Java 8.
release=7
dependencies=(junit:junit:4.13.2:test)
# Some tests compare with serialized objects which are kept as files, and the jar of test sources lacks those. The
# suite's own switch for such a run is this property.
test_arguments=-Dorg.apache.commons.collections:with-clover=true
# Base classes of tests, and suites that would run everything once more.
test_excludes=('**/TestAll*.java' '**/AbstractTest*.java' '**/BulkTest.java')
