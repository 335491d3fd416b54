package io.palus.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Offers the value of a {@code public static} field as an argument of a method under test, beside
 * the values that were recorded.
 *
 * <pre>{@code
 * @ParamValue(cn = "tinySQLStatement", mn = "executeQuery")
 * public static String query = "select * from table_name";
 * }</pre>
 *
 * <p>The value is tried at every parameter whose type accepts it, in every overload. A field that
 * is not static or not accessible is ignored with a warning.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface ParamValue {
  /**
   * The class that declares the method: a qualified name, or a simple one where that is
   * unambiguous.
   */
  String cn();

  /** The method's name, or {@code <init>} for constructors. */
  String mn();
}
