//! What is learned does not depend on how many threads learn it.

use super::builder::Sample;
use crate::Models;
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::OnceLock;

const OBJECTS: usize = 800;
/// Objects that one round uses.
const NEAR: usize = 40;
const CLASSES: [&str; 4] = ["A", "B", "C", "java/util/ArrayList"];

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    let class = |name: &str| {
        format!(
            "class {name} {{ {name}(int n) {{}} void f(Object o) {{}} void g(Object[] a, int n) {{}} \
             int size(Object o) {{ return 0; }} private void h() {{}} \
             static {name} of(Object o) {{ return null; }} }}"
        )
    };
    let java: String = CLASSES[..3].iter().map(|name| class(name)).collect();
    SAMPLE.get_or_init(|| Sample::new(&java, &["A.size", "B.size", "C.size", "B.of"]))
}

fn names() -> Vec<(String, &'static str)> {
    let class = |place: usize| CLASSES[place % CLASSES.len()];
    (0..OBJECTS)
        .map(|place| (format!("o{place}"), class(place)))
        .collect()
}

/// A call: its depth, what is called, on and with which objects, a number, its thread, and whether it throws.
type Line = (usize, usize, usize, usize, u8, usize, bool);

fn line() -> impl Strategy<Value = Line> {
    let numbers = (0..4usize, 0..9usize, 0..NEAR, 0..NEAR, any::<u8>());
    (numbers, 0..3usize, prop::bool::weighted(0.05)).prop_map(
        |((depth, method, on, with, number), thread, throws)| {
            (depth, method, on, with, number, thread, throws)
        },
    )
}

/// The trace of these lines, told over and over with other objects, so that it takes several batches.
fn trace(lines: &[Line], rounds: usize) -> String {
    let mut text = String::new();
    for round in 0..rounds {
        text.push_str("@test\n");
        let start = round * 4;
        for place in NEAR - 4..NEAR - 1 {
            let class = CLASSES[place % 4];
            writeln!(text, "o{} = new {class}(1)", (start + place) % OBJECTS).unwrap();
        }
        let mut deepest = 0;
        for &(depth, method, on, with, number, thread, throws) in lines {
            let with = (start + with) % OBJECTS;
            // Of a class that is traced.
            let on = (start + on / 4 * 4 + on % 3) % OBJECTS;
            let class = CLASSES[on % CLASSES.len()];
            let depth = if thread == 0 { depth.min(deepest) } else { 0 };
            deepest = depth + 1;
            let call = match method {
                0 | 1 => format!("o{on} = new {class}({number})"),
                2 => format!("o{on} = {class}.of(o{with})"),
                3 => format!("o{on}.size(o{with})"),
                4 => format!("o{on}.h()"),
                5 => format!("o{on}.g([Ljava/lang/Object;{{o{with} null o{on}}}, {number})"),
                6 => format!("o{on}.f(\"text {number}\")"),
                _ => format!("o{on}.f(o{with})"),
            };
            let throws = if throws { " !" } else { "" };
            writeln!(text, "{}{call}{throws} #{thread}", "  ".repeat(depth)).unwrap();
        }
        text.push_str(if round % 100 == 99 {
            "@failed\n"
        } else {
            "@passed\n"
        });
    }
    text
}

fn learn(files: &[Vec<u8>], threads: usize) -> Models {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build()
        .unwrap()
        .install(|| sample().learn_files(files))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn models_are_the_same_for_any_number_of_threads(
        first in prop::collection::vec(line(), 40..60),
        second in prop::collection::vec(line(), 40..60),
    ) {
        let names = names();
        let objects: Vec<_> = names.iter().map(|(name, class)| (&**name, *class)).collect();
        let files = [trace(&first, 600), trace(&second, 3)];
        let files: Vec<_> = files.iter().map(|text| sample().file(&objects, text)).collect();
        let alone = learn(&files, 1);
        prop_assert!(alone.statistics().calls >= 24_000 && alone.statistics().histories > 100);
        for threads in [2, 3] {
            let together = learn(&files, threads);
            prop_assert_eq!(&together, &alone);
            let stored = |models: &Models| models.store(&sample().program).encode();
            prop_assert!(stored(&together) == stored(&alone));
        }
    }
}
