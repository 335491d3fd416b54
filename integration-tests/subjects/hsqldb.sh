# HSQLDB 1.8.0.1, a small SQL engine with a JDBC driver. Its jar on Maven Central has no line numbers, so it is compiled.
title='HSQLDB 1.8.0.1'
encoding=ISO-8859-1
main_sources hsqldb:hsqldb:1.8.0.1:sources
# Its implementation of JDBC 3 is not compiled by today's javac, which knows the methods of later versions: these classes
# are the jar's own, without lines. Tools with windows, samples and its own tests, which are old, are left out.
rm -rf "$project"/src/main/java/org/hsqldb/{jdbc,sample,test,util,Servlet.java,jdbcDriver.java} "$project/src/main/java/hsqlServlet.java"
main_classes hsqldb:hsqldb:1.8.0.1
(cd "$project/src/main/resources" && find . -name '*.class' ! -path './org/hsqldb/jdbc*' -delete)
own_sources
dependencies=(junit:junit:4.13.2:test)
