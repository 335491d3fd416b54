//! Assertions chosen by faults, through whole runs.

use crate::project_lab::Lab;
use palus_engine::ErrorKind;

const GATE: (&str, &str) = (
    "demo/Gate.java",
    r"package demo;
public class Gate {
  private int passed;
  private int refused;
  public boolean pass(int weight) {
    if (weight > 10) {
      refused++;
      return false;
    }
    passed++;
    return true;
  }
  public int getPassed() { return passed; }
  public int getRefused() { return refused; }
  public boolean isOpen() { return true; }
  public int getLimit() { return 10; }
}
",
);

const MONEY: (&str, &str) = (
    "shop/Money.java",
    r#"package shop;
import java.math.BigDecimal;
public final class Money {
  private final BigDecimal amount;
  private final String currency;
  public Money(BigDecimal amount, String currency) {
    if (amount == null) { throw new IllegalArgumentException("no amount"); }
    this.amount = amount;
    this.currency = currency;
  }
  public static Money of(String amount) { return new Money(new BigDecimal(amount), "EUR"); }
  public boolean isNegative() { return amount.signum() < 0; }
  public BigDecimal getAmount() { return amount; }
  public String getCurrency() { return currency; }
  public Money plus(Money other) { return new Money(amount.add(other.amount), currency); }
}
"#,
);

const TOKENS: &[(&str, &str)] = &[
    (
        "shop/Token.java",
        r"package shop;
public class Token {
  private final String text;
  private final int at;
  Token(String text, int at) { this.text = text; this.at = at; }
  public String getText() { return text; }
  public int getAt() { return at; }
}
",
    ),
    (
        "shop/Misfit.java",
        r#"package shop;
public class Misfit extends RuntimeException {
  private final int position;
  Misfit(char found, int position) {
    super("Unexpected " + found + " at " + position);
    this.position = position;
  }
  public int getPosition() { return position; }
}
"#,
    ),
    (
        "shop/Scanner.java",
        r#"package shop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
public class Scanner {
  public List<Token> scan(String text) {
    List<Token> tokens = new ArrayList<Token>();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '!') { throw new Misfit(c, i); }
      if (c != ' ') { tokens.add(new Token("<" + c + ">", i)); }
    }
    return tokens;
  }
  public List<String> words(String text) {
    List<String> words = new ArrayList<String>();
    for (String word : text.split("-")) { words.add(word + ";"); }
    return words;
  }
  public Optional<Token> first(String text) {
    List<Token> tokens = scan(text);
    return tokens.isEmpty() ? Optional.<Token>empty() : Optional.of(tokens.get(0));
  }
  public int[] lengths(String text) { return new int[] {text.length(), text.length() + 1}; }
}
"#,
    ),
];

/// What stands in the written tests of these classes.
fn written(sources: &[(&str, &str)], level: u16) -> String {
    let lab = Lab::at_level(level, sources, &[]);
    lab.run(&[("budget", "2000"), ("workers", "1")]);
    lab.written("shop").values().cloned().collect()
}

#[test]
fn what_a_result_holds_is_compared_with_a_value_that_a_person_would_write() {
    let text = written(&[MONEY], 8);
    let plus = text.lines().any(|line| {
        line.contains("assertEquals(")
            && line.contains("BigDecimal")
            && line.contains(".getAmount()")
    });
    assert!(plus, "{text}");
    let text = written(TOKENS, 8);
    assert!(text.contains("assertEquals(Arrays.asList(\""), "{text}");
    assert!(text.contains("assertArrayEquals(new int[] {"), "{text}");
    assert!(text.contains("assertEquals(Optional.empty(), "), "{text}");
}

#[test]
fn what_a_result_leads_to_is_asked_in_turn() {
    let text = written(TOKENS, 8);
    assert!(text.contains(".get(0)"), "{text}");
    assert!(text.contains("assertEquals(\"<"), "{text}");
    assert!(text.contains(".getText()"), "{text}");
    assert!(text.contains("optional.get()"), "{text}");
}

#[test]
fn an_exception_is_asserted_by_the_message_and_the_position_that_the_subject_put_in() {
    for level in [7, 8, 17] {
        let sources: Vec<(&str, &str)> = TOKENS[..2]
            .iter()
            .copied()
            .chain([(
                "shop/Gauge.java",
                r#"package shop;
public class Gauge {
  public int read(String text) {
    if (text.isEmpty()) { throw new IllegalArgumentException("nothing to read"); }
    if (text.charAt(0) == '!') { throw new Misfit('!', 4); }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalStateException("cannot read: " + e.getMessage());
    }
  }
}
"#,
            )])
            .collect();
        let text = written(&sources, level);
        assert!(
            text.contains("assertEquals(\"nothing to read\", "),
            "{text}"
        );
        assert!(
            text.contains("assertEquals(\"Unexpected ! at 4\", "),
            "{text}"
        );
        assert!(
            text.contains("assertEquals(4, ") && text.contains(".getPosition()"),
            "{text}"
        );
        // What the JDK says differs between its versions.
        assert!(text.contains("IllegalStateException"), "{text}");
        assert!(!text.contains("For input"), "{text}");
    }
}

