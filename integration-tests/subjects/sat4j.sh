# SAT4J core 2.3.6, a solver of Boolean satisfiability, with its own tests, which are published compiled. The jar on Maven
# Central has no line numbers, so it is compiled.
title='SAT4J core 2.3.6'
main_sources org.ow2.sat4j:org.ow2.sat4j.core:2.3.6:sources
main_classes org.ow2.sat4j:org.ow2.sat4j.core:2.3.6
find "$project/src/main/resources" -name '*.class' -delete
test_classes org.ow2.sat4j:org.ow2.sat4j.core:2.3.6:tests
own_sources
dependencies=(junit:junit:4.13.2:test)
# Suites, and tests whose benchmark files are not published.
test_excludes=('**/AllTests*' '**/CLITest*' '**/StampPerformanceTest*' '**/TestSatAssumps*' '**/JsonReaderTest*'
  '**/GenericM2Test*' '**/M2*Test*' '**/TestsFonctionnels*' '**/ApproxMC*Test*')
