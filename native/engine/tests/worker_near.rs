//! How near sequences came to watched probes, told by real worker JVMs.

use crate::worker_lab::{Body, Lab, ends};
use palus_bytecode::{Method, Operation, Program, Type};
use palus_sequence::{
    Comparison, Distance, End, Executor, Nearness, Outcome, Probe, Relation, Sequence, Statement,
    Value,
};

/// The classes of evoobj's worked example (Lin et al., ESEC/FSE 2021, project gangup of SF100), bodies filled in.
const RULES: &[(&str, &str)] = &[
    (
        "g/Action.java",
        "package g; public class Action { private int actor, target; \
         public Action(int actor, int target) { this.actor = actor; this.target = target; } \
         public int getActor() { return actor; } public int getTarget() { return target; } }",
    ),
    (
        "g/Player.java",
        "package g; public class Player { private int id, action; \
         public Player(int id) { this.id = id; } public int getAction() { return action; } \
         public void setAction(int a) { action = a; } }",
    ),
    (
        "g/GameState.java",
        "package g; public class GameState { private Player[] players; \
         public void setPlayers(Player[] p) { players = p; } \
         public Player player(int id) { if (id < 0 || id > 127) return null; return this.players[id]; } }",
    ),
    (
        "g/BasicRules.java",
        r"
package g;
public class BasicRules {
  public boolean checkRules(Action action, GameState state) {
    Player actor = state.player(action.getActor());
    Player target = state.player(action.getTarget());
    if (actor == null) return false;
    if (target == null) return false;
    if (actor.getAction() == 1) return true;
    return false;
  }
}
",
    ),
];

/// A lab whose workers have time enough on any machine.
fn lab(files: &[(&str, &str)]) -> Lab {
    let mut lab = Lab::new(files, &[]);
    lab.settings.time_limit_millis = 60_000;
    lab
}

/// First probes of the jumps and switches of the method with this name, in code order.
fn jumps(program: &Program, lab: &Lab, class: &str, name: &str) -> Vec<Probe> {
    let id = lab.class(class);
    let mut next = 0;
    for method in &program.class(id).methods {
        let method = program.method(*method);
        let found = jumps_of(method, &mut next);
        if &*method.name == name {
            let probe = |index| Probe { class: id.0, index };
            return found.into_iter().map(probe).collect();
        }
    }
    panic!("no method {class}.{name}")
}

fn jumps_of(method: &Method, next: &mut u32) -> Vec<u32> {
    let mut found = Vec::new();
    let Some(code) = &method.code else {
        return found;
    };
    *next += 1;
    for (at, instruction) in code.instructions.iter().enumerate() {
        let starts_line = code.lines.iter().any(|(line, _)| *line as usize == at);
        *next += u32::from(at > 0 && starts_line);
        let outcomes = match &instruction.operation {
            Operation::JumpIf { .. }
            | Operation::JumpIfInts { .. }
            | Operation::JumpIfReferences { .. } => 2,
            Operation::Switch { cases, .. } => cases.len() as u32 + 1,
            Operation::Return { .. } => {
                *next += 1;
                continue;
            }
            _ => continue,
        };
        found.push(*next);
        *next += outcomes;
    }
    found
}

/// The outcome of a jump after another one.
fn after(probe: Probe, places: u32) -> Probe {
    Probe {
        index: probe.index + places,
        ..probe
    }
}

/// Both outcomes of jumps.
fn both(jumps: &[Probe]) -> Vec<Probe> {
    let both = jumps.iter().flat_map(|jump| [*jump, after(*jump, 1)]);
    both.collect()
}

fn run(lab: &Lab, watched: &[Probe], batch: &[Sequence]) -> Vec<Outcome> {
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        executor.watch(watched).unwrap();
        executor.execute(batch).unwrap()
    })
    .unwrap()
}

fn distance(outcome: &Outcome, probe: Probe) -> Option<f64> {
    let mut distances = outcome.nearness.distances.iter();
    distances
        .find(|distance| distance.probe == probe)
        .map(|distance| distance.distance)
}

