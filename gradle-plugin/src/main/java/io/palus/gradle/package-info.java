/**
 * The Gradle plugin: runs in Gradle's JVM, translates the project's settings, calls {@link
 * io.palus.host.Palus} and maps its errors. Entry: {@link io.palus.gradle.PalusPlugin}.
 */
package io.palus.gradle;
