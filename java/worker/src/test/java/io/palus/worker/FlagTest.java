package io.palus.worker;

import static io.palus.worker.DistanceRows.check;
import static io.palus.worker.DistanceRows.row;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jump on a boolean is measured by what made the boolean. */
class FlagTest {
  @TempDir Path folder;

  @Test
  void a_boolean_is_as_far_as_what_made_it() throws IOException {
    check(
        folder,
        """
        static boolean isBig(int n) { return n > 10; }
        static boolean isBetween(int n) { return n > 10 && n < 20; }
        static boolean isFive(int n) { if (n == 5) return true; return false; }
        static boolean isHalf(int n) { return n / 2.0 > 5; }
        static boolean isThere(int n) { return Integer.valueOf(n).equals(10); }
        static boolean isCalled(int n) { return !isBig(n); }
        static boolean isKept(int n) { boolean big = n > 10; int other = n * 2; return big; }
        static boolean isAsked(int n) { boolean big = isBig(n); isFive(n); return big; }
        static java.util.function.IntPredicate lambda = n -> n > 10;
        """,
        row("isBig(a)", 7, 0, 4, "order: int 7, int 10"),
        row("!isBig(a)", 12, 0, 3, "order: int 12, int 10"),
        row("isBetween(a)", 7, 0, 4),
        row("isBetween(a)", 25, 0, 6),
        row("isBetween(a)", 12, 0, 9),
        row("isFive(a)", 7, 0, 2, "order: int 7, int 5"),
        row("isFive(a)", 5, 0, 1),
        row("isHalf(a)", 7, 0, 2.5, "order: double 3.5, double 5.0"),
        row("isThere(a)", 7, 0, 3, "order: int 7, int 10"),
        row("isCalled(a)", 7, 0, 4, "order: int 7, int 10"),
        row("isKept(a)", 7, 0, 4, "order: int 7, int 10"),
        row("isAsked(a)", 7, 0, 4, "order: int 7, int 10"),
        row("lambda.test(a)", 7, 0, 4, "order: int 7, int 10"));
  }

  @Test
  void a_boolean_of_unknown_making_is_one_bit() throws IOException {
    check(
        folder,
        """
        static boolean flag;
        static boolean isStored(int n) { flag = n > 10; return flag; }
        static boolean isBoxed(int n) { boolean big = n > 10; return Boolean.TRUE; }
        static boolean isGiven(boolean is) { return is; }
        static boolean isGivenBig(int n) { return isGiven(n > 3); }
        static boolean isSet(boolean is) { if (is) { is = is & flag; } return is; }
        static boolean isSetSmall(int n) { return isSet(n < 3); }
        static boolean isDeep(int n) { boolean big = n > 10; if (n < 3) isDeep(n + 1); return big; }
        static boolean isDone(int n) { if (n > 10) { flag = true; } return true; }
        static int sign(int n) { return n > 10 ? 1 : 0; }
        static boolean compares(int n) {
          new TreeSet<>(Arrays.asList(new Small(n), new Small(9)));
          return new ArrayList<Small>(Arrays.asList(new Small(n))).add(null);
        }
        static class Small implements Comparable<Small> {
          int n;
          Small(int n) { this.n = n; }
          public int compareTo(Small other) { boolean big = n > 10; return big ? 1 : 0; }
        }
        """,
        row("isStored(a)", 7, 0, 1, ""),
        row("isBoxed(a)", 7, 0, 1, ""),
        row("isGivenBig(a)", 7, 0, 1),
        row("isSetSmall(a)", 7, 0, 1),
        row("isDeep(a)", 1, 0, 1, ""),
        row("isDeep(a)", 7, 0, 4),
        row("isDone(a)", 7, 0, 1),
        row("sign(a) == 1", 7, 0, 1),
        row("compares(a)", 7, 0, 1),
        row("new TreeSet<>(Arrays.asList(new Small(a))).add(new Small(9))", 7, 0, 1, ""));
  }
}