/// `checkRules` for players of these numbers, all of this action.
fn rules(lab: &Lab, players: Option<&[i32]>, actor: i32, target: i32, action: i32) -> Sequence {
    let mut body = lab.body();
    let rules = body.new_object("g/BasicRules", "()V", &[]);
    let (actor, target) = (body.int(actor), body.int(target));
    let request = body.new_object("g/Action", "(II)V", &[actor, target]);
    let state = body.new_object("g/GameState", "()V", &[]);
    if let Some(players) = players {
        let mut elements = Vec::new();
        for &number in players {
            elements.push(if number < 0 {
                body.value(Value::Null(Type::object("g/Player")))
            } else {
                let number = body.int(number);
                let player = body.new_object("g/Player", "(I)V", &[number]);
                let action = body.int(action);
                body.call("g/Player", "setAction", Some(player), &[action]);
                player
            });
        }
        let element = Type::object("g/Player");
        let array = body
            .sequence
            .push(Statement::NewArray { element, elements });
        body.call("g/GameState", "setPlayers", Some(state), &[array]);
    }
    body.call("g/BasicRules", "checkRules", Some(rules), &[request, state]);
    body.sequence
}

#[test]
fn the_rows_of_the_worked_example_have_their_distances() {
    let lab = lab(RULES);
    let jumps = jumps(&lab.program, &lab, "g/BasicRules", "checkRules");
    let &[first, second, third] = &jumps[..] else {
        panic!("{jumps:?}");
    };
    let outcomes = run(
        &lab,
        &both(&jumps),
        &[
            rules(&lab, None, 0, 0, 0),
            rules(&lab, Some(&[0, 1, 2, 3]), 9, 0, 0),
            rules(&lab, Some(&[0]), -1, 0, 0),
            rules(&lab, Some(&[0, -1]), 0, 1, 0),
            rules(&lab, Some(&[0]), 0, 0, 5),
            rules(&lab, Some(&[0]), 0, 0, 0),
            rules(&lab, Some(&[0]), 0, 0, 1),
        ],
    );
    for thrown in &outcomes[..2] {
        assert!(matches!(thrown.end, End::Threw(_)), "{:?}", thrown.end);
        assert_eq!(thrown.nearness, Nearness::default());
    }
    let (no_actor, no_target) = (&outcomes[2], &outcomes[3]);
    assert_eq!(distance(no_actor, first), Some(0.0));
    assert_eq!(distance(no_actor, after(first, 1)), Some(1.0));
    assert_eq!(distance(no_actor, second), None);
    assert_eq!(distance(no_target, after(first, 1)), Some(0.0));
    assert_eq!(distance(no_target, after(second, 1)), Some(1.0));
    assert_eq!(distance(no_target, third), None);
    let third_row: Vec<_> = outcomes[4..]
        .iter()
        .map(|row| distance(row, third))
        .collect();
    assert_eq!(third_row, [Some(4.0), Some(1.0), Some(0.0)]);
    let pair = Comparison {
        probe: third,
        relation: Relation::Order,
        left: Value::Int(5),
        right: Value::Int(1),
    };
    assert_eq!(outcomes[4].nearness.comparisons, [pair]);
    // What was reached needs no operands.
    let of_third = |other: &Comparison| other.probe == third;
    assert!(!outcomes[6].nearness.comparisons.iter().any(of_third));
}

#[test]
fn the_end_of_a_chain_of_objects_is_as_far_as_its_number() {
    let lab = lab(&[(
        "c/Student.java",
        r"
package c;
public class Student {
  private Supervisor supervisor;
  public void setSupervisor(Supervisor s) { supervisor = s; }
  public static class Supervisor {
    private Cv cv;
    public void setCv(Cv c) { cv = c; }
  }
  public static class Cv {
    private int awards;
    public void setAwards(int n) { awards = n; }
  }
  public int example() { if (supervisor.cv.awards > 2) return 1; return 0; }
}
",
    )]);
    let chain = |awards: i32| {
        let mut body = lab.body();
        let student = body.new_object("c/Student", "()V", &[]);
        let supervisor = body.new_object("c/Student$Supervisor", "()V", &[]);
        let cv = body.new_object("c/Student$Cv", "()V", &[]);
        let awards = body.int(awards);
        body.call("c/Student$Cv", "setAwards", Some(cv), &[awards]);
        body.call("c/Student$Supervisor", "setCv", Some(supervisor), &[cv]);
        body.call("c/Student", "setSupervisor", Some(student), &[supervisor]);
        body.call("c/Student", "example", Some(student), &[]);
        body.sequence
    };
    let jump = jumps(&lab.program, &lab, "c/Student", "example")[0];
    let alone = lab.simple("c/Student", "example");
    let outcomes = run(&lab, &[jump], &[alone, chain(0), chain(2), chain(3)]);
    let distances: Vec<_> = outcomes.iter().map(|run| distance(run, jump)).collect();
    assert_eq!(distances, [None, Some(3.0), Some(1.0), Some(0.0)]);
}

