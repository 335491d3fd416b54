//! Written text, compiled and read back.

use super::*;
use crate::TestFramework;
use crate::testing::{Subject, subject_for};
use crate::tests::javac::compile;
use crate::tests::printed::style;
use expect_test::{Expect, expect};
use palus_bytecode::{Origin, ProgramBuilder};
use palus_sequence::{Value, Variable};

const TILL: &[(&str, &str)] = &[
    (
        "demo/Till.java",
        r#"package demo;
    public class Till {
      public static final int MOST = 7;
      public static Till main = new Till("main", Kind.OPEN);
      public int coins;
      public Till(String name, Kind kind) { }
      public Till(long limit, byte step, char sign, boolean on) { }
      public boolean add(Integer coin) { if (coin < 0) throw new IllegalArgumentException("no " + coin); coins += coin; return true; }
      public int sum() { return coins; }
      public Kind kind() { return Kind.OPEN; }
      public double share(double of) { return coins / of; }
      public void fill(int[] coins, Object any) { }
      public String call(Rule rule) { return rule.of("a"); }
      public void tell(Listener listener) { listener.heard("a", 1); }
      public Object ask(java.util.function.Supplier<Object> one) { return one.get(); }
      public static Integer least() { return 3; }
    }"#,
    ),
    (
        "demo/Kind.java",
        "package demo; public enum Kind { OPEN, SHUT }",
    ),
    (
        "demo/Rule.java",
        "package demo; public interface Rule { String of(String name); }",
    ),
    (
        "demo/Listener.java",
        "package demo; public interface Listener { void heard(String name, int times); }",
    ),
];

/// The tests of this text.
pub(crate) fn read(subject: &Subject, class: &str, text: &str) -> Vec<ReadTest> {
    let style = style(TestFramework::Jupiter, 11);
    let (folder, _) = compile(subject, class, text, &style, 11);
    let bytes = std::fs::read(folder.path().join(format!("{class}.class"))).unwrap();
    let mut builder = ProgramBuilder::new();
    let id = builder.add(Origin::Test, &bytes).unwrap();
    let program = &subject.program;
    let is_pure = |method: MethodId| {
        let name = &*program.method(method).name;
        ["sum", "kind", "share", "size", "isFull", "describe", "now"].contains(&name)
    };
    read_back(program, &is_pure, &builder.finish(), id)
}

/// `2 = Till.add(0, 1)`
fn shown(program: &Program, index: usize, statement: &Statement) -> String {
    let variables = |of: &[Variable]| {
        let of: Vec<String> = of.iter().map(|one| one.0.to_string()).collect();
        of.join(", ")
    };
    let class = |class: ClassId| {
        program
            .class(class)
            .name
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned()
    };
    let text = match statement {
        Statement::Value(Value::EnumConstant { name, .. }) => format!("constant {name}"),
        Statement::Value(Value::StaticField(field)) => {
            format!("field {}", program.field(*field).name)
        }
        Statement::Value(value) => format!("{value:?}"),
        Statement::Call { method, .. } => {
            let method = program.method(*method);
            format!(
                "{}.{}({})",
                class(method.class),
                method.name,
                variables(&statement.uses())
            )
        }
        Statement::NewArray { element, .. } => {
            format!("{element}[{}]", variables(&statement.uses()))
        }
        Statement::GetField { field, .. } => {
            format!(
                "get {}({})",
                program.field(*field).name,
                variables(&statement.uses())
            )
        }
        Statement::SetField { field, .. } => {
            format!(
                "set {}({})",
                program.field(*field).name,
                variables(&statement.uses())
            )
        }
        Statement::Stub { class: of, .. } => {
            format!("stub {}({})", class(*of), variables(&statement.uses()))
        }
    };
    format!("  {index} = {text}\n")
}

