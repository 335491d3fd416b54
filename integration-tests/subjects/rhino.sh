# Mozilla Rhino 1.7.14, an implementation of JavaScript. The jar on Maven Central has no line numbers, so it is compiled.
title='Mozilla Rhino 1.7.14'
main_sources org.mozilla:rhino:1.7.14:sources
main_classes org.mozilla:rhino:1.7.14
find "$project/src/main/resources" -name '*.class' -delete
own_sources
dependencies=(junit:junit:4.13.2:test)
