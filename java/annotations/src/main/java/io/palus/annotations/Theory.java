package io.palus.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a test class that has to hold for any arguments: Palus calls it with objects
 * that it made, and reports those for which the method throws. For projects on JUnit 5 or 6; on
 * JUnit 4 the method may carry {@code org.junit.experimental.theories.Theory} instead.
 *
 * <pre>{@code
 * @Theory
 * void popGivesWhatWasPushed(Stack stack, String item) {
 *   Assumptions.assumeTrue(stack != null);
 *   stack.push(item);
 *   assertEquals(item, stack.pop());
 * }
 * }</pre>
 *
 * <p>A failed assumption passes in silence. The method may be neither private nor static; its class
 * may not be private, and needs a constructor without parameters.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Theory {}