/// A service, what it works with, and what it tells others.
const ORDERS: &[(&str, &str)] = &[
    (
        "shop/Order.java",
        r"package shop;
public class Order {
  private final String item;
  public Order(String item) { this.item = item; }
  public String getItem() { return item; }
}
",
    ),
    (
        "shop/Journal.java",
        "package shop; public interface Journal { void note(Order order); void total(String item, int cents); void end(); }\n",
    ),
    (
        "shop/Printer.java",
        "package shop; public interface Printer<T> { void print(T text); }\n",
    ),
    (
        "shop/Till.java",
        r#"package shop;
public class Till {
  private final Journal journal;
  public Till(Journal journal) { this.journal = journal; }
  public void sell(Order order, int cents) {
    journal.note(order);
    if (cents > 100) { journal.total(order.getItem() + "!", cents * 2); }
    journal.end();
  }
  public static void label(Order order, Printer<? super String> printer) { printer.print("<" + order.getItem() + ">"); }
  public static void ignore(Order order, Printer<String> printer) { if (order == null) { printer.print("none"); } }
}
"#,
    ),
];

#[test]
fn what_a_stub_is_called_with_is_asserted_at_each_language_level() {
    for level in [7, 8, 17] {
        let text = written(ORDERS, level);
        let has = |parts: &[&str]| {
            text.lines()
                .any(|line| parts.iter().all(|part| line.contains(part)))
        };
        assert!(has(&["assertSame(order, noteCalls.get(0))"]), "{text}");
        assert!(has(&["noteCalls.add("]), "{text}");
        assert!(
            has(&[
                "assertEquals(Arrays.asList(\"",
                "!\", ",
                "), totalCalls.get(0))"
            ]),
            "{text}"
        );
        assert!(has(&["totalCalls.add(Arrays.asList("]), "{text}");
        assert!(has(&["endCalls.add(\"end\")"]), "{text}");
        assert!(
            has(&["assertEquals(\"<", ">\", printCalls.get(0))"]),
            "{text}"
        );
        assert!(
            text.contains("_callsNote()") || text.contains("_callsTotal()"),
            "{text}"
        );
        assert!(
            has(&["assertEquals(0, totalCalls.size())"])
                || has(&["assertEquals(0, printCalls.size())"]),
            "{text}"
        );
        // A list that nothing asserts is not written.
        for list in ["noteCalls", "totalCalls", "endCalls", "printCalls"] {
            for test in text.split("@Test").filter(|test| test.contains(list)) {
                assert!(
                    test.contains(&format!("{list}.get(0))"))
                        || test.contains(&format!("{list}.size())")),
                    "{test}"
                );
            }
        }
    }
}

/// Assertions in all written tests.
fn assertions(lab: &Lab) -> usize {
    let files = lab.written("demo");
    files
        .values()
        .map(|text| text.matches(" assert").count())
        .sum()
}

#[test]
fn fewer_assertions_notice_as_many_faults_whatever_the_number_of_workers() {
    let lab = Lab::new(&[GATE], &[]);
    let settings = [("budget", "2000"), ("workers", "1")];
    lab.run(&[settings[0], settings[1], ("mutants", "false")]);
    let all = assertions(&lab);
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("\"mutants\": null"), "{report}");
    // Or else the tests of before stay.
    let anew = ("incremental", "false");
    lab.run(&[settings[0], settings[1], anew]);
    let chosen = lab.written("demo");
    let text: String = chosen.values().cloned().collect();
    assert!(
        0 < assertions(&lab) && assertions(&lab) < all,
        "{all}: {text}"
    );
    // What nothing else shows: the calls themselves only say whether the weight was let through.
    assert!(
        text.contains("getPassed()") && text.contains("getRefused()"),
        "{text}"
    );
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("\"made\": "), "{report}");
    assert!(!report.contains("\"operator\": "), "{report}");
    lab.run(&[settings[0], ("workers", "2"), anew]);
    assert_eq!(lab.written("demo"), chosen);
}

const TICKET: (&str, &str) = (
    "demo/Ticket.java",
    r"package demo;
public final class Ticket implements Comparable<Ticket> {
  private final String name;
  private final long from;
  private final int days;
  public Ticket(String name, long from, int days) {
    if (name == null || days < 1) { throw new IllegalArgumentException(name + days); }
    this.name = name;
    this.from = from;
    this.days = days;
  }
  public boolean isOverdue(long today) { return today > from + days; }
  public boolean isLong(int most) { return days >= most; }
  @Override public boolean equals(Object other) {
    if (!(other instanceof Ticket)) { return false; }
    Ticket ticket = (Ticket) other;
    return name.equals(ticket.name) && from == ticket.from && days == ticket.days;
  }
  @Override public int hashCode() { return 0; }
  @Override public int compareTo(Ticket other) {
    return days < other.days ? -1 : days > other.days ? 1 : 0;
  }
}
",
);