fn check_read(tests: &str, expected: &Expect) {
    let subject = subject_for(TILL, 8);
    let text = format!(
        "package demo;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport java.util.*;\nimport \
         org.junit.jupiter.api.Test;\n\nclass TillPalusTest {{\n{tests}\n}}\n"
    );
    let read = read(&subject, "demo/TillPalusTest", &text);
    let shown = read.iter().map(|test| {
        let statements = test.sequence.statements().iter().enumerate();
        let statements: String = statements
            .map(|(index, statement)| shown(&subject.program, index, statement))
            .collect();
        let (name, length, asserted) = (&test.name, test.length, &test.asserted);
        format!("{name}: {length}, {asserted:?}\n{statements}")
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn what_is_awaited_is_no_statement_and_constants_have_the_types_of_their_parameters() {
    check_read(
        r#"
  @Test
  void add_withThree_returnsTrue() {
    Till till = new Till(5L, (byte) 1, 'x', true);

    assertTrue(till.add(3));
    assertEquals(3, till.sum());
  }

  @Test
  void sum_isZero() {
    Till till = new Till(null, Kind.SHUT);

    assertEquals(0, till.sum());
  }

  @Test
  void newTill_withNames_kindIsOpen() {
    String name = "a";
    Till till = new Till(name, Kind.SHUT);

    assertEquals(Kind.OPEN, till.kind());
    assertEquals(Double.valueOf(0.0), Double.valueOf(till.share(2.0)));
  }

  @Test
  void fill_withArray() {
    int[] coins = {1, 0};
    Till till = Till.main;
    till.coins = 9;

    till.fill(coins, new Object[] {"b", null});

    assertEquals(9, till.coins);
    assertSame(till, Till.main);
  }

  @Test
  void least_returnsThree() {
    assertEquals(Integer.valueOf(3), Till.least());
  }"#,
        &expect![[r#"
            add_withThree_returnsTrue: 7, [6, 7]
              0 = Long(5)
              1 = Byte(1)
              2 = Char(120)
              3 = Boolean(true)
              4 = Till.<init>(0, 1, 2, 3)
              5 = Int(3)
              6 = Till.add(4, 5)
              7 = Till.sum(4)
            sum_isZero: 4, [3]
              0 = Null(Object("java/lang/String"))
              1 = constant SHUT
              2 = Till.<init>(0, 1)
              3 = Till.sum(2)
            newTill_withNames_kindIsOpen: 3, [3, 5]
              0 = Text("a")
              1 = constant SHUT
              2 = Till.<init>(0, 1)
              3 = Till.kind(2)
              4 = Double(4611686018427387904)
              5 = Till.share(2, 4)
            fill_withArray: 10, [10, 11]
              0 = Int(1)
              1 = Int(0)
              2 = I[0, 1]
              3 = get main()
              4 = Int(9)
              5 = set coins(3, 4)
              6 = Text("b")
              7 = Null(Object("java/lang/Object"))
              8 = Ljava/lang/Object;[6, 7]
              9 = Till.fill(3, 2, 8)
              10 = get coins(3)
              11 = get main()
            least_returnsThree: 1, [0]
              0 = Till.least()
        "#]],
    );
}

#[test]
fn exceptions_and_lambda_expressions_are_read() {
    check_read(
        r#"
  @Test
  void add_withNegative_throws() {
    Till till = new Till("a", Kind.OPEN);

    IllegalArgumentException exception = assertThrows(IllegalArgumentException.class, () -> till.add(-1));

    assertEquals("no -1", exception.getMessage());
  }

  @Test
  void newTill_throws() {
    assertThrows(NullPointerException.class, () -> new Till(null, null));
  }

  @Test
  void call_withRule_returnsB() {
    Till till = new Till("a", Kind.OPEN);
    String known = "bbb";
    Rule rule = name -> known;

    assertEquals("b", till.call(name -> "b"));
    assertNull(till.call(name -> null));
    assertEquals("x", till.ask(() -> 'x'));
    assertEquals("bbb", till.call(rule));
  }

  @Test
  void tell_isHeard() {
    Till till = new Till("a", Kind.OPEN);
    ArrayList<Object> heard = new ArrayList<>();

    till.tell((name, times) -> heard.add(Arrays.asList(name, times)));

    assertEquals(Arrays.asList("a", 1), heard.get(0));
  }"#,
        &expect![[r#"
            add_withNegative_throws: 5, []
              0 = Text("a")
              1 = constant OPEN
              2 = Till.<init>(0, 1)
              3 = Int(-1)
              4 = Till.add(2, 3)
            newTill_throws: 3, []
              0 = Null(Object("java/lang/String"))
              1 = Null(Object("demo/Kind"))
              2 = Till.<init>(0, 1)
            call_withRule_returnsB: 14, [7, 9, 12, 13]
              0 = Text("a")
              1 = constant OPEN
              2 = Till.<init>(0, 1)
              3 = Text("bbb")
              4 = stub Rule(3)
              5 = Text("b")
              6 = stub Rule(5)
              7 = Till.call(2, 6)
              8 = stub Rule()
              9 = Till.call(2, 8)
              10 = Char(120)
              11 = stub Supplier(10)
              12 = Till.ask(2, 11)
              13 = Till.call(2, 4)
            tell_isHeard: 6, [7]
              0 = Text("a")
              1 = constant OPEN
              2 = Till.<init>(0, 1)
              3 = ArrayList.<init>()
              4 = stub Listener(3)
              5 = Till.tell(2, 4)
              6 = Int(0)
              7 = ArrayList.get(3, 6)
        "#]],
    );
}

#[test]
fn what_is_asked_behind_an_assertion_is_not_what_the_test_is_about() {
    check_read(
        r#"
  @Test
  void add_withThree_returnsTrue() {
    Till till = new Till("a", Kind.OPEN);

    till.add(3);

    assertEquals(3, till.sum());
    Kind kind = till.kind();
    assertEquals("OPEN", kind.name());
  }"#,
        &expect![[r#"
            add_withThree_returnsTrue: 5, [5, 7]
              0 = Text("a")
              1 = constant OPEN
              2 = Till.<init>(0, 1)
              3 = Int(3)
              4 = Till.add(2, 3)
              5 = Till.sum(2)
              6 = Till.kind(2)
              7 = Enum.name(6)
        "#]],
    );
}

#[test]
fn what_palus_does_not_write_is_not_read() {
    check_read(
        r#"
  private int field;

  @Test
  void branches() {
    if (Till.least() > 2) { assertEquals(3, Till.least()); }
  }

  @Test
  void uses_itself() {
    assertEquals(0, field);
  }

  @Test
  void computes() {
    assertEquals(6, Till.least() + 3);
  }

  @Test
  void catches() {
    try { Till.least(); } catch (RuntimeException e) { }
  }

  @Test
  void has_a_class() {
    new Till("a", Kind.OPEN).call(new Rule() { public String of(String name) { return name; } });
  }

  @Test
  void answers_with_what_it_is_asked() {
    new Till("a", Kind.OPEN).call(name -> name);
  }

  @Test
  void throws_without_end() {
    assertThrows(RuntimeException.class, TillPalusTest::itself);
  }

  static void itself() {
    assertThrows(RuntimeException.class, TillPalusTest::itself);
  }

  @Test
  void has_a_large_array() {
    new Till("a", Kind.OPEN).fill(new int[2147483647], null);
  }

  void is_no_test() {
    assertEquals(3, Till.least());
  }"#,
        &expect![[""]],
    );
}
