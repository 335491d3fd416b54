/**
 * Runs written tests in a fresh JVM, without a test framework's runner around them. Runs in a
 * process of its own on the project's test class path; entry class is {@link
 * io.palus.worker.verify.VerifyMain}.
 */
package io.palus.worker.verify;
