/**
 * Rewrites classes before they are loaded in a worker JVM: probes and fuel for subject classes,
 * guards for all that are not the JDK's. Entry class is {@link
 * io.palus.worker.instrument.Instrumenter}.
 */
package io.palus.worker.instrument;
