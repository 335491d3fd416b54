/**
 * The tracing agent: records what the methods of subject classes do while the project's own tests
 * run.
 *
 * <p>Comes in: an options file, classes as they are loaded, calls. Goes out: one trace file per
 * JVM, as {@code native/wire/FORMAT.md} describes it. It knows nothing of what is learnt from a
 * trace, never calls code of the program and never throws into it.
 */
package io.palus.agent;
