/**
 * The worker JVM: runs batches of sequences on instrumented subject classes. Runs in a process of
 * its own, sandboxed and killed at need by the engine; entry class is {@link
 * io.palus.worker.WorkerMain}.
 */
package io.palus.worker;
