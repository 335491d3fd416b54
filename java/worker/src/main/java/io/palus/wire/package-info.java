/**
 * The wire's bytes on the Java side: integers, strings, frames, and rules both the agent and the
 * worker follow. Runs in worker and test JVMs; entry classes are {@link io.palus.wire.FrameReader}
 * and {@link io.palus.wire.FrameWriter}. {@code native/wire/FORMAT.md} is the specification.
 */
package io.palus.wire;
