//! A class that is worked on again has the tests that it had, where these still say the truth, and more for what is new.

use crate::project_lab::Lab;

const OPTIONS: [(&str, &str); 1] = [("budget", "800")];

const SIZE: (&str, &str) = (
    "demo/Size.java",
    "package demo; public enum Size { SMALL(5), LARGE(12); private final int fee; Size(int fee) { this.fee = fee; } \
       public int fee() { return fee; } }",
);

/// Numbers, texts, constants, lists, exceptions, a lambda expression.
fn desk(fee: u32, more: &str) -> String {
    format!(
        "package demo; import java.util.*;
         public class Desk {{
           public interface Listener {{ void heard(String name); }}
           private final List<String> names = new ArrayList<>();
           private long paid;
           {more}
           public long send(String name, Size size, double weight) {{
             if (name == null || name.isEmpty()) throw new IllegalArgumentException(\"no name\");
             if (weight > 31.5) throw new IllegalStateException(\"too heavy: \" + name);
             names.add(name);
             long fee = size == Size.LARGE ? size.fee() * 2L : {fee};
             paid += fee;
             return fee;
           }}
           public int sent() {{ return names.size(); }}
           public long paid() {{ return paid; }}
           public String last() {{ return names.isEmpty() ? null : names.get(names.size() - 1); }}
           public boolean isBusy(int limit) {{ return names.size() >= limit && limit > 0; }}
           public void tell(Listener listener) {{ for (String name : names) listener.heard(name); }}
           public static int volume(int[] sides) {{ int all = 1; for (int side : sides) all *= side; return all; }}
         }}"
    )
}

const RETURNED: &str = "private int returned;
  public boolean giveBack(String name, int days) {
    if (days > 14) return false;
    if (!names.remove(name)) return false;
    returned++;
    return true;
  }
  public int returned() { return returned; }";

fn lab(fee: u32) -> Lab {
    Lab::after_run(&[("demo/Desk.java", &desk(fee, "")), SIZE], &OPTIONS)
}

fn text(lab: &Lab) -> String {
    lab.written("demo")["DeskPalusTest.java"].clone()
}

/// The tests of a file, each from its annotation to its last brace.
fn tests(text: &str) -> Vec<String> {
    let tests = text.split("  @Test\n").skip(1);
    let whole = |test: &str| test.split_once("\n  }\n").unwrap().0.to_owned();
    tests.map(whole).collect()
}

/// Those of `old` that are in `new`, and whether they stand there in their order.
fn staying(old: &str, new: &str) -> (usize, bool) {
    let (old, new) = (tests(old), tests(new));
    let places = old
        .iter()
        .map(|test| new.iter().position(|one| one == test));
    let places: Vec<usize> = places.flatten().collect();
    (places.len(), places.is_sorted())
}

#[test]
fn a_method_more_takes_no_test_from_its_class_and_no_name_from_a_test() {
    let mut lab = lab(4);
    let old = text(&lab);
    let all = tests(&old).len();
    assert!(all > 6, "{old}");
    lab.edit(&[("demo/Desk.java", &desk(4, RETURNED)), SIZE]);
    let said = lab.run(&OPTIONS);
    let new = text(&lab);
    assert_eq!(staying(&old, &new), (all, true), "{said}\n{old}\n{new}");
    assert!(new.contains("void giveBack_"), "{new}");
    // Or else the example shows nothing.
    lab.run(&[&OPTIONS[..], &[("incremental", "false")]].concat());
    let anew = text(&lab);
    assert!(staying(&old, &anew).0 < all, "{old}\n{anew}");
}

#[test]
fn a_checkout_without_notes_of_the_last_run_keeps_its_tests() {
    let lab = lab(4);
    let old = text(&lab);
    std::fs::remove_dir_all(lab.work()).unwrap();
    let said = lab.run(&OPTIONS);
    assert_eq!(text(&lab), old, "{said}");
    // What is found now is another thing.
    std::fs::remove_dir_all(lab.work()).unwrap();
    let said = lab.run(&[("budget", "800"), ("seed", "77")]);
    let new = text(&lab);
    assert_eq!(
        staying(&old, &new),
        (tests(&old).len(), true),
        "{said}\n{old}\n{new}"
    );
}

#[test]
fn an_accepted_change_leaves_what_a_test_does_and_all_other_tests() {
    let mut lab = lab(4);
    let old = text(&lab);
    assert!(old.contains("assertEquals(4L, "), "{old}");
    lab.edit(&[("demo/Desk.java", &desk(6, "")), SIZE]);
    let said = lab.run(&[&OPTIONS[..], &[("accept", "true")]].concat());
    let new = text(&lab);
    let bodies = |text: &str| -> Vec<String> {
        let tests = tests(text).into_iter();
        let bodies = tests.map(|test| test.split_once("() {\n").unwrap().1.to_owned());
        bodies.collect()
    };
    let new = bodies(&new);
    for test in bodies(&old) {
        let now = test.replace("assertEquals(4L, ", "assertEquals(6L, ");
        assert!(new.contains(&now), "{said}\n{now}\n{new:#?}");
    }
}

/// What no text alone tells is made anew and compared with: the test that is most like the failing one is the same.
#[test]
fn accepting_alone_leaves_what_a_test_does_where_its_value_is_an_object() {
    let late = |factor: &str| {
        format!(
            "package demo; import java.math.BigDecimal; public class Late {{
               public static BigDecimal fee(long days) {{
                 if (days <= 0) return BigDecimal.ZERO;
                 BigDecimal fee = new BigDecimal(\"{factor}\").multiply(BigDecimal.valueOf(days));
                 return fee.compareTo(new BigDecimal(\"50\")) > 0 ? new BigDecimal(\"50\") : fee;
               }}
             }}"
        )
    };
    let options = [("budget", "800")];
    let mut lab = Lab::new(&[("demo/Late.java", &late("1.5"))], &[]);
    lab.run(&options);
    let file = |lab: &Lab| lab.written("demo")["LatePalusTest.java"].clone();
    let old = file(&lab);
    lab.edit(&[("demo/Late.java", &late("2.25"))]);
    let said = lab.accept(&options);
    let new = file(&lab);
    let calls = |text: &str| -> Vec<String> {
        let calls = text.lines().filter_map(|line| line.split_once("Late.fee("));
        calls.map(|(_, call)| call.to_owned()).collect()
    };
    assert_eq!(calls(&old), calls(&new), "{said}\n{old}\n{new}");
    assert_ne!(old, new, "{said}");
    lab.edit(&[("demo/Late.java", &late("1.5"))]);
    assert!(lab.compared(&options).1.is_err(), "{new}");
}

#[test]
fn what_calls_a_method_that_is_gone_goes_and_nothing_else() {
    let mut lab = lab(4);
    let old = text(&lab);
    let less = desk(4, "").replace(
        "public boolean isBusy(int limit) { return names.size() >= limit && limit > 0; }",
        "",
    );
    lab.edit(&[("demo/Desk.java", &less), SIZE]);
    let said = lab.run(&[&OPTIONS[..], &[("accept", "true")]].concat());
    let new = text(&lab);
    let without = tests(&old)
        .iter()
        .filter(|test| !test.contains("isBusy"))
        .count();
    let (stay, is_in_order) = staying(&old, &new);
    assert!(is_in_order && stay >= without, "{said}\n{old}\n{new}");
    assert!(!new.contains("isBusy"), "{new}");
}
