//! Literals mean in Java what they mean here.

use crate::literal;
use palus_fixture::compile;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::fmt::Write;
use std::process::Command;

const PRINTERS: &str = "public class Literals {
        static void units(String text) {
          StringBuilder all = new StringBuilder();
          for (char unit : text.toCharArray()) all.append(Integer.toHexString(unit)).append(' ');
          System.out.println(all);
        }
        static void bits(double value) { System.out.println(Long.toHexString(Double.doubleToRawLongBits(value))); }
        static void bits(float value) { System.out.println(Integer.toHexString(Float.floatToRawIntBits(value))); }
        static void hex(long value) { System.out.println(Long.toHexString(value)); }
        static void hex(int value) { System.out.println(Integer.toHexString(value)); }
        static void hex(char value) { System.out.println(Integer.toHexString(value)); }
        static void hex(short value) { System.out.println(Integer.toHexString(value & 0xffff)); }
        static void hex(byte value) { System.out.println(Integer.toHexString(value & 0xff)); }
        ";

/// A literal, the Java expression that prints its exact value, and what that prints.
type Case = (String, &'static str, String);

fn sample<S: Strategy>(runner: &mut TestRunner, strategy: &S, count: usize) -> Vec<S::Value> {
    (0..count)
        .map(|_| strategy.new_tree(runner).expect("a value").current())
        .collect()
}

fn units(text: &str) -> String {
    text.encode_utf16().fold(String::new(), |mut all, unit| {
        write!(all, "{unit:x} ").expect("a String takes all");
        all
    })
}

/// A program that prints each literal.
fn source(cases: &[Case]) -> String {
    let mut source = String::from(PRINTERS);
    for (number, (literal, printer, _)) in cases.iter().enumerate() {
        if number % 200 == 0 {
            writeln!(
                source,
                "{} static void part{}() {{",
                if number == 0 { "" } else { "}" },
                number / 200
            )
            .expect("a String takes all");
        }
        assert!(literal.is_ascii(), "{literal}");
        writeln!(source, "{printer}({literal});").expect("a String takes all");
    }
    source.push_str("} public static void main(String[] arguments) {");
    for part in 0..cases.len().div_ceil(200) {
        write!(source, "part{part}();").expect("a String takes all");
    }
    source.push_str("}}");
    source
}

fn cases() -> Vec<Case> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(proptest::test_runner::Config::default(), rng);
    let any = proptest::prelude::any::<(u64, u32, u16)>();
    let numbers = sample(&mut runner, &any, 200);
    let mut texts = sample(&mut runner, &"(?s).{0,12}", 150);
    let tricky = [
        "",
        "\\",
        "\"",
        "'",
        "\\u0022",
        "\\\\u000a",
        "\n\r\t\u{8}\u{c}",
        "\0",
        "\u{0}7",
        "\u{1f600}",
        "\u{85}",
        "\u{2028}",
        "a\u{7f}b",
        "// */ ${x}",
    ];
    texts.extend(tricky.map(String::from));
    let mut cases: Vec<Case> = Vec::new();
    for text in &texts {
        cases.push((literal::text(text), "units", units(text)));
    }
    let special_doubles = [
        f64::NAN,
        f64::INFINITY,
        -0.0,
        0.0,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        1e300,
        1e7,
        1e-7,
        f64::MAX,
    ];
    let doubles = numbers
        .iter()
        .map(|(bits, _, _)| *bits)
        .chain(special_doubles.map(f64::to_bits));
    for bits in doubles.chain([0x7ff8_0000_0000_0001]) {
        cases.push((literal::double(bits), "bits", format!("{bits:x}")));
    }
    let special_floats = [
        f32::NAN,
        f32::NEG_INFINITY,
        -0.0,
        1e10,
        f32::from_bits(1),
        f32::MAX,
    ];
    let floats = numbers
        .iter()
        .map(|(_, bits, _)| *bits)
        .chain(special_floats.map(f32::to_bits));
    for bits in floats {
        cases.push((literal::float(bits), "bits", format!("{bits:x}")));
    }
    for &(long, int, short) in &numbers {
        cases.push((
            literal::long(long.cast_signed()),
            "hex",
            format!("{long:x}"),
        ));
        cases.push((literal::int(int.cast_signed()), "hex", format!("{int:x}")));
        cases.push((literal::char(short), "hex", format!("{short:x}")));
        cases.push((
            literal::short(short.cast_signed()),
            "hex",
            format!("{short:x}"),
        ));
    }
    for edge in [i64::MIN, i64::MAX] {
        cases.push((literal::long(edge), "hex", format!("{edge:x}")));
        cases.push((
            literal::int(edge as i32),
            "hex",
            format!("{:x}", edge as i32),
        ));
        cases.push((literal::byte(i8::MIN), "hex", "80".into()));
    }
    cases
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "java prints what its compiler read"
)]
fn literals_keep_every_bit() {
    let cases = cases();
    let source = source(&cases);
    let compiled = compile(&[("Literals.java", &source)]);
    let output = Command::new("java")
        .arg("-cp")
        .arg(&compiled.dir)
        .arg("Literals")
        .output()
        .expect("java starts");
    let printed = String::from_utf8(output.stdout).expect("ASCII");
    let printed: Vec<&str> = printed.lines().collect();
    assert_eq!(printed.len(), cases.len());
    for ((literal, _, expected), printed) in cases.iter().zip(printed) {
        assert_eq!(expected, printed, "{literal}");
    }
}
