/**
 * The Maven plugin: runs in Maven's JVM, translates the project's settings, calls {@link
 * io.palus.host.Palus} and maps its errors. Entry: {@link io.palus.maven.GenerateMojo}; the
 * lifecycle it forks is in {@code META-INF/maven/lifecycle.xml}.
 */
package io.palus.maven;
