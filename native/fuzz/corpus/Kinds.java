// What `Point`, `Level`, `Mark` and `Visitor` of the corpus come from: `javac -g --release 17 Kinds.java`.
import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.TYPE_USE, ElementType.METHOD, ElementType.PARAMETER})
@interface Mark { String[] value() default {"a", "b"}; int order() default 3; Class<?> kind() default Object.class; Level level() default Level.LOW; }

enum Level implements IntSupplier {
  LOW { @Override public int getAsInt() { return 1; } },
  HIGH { @Override public int getAsInt() { return 9; } };
}

sealed interface Visitor<R extends Comparable<? super R>> permits Point, Visitor.None {
  R visit(List<? extends Map<String, int[][]>> all) throws java.io.IOException;
  default <T extends R> T pick(@Mark T first, Supplier<? extends T> other) { return first == null ? other.get() : first; }
  static long count(double... values) { return values.length; }
  final class None implements Visitor<String> { public String visit(List<? extends Map<String, int[][]>> all) { return ""; } }
}

@Mark(value = "point", order = 7, kind = String[].class, level = Level.HIGH)
record Point(int x, @Mark List<@Mark String> names) implements Visitor<String> {
  Point { Objects.requireNonNull(names); }
  public String visit(List<? extends Map<String, int[][]>> all) {
    long sum = 0; double part = 0.5; float f = 1.5f;
    for (Level level : Level.values()) {
      switch (level) { case LOW: sum += 40_000_000_000L; break; case HIGH: sum ^= x << 3; default: part *= f; }
    }
    switch (names.toString()) { case "[]": return "none"; case "Zürich": sum--; }
    switch (x) { case 1, 2, 3: sum++; case 4: part--; break; case -1_000_000: return "far"; }
    synchronized (names) { try { sum = names.size() / x; } catch (ArithmeticException | IllegalStateException e) { sum = Long.MIN_VALUE; } finally { part = -part; } }
    BiFunction<Integer, Integer, int[]> maker = (a, b) -> new int[] {a, b, x};
    Object[][] grid = new Object[3][4];
    grid[1][2] = (Comparator<String> & java.io.Serializable) String::compareTo;
    return sum + ":" + part + ((Object) grid instanceof Object[] o ? o.length : 0) + maker.apply(1, 2).length;
  }
}
