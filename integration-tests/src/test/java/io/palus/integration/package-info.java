/**
 * Real projects built by real Gradle and Maven versions through the published plugins; entry
 * classes are the tests. This code starts builds and reads what they leave; it knows nothing of
 * Palus's insides.
 */
package io.palus.integration;
