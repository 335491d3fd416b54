//! Subjects with everything that makes a call hard to write: overloads, generics, nested and hidden classes.

pub(super) const SHAPES: &[(&str, &str)] = &[
    (
        "demo/Shapes.java",
        r#"package demo;
        import java.util.*;
        public class Shapes {
          public int field = 4;
          public static final Shapes INSTANCE = new Shapes();
          protected Color color = Color.RED;
          public enum Color { RED, GREEN { } }
          public static String over(Object value) { return "Object"; }
          public static String over(String value) { return "String"; }
          public static String over(CharSequence value) { return "CharSequence"; }
          public static String over(int value) { return "int"; }
          public static String over(long value) { return "long"; }
          public static String over(char value) { return "char"; }
          public static String over(byte value) { return "byte"; }
          public static String over(Integer value) { return "Integer"; }
          public static String over(List<String> value) { return "List"; }
          public static String over(Object[] value) { return "Object[]"; }
          public static String over(int[] value) { return "int[]"; }
          public static String two(Object first, String second) { return "OS"; }
          public static String two(String first, Object second) { return "SO"; }
          public static int count(Object... values) { return values == null ? -1 : values.length; }
          public static int sum(int... values) { int sum = 0; for (int v : values) sum += v; return sum; }
          public static <T> List<T> listOf(T first, T second) { return Arrays.asList(first, second); }
          public static <T extends Comparable<T>> T greater(T first, T second) {
            return first.compareTo(second) > 0 ? first : second;
          }
          public static <T> T only() { return null; }
          public static List<String> names() { return new ArrayList<String>(Arrays.asList("a", "b")); }
          public static class Rows<T> {
            public List<Map.Entry<T, T>> rows() { return new ArrayList<Map.Entry<T, T>>(); }
          }
          public static Rows<?> unknownRows() { return new Rows<String>(); }
          public static int total(Collection<? extends Number> numbers) {
            int total = 0; for (Number n : numbers) total += n.intValue(); return total;
          }
          public static int length(List<String> texts) {
            int length = 0; for (String text : texts) length += text.length(); return length;
          }
          public static final Comparator<String> ORDER = String.CASE_INSENSITIVE_ORDER;
          static <T extends Number> boolean isNumber(Class<T> type) { return Number.class.isAssignableFrom(type); }
          public static boolean isOrder(Comparator<Integer> order) { return order != null; }
          @SuppressWarnings("rawtypes") public static List raw() { return new ArrayList(); }
          @SuppressWarnings("rawtypes") public static int sizeOf(Collection raw) { return raw.size(); }
          @Deprecated public int old() { return 1; }
          public void risky(int value) throws java.io.IOException {
            if (value < 0) throw new java.io.FileNotFoundException("x");
          }
          public Color color() { return color; }
          public Integer boxed() { return 7; }
          public Object anything() { return 7L; }
          public double third() { return 1.0 / 3; }
          public float nothing() { return Float.NaN; }
          public char letter() { return '\''; }
          public byte small() { return -3; }
          public short middle() { return 300; }
          public long large() { return Long.MIN_VALUE; }
          public Boolean truth() { return true; }
          public Shapes self() { return this; }
          public static Number half() { return 0.5; }
          public static boolean isType(Class<?> type, Object value) { return type.isInstance(value); }
          public class Inner { public int outerField() { return field; } }
          public static class Nested<T> { T value; public Nested(T value) { this.value = value; } public T value() { return value; } }
          private static class Secret extends IllegalStateException {
            private static final long serialVersionUID = 1L;
          }
          public void secret() { throw new Secret(); }
        }"#,
    ),
    (
        "demo/Box.java",
        "package demo;
        public class Box<T> {
          private T content;
          public void set(T content) { this.content = content; }
          public T get() { return content; }
          public void copy(Box<? extends T> other) { content = other.get(); }
        }",
    ),
    (
        "demo/Names.java",
        "package demo;
        import java.util.*;
        public class Names extends ArrayList<String> {
          private static final long serialVersionUID = 1L;
        }",
    ),
    (
        "demo/Mapper.java",
        "package demo;
        public interface Mapper<A, B> { B map(A input); }",
    ),
    (
        "demo/Old.java",
        r#"package demo;
        import java.util.*;
        @Deprecated @SuppressWarnings({"rawtypes", "serial"})
        public class Old extends ArrayList {
          public static class Part { public int part() { return 3; } }
        }
        class ByLength implements Comparator<String> {
          @Override public int compare(String left, String right) { return left.length() - right.length(); }
        }
        class Auxiliary { public int aid() { return 4; } }"#,
    ),
    (
        "demo/Work.java",
        "package demo;
        import java.util.*;
        public class Work {
          public static <A, B> B apply(Mapper<A, B> mapper, A input) { return mapper.map(input); }
          public static void run(Runnable runnable) { runnable.run(); }
          public static int compare(Comparator<String> order) { return order.compare(\"a\", \"b\"); }
        }",
    ),
    (
        "other/Hidden.java",
        "package other;
        class Hidden {
          public int hidden() { return 5; }
          public static class Public { public int value() { return 6; } }
        }",
    ),
    (
        "other/Visible.java",
        "package other;
        public class Visible extends Hidden {
          public static Visible make() { return new Visible(); }
          public static CharSequence text() { return new Text(); }
          private static class Text implements CharSequence {
            public char charAt(int index) { return 'x'; }
            public int length() { return 3; }
            public CharSequence subSequence(int start, int end) { return this; }
          }
        }",
    ),
    (
        "demo/Guarded.java",
        "package demo;
        public class Guarded { protected int guarded() { return 7; } }",
    ),
    (
        "other/Overriding.java",
        "package other;
        public class Overriding extends demo.Guarded {
          @Override protected int guarded() { return 8; }
        }",
    ),
    (
        "other/List.java",
        "package other;
        public class List { public int size() { return 9; } }",
    ),
];
