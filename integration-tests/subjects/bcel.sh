# Apache BCEL 6.5.0, a library for class files.
title='Apache BCEL 6.5.0'
main_sources org.apache.bcel:bcel:6.5.0:sources
own_sources
dependencies=(junit:junit:4.13.2:test)