const ASKED: (&str, &str) = (
    "a/Asked.java",
    r#"
package a;
public class Asked {
  public enum Colour { RED, GREEN }
  public static boolean same(String s) { return s.equals("yes"); }
  public static int folded(String s) { return s.equalsIgnoreCase("Yes") ? 1 : 0; }
  public static int begins(String s) { return s.startsWith("pre") ? 1 : 0; }
  public static int ends(String s) { return s.endsWith("post") ? 1 : 0; }
  public static int holds(String s) { return s.contains("mid") ? 1 : 0; }
  public static int matches(String s) { return s.matches("[0-9]+") ? 1 : 0; }
  public static int calls(String s) { return same(s) ? 1 : 0; }
  public static int known(String s) {
    java.util.Map<String, Integer> all = new java.util.HashMap<>();
    all.put("key", 1);
    Integer found = found(all, s);
    return found == null ? 0 : found;
  }
  private static Integer found(java.util.Map<String, Integer> all, String s) { return all.get(s); }
  public static int colour(Colour c) { return c == Colour.GREEN ? 1 : 0; }
  public static int wide(long n) { return n > 5_000_000_000L ? 1 : 0; }
  public static int real(double d) { return d < 0.25 ? 1 : 0; }
  public static int pick(int n) { switch (n) { case 10: return 1; case 1000: return 2; } return 0; }
  public static int loop(int n) { int s = 0; for (int i = n; i < 3; i++) { if (i == 7) s++; } return s; }
  public static int name(String s) { switch (s) { case "left": return 1; case "right": return 2; } return 0; }
}
"#,
);

fn ask(lab: &Lab, name: &str, value: Value) -> Sequence {
    let mut body: Body<'_> = lab.body();
    let value = body.value(value);
    body.call("a/Asked", name, None, &[value]);
    body.sequence
}

#[test]
fn operands_come_back_with_how_they_were_compared() {
    let lab = lab(&[ASKED]);
    let text = |text: &str| Value::Text(text.into());
    let colour = |name: &str| Value::EnumConstant {
        class: lab.class("a/Asked$Colour"),
        name: name.into(),
    };
    let no_colour = Value::Null(Type::object("a/Asked$Colour"));
    let real = |value: f64| Value::Double(value.to_bits());
    let texts = [
        ("folded", Relation::EqualIgnoringCase, "Yes"),
        ("begins", Relation::Prefix, "pre"),
        ("ends", Relation::Suffix, "post"),
        ("holds", Relation::Part, "mid"),
        ("matches", Relation::Pattern, "[0-9]+"),
        ("calls", Relation::Equal, "yes"),
        ("known", Relation::Equal, "key"),
    ];
    let mut rows: Vec<(&str, Relation, Value, Value)> = texts
        .map(|(name, relation, other)| (name, relation, text("x"), text(other)))
        .to_vec();
    let order = Relation::Order;
    rows.push(("colour", order, colour("RED"), colour("GREEN")));
    rows.push(("colour", order, no_colour, colour("GREEN")));
    rows.push(("wide", order, Value::Long(-1), Value::Long(5_000_000_000)));
    rows.push(("real", order, real(0.5), real(0.25)));
    let jump = |name: &str| jumps(&lab.program, &lab, "a/Asked", name)[0];
    let watched: Vec<Probe> = rows.iter().map(|row| jump(row.0)).collect();
    let batch: Vec<Sequence> = rows
        .iter()
        .map(|(name, _, asked, _)| ask(&lab, name, asked.clone()))
        .collect();
    let outcomes = run(&lab, &both(&watched), &batch);
    for ((name, relation, left, right), outcome) in rows.into_iter().zip(outcomes) {
        assert_eq!(outcome.end, End::Completed, "{name}");
        let pairs = outcome.nearness.comparisons.into_iter();
        let pairs: Vec<_> = pairs
            .map(|pair| (pair.relation, pair.left, pair.right))
            .collect();
        assert_eq!(pairs, [(relation, left, right)], "{name}");
    }
}

