package io.palus.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a broken rule is wanted: findings with these codes are not reported for the method, or
 * for all methods of the class and of classes nested in it.
 *
 * <pre>{@code
 * @PalusIgnore("P101") // never equal to anything, like SQL's null
 * @Override
 * public boolean equals(Object other) {
 *   return false;
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface PalusIgnore {
  /** Codes of findings, such as {@code P101}. */
  String[] value();
}
