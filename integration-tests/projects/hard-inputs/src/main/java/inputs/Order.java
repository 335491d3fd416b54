package inputs;

import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Functional interfaces of the JDK, by what they return. */
public class Order {
  public String by(Comparator<String> comparator) {
    int upper = comparator.compare("B", "a");
    int lower = comparator.compare("a", "b");
    return upper > 0 && lower < 0 ? "reached an order without case" : "other";
  }

  public String supplied(Supplier<String> supplier) {
    return "tea".equals(supplier.get()) ? "reached a supplied word" : "other";
  }

  public String applied(Function<String, Integer> function) {
    return function.apply("four") == 4 ? "reached a function's result" : "other";
  }

  public String tested(Predicate<String> predicate, BiFunction<Integer, Integer, Integer> sum) {
    return predicate.test("x") && sum.apply(1, 2) == 3 ? "reached a sum of a function" : "other";
  }
}