#[test]
fn cases_of_a_switch_and_turns_of_a_loop_are_all_measured() {
    let lab = lab(&[ASKED]);
    let pick = jumps(&lab.program, &lab, "a/Asked", "pick")[0];
    let cases = [pick, after(pick, 1), after(pick, 2)];
    let outcomes = run(&lab, &cases, &[ask(&lab, "pick", Value::Int(12))]);
    let far = [(0, 2.0), (1, 988.0), (2, 0.0)].map(|(place, distance)| Distance {
        probe: cases[place],
        distance,
    });
    assert_eq!(outcomes[0].nearness.distances, far);
    let keys = outcomes[0].nearness.comparisons.iter();
    let keys: Vec<_> = keys.map(|pair| (pair.probe, pair.right.clone())).collect();
    assert_eq!(
        keys,
        [(cases[0], Value::Int(10)), (cases[1], Value::Int(1000))]
    );

    let name = jumps(&lab.program, &lab, "a/Asked", "name")[0];
    let cases = [name, after(name, 1)];
    let text = Value::Text("lift".into());
    let outcomes = run(&lab, &cases, &[ask(&lab, "name", text)]);
    let texts = outcomes[0].nearness.comparisons.iter();
    let texts: Vec<_> = texts.map(|pair| pair.right.clone()).collect();
    assert_eq!(
        texts,
        ["left", "right"].map(|text| Value::Text(text.into()))
    );

    let seven = jumps(&lab.program, &lab, "a/Asked", "loop");
    let outcomes = run(&lab, &both(&seven), &[ask(&lab, "loop", Value::Int(-9))]);
    let is_seven = seven.iter().copied().find(|jump| {
        let distance = distance(&outcomes[0], *jump);
        distance == Some(5.0)
    });
    let is_seven = is_seven.expect("the nearest of all turns is 2");
    let pairs = outcomes[0].nearness.comparisons.iter();
    assert_eq!(pairs.filter(|pair| pair.probe == is_seven).count(), 4);
}

#[test]
fn watching_ends_with_the_list_and_with_begin_and_covers_as_before() {
    let lab = lab(RULES);
    let jumps = jumps(&lab.program, &lab, "g/BasicRules", "checkRules");
    let batch = [
        rules(&lab, Some(&[0]), 0, 0, 5),
        rules(&lab, Some(&[0]), 0, 0, 1),
    ];
    let plain = lab.run(&batch);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        executor.watch(&both(&jumps)).unwrap();
        let mut watched = executor.execute(&batch).unwrap();
        for outcome in &mut watched {
            assert!(!outcome.nearness.distances.is_empty());
            outcome.nearness = Nearness::default();
        }
        assert_eq!(watched, plain);
        executor.watch(&[]).unwrap();
        let after_watching = executor.execute(&batch).unwrap();
        assert!(
            after_watching
                .iter()
                .all(|outcome| outcome.nearness == Nearness::default())
        );
        executor.watch(&both(&jumps)).unwrap();
        executor.begin().unwrap();
        assert_eq!(executor.execute(&batch).unwrap(), plain);
    })
    .unwrap();
}

const CRASH: (&str, &str) = (
    "d/Deadly.java",
    r#"
package d;
public class Deadly {
  public int near(int n) { if (n == 42) return 1; return 0; }
  /** A fault in native code, which no guard sees. */
  public void crash() throws Exception {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    java.lang.reflect.Field field = type.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    type.getMethod("getInt", long.class).invoke(field.get(null), 0L);
  }
}
"#,
);

#[test]
fn a_worker_in_the_place_of_another_watches_the_same() {
    let lab = lab(&[CRASH]);
    let jump = jumps(&lab.program, &lab, "d/Deadly", "near")[0];
    let near = |n: i32| {
        let mut body = lab.body();
        let deadly = body.new_object("d/Deadly", "()V", &[]);
        let n = body.int(n);
        body.call("d/Deadly", "near", Some(deadly), &[n]);
        body.sequence
    };
    let crash = lab.simple("d/Deadly", "crash");
    let outcomes = run(&lab, &both(&[jump]), &[near(40), crash, near(45)]);
    assert_eq!(ends(&outcomes), ["Completed", "Crashed", "Completed"]);
    assert_eq!(distance(&outcomes[0], jump), Some(2.0));
    assert_eq!(outcomes[1].nearness, Nearness::default());
    assert_eq!(distance(&outcomes[2], jump), Some(3.0));
}