#[test]
fn a_fault_that_no_test_notices_is_a_goal_whatever_the_number_of_workers() {
    let lab = Lab::at_level(8, &[TICKET], &[]);
    lab.run(&[("budget", "3000"), ("workers", "1")]);
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("\"made\": "), "{report}");
    let text = lab.written("demo");
    // At each boundary, and with equal objects that differ in one field alone.
    assert!(!report.contains("\"operator\": "), "{report}{text:?}");
    let again = Lab::at_level(8, &[TICKET], &[]);
    again.run(&[("budget", "3000"), ("workers", "2")]);
    assert_eq!(again.written("demo"), text);
}

const BOOK: &str = r"package shop;
import java.math.BigDecimal;
public class Book {
  private String title;
  private BigDecimal income = BigDecimal.ZERO;
  public Book(String title) { this.title = title; }
  public String getTitle() { return title; }
  public void setTitle(String title) { this.title = title.trim(); }
  public BigDecimal getIncome() { return income; }
  public void earn(BigDecimal fee) { income = income.add(fee); }
  private java.util.List<String> readers = new java.util.ArrayList<>();
  public void lend(String reader) { readers.add(reader); }
  public int getReaders() { return readers.size(); }
}
";

#[test]
fn what_is_stored_and_what_calls_give_is_noticed_in_code_with_a_line_changed() {
    let budget = [("budget", "3000"), ("workers", "1")];
    let mut lab = Lab::new(&[("shop/Book.java", BOOK)], &[]);
    lab.run(&budget);
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    for kind in ["MEMBER_VARIABLE", "NAKED_RECEIVER", "NON_VOID"] {
        assert!(!report.contains(kind), "{report}");
    }
    let written = lab.written("shop");
    for (right, wrong) in [
        ("{ this.title = title; }", "{ }"),
        ("this.title = title.trim()", "title.trim()"),
        ("title.trim()", "title"),
        ("income = income.add(fee)", "income.add(fee)"),
        ("readers.add(reader);", ""),
    ] {
        lab.edit(&[("shop/Book.java", &BOOK.replace(right, wrong))]);
        let (said, ended) = lab.compared(&budget);
        let error = ended.expect_err(&format!("{wrong} is not noticed: {said}{written:?}"));
        assert_eq!(error.kind, ErrorKind::BehaviourChange, "{error}");
    }
}

#[test]
fn what_each_constant_of_an_enum_is_made_with_is_asserted_and_so_are_days_on_the_border() {
    let band = "package demo;
import java.math.BigDecimal;
public enum Band {
  OFF_PEAK(new BigDecimal(\"0.1150\"), 6), PEAK(new BigDecimal(\"0.3125\"), 17), SHOULDER(new BigDecimal(\"0.1875\"), 9);
  private final BigDecimal price;
  private final int hour;
  Band(BigDecimal price, int hour) { this.price = price; this.hour = hour; }
  public BigDecimal getPrice() { return price; }
  public int getHour() { return hour; }
}
";
    let term = "package demo;
import java.math.BigDecimal;
import java.time.LocalDate;
public class Term {
  private final LocalDate end;
  private final BigDecimal least;
  public Term(LocalDate end, BigDecimal least) { this.end = end; this.least = least; }
  public boolean isOver(LocalDate day) { return day.isAfter(end); }
  public boolean isEnough(BigDecimal sum) { return sum.compareTo(least) >= 0; }
}
";
    let lab = Lab::new(&[("demo/Band.java", band), ("demo/Term.java", term)], &[]);
    let said = lab.run(&[("budget", "2000"), ("workers", "1")]);
    let text: String = lab.written("demo").values().cloned().collect();
    for part in [
        "getPrice_onPeak_",
        "getPrice_onOffPeak_",
        "new BigDecimal(\"0.1150\")",
        "new BigDecimal(\"0.3125\")",
        "new BigDecimal(\"0.1875\")",
        "assertEquals(6, ",
        "assertEquals(17, ",
        "assertEquals(9, ",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let survivors = report["classes"].as_array().unwrap().iter();
    let survivors = survivors.flat_map(|class| class["mutants"]["survivors"].as_array().unwrap());
    let left: Vec<&serde_json::Value> = survivors
        .filter(|one| {
            ["DATE_BOUNDARY", "ENUM_CONSTANT", "CONDITIONALS_BOUNDARY"]
                .iter()
                .any(|operator| one["operator"] == *operator)
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let told = format!(
        "written tests notice {} of {} small faults",
        report["mutants"]["killed"], report["mutants"]["made"]
    );
    assert!(said.contains(&told), "{told}: {said}");
}
