/**
 * The build JVM's side of Palus, shared by the Gradle and the Maven plugin. Entry: {@link
 * io.palus.host.Palus}. Nothing here ever loads a class of the project that is tested. {@link
 * io.palus.host.CoverageMain} alone runs elsewhere, in a JVM of its own.
 */
package io.palus.host;
