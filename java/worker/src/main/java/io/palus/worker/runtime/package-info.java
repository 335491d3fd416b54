/**
 * What instrumented subject code calls: probes, distances, fuel, guards, a fixed clock. Runs inside
 * worker JVMs, on the thread of the subject; the only classes of ours that subject class loaders
 * see.
 */
package io.palus.worker.runtime;
