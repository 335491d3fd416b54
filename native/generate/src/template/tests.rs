//! The worked examples statement for statement, and what must hold of every template.

use super::*;
use crate::tests::{FakeExecutor, method, object, program};
use crate::{DependentPosition, Mode, Unit, UserValues, explore};
use palus_analyze::{ClassProbes, Facts};
use palus_fixture::samples::{ARRAY, RULES, STUDENT};
use palus_learn::Models;
use palus_sequence::Value;
use std::fmt::Write;

/// A private field that only a factory reaches, a list that a method adds to, static state, a list handed over.
const BEYOND: &str = "import java.util.*; class Point { private final int x; private Point(int x) { this.x = x; } \
    static Point of(int y, int x) { return new Point(x); } int x() { return x; } } \
    class Item { private int price; int price() { return price; } void price(int p) { price = p; } } \
    class Basket { private final List<Item> items = new ArrayList<>(); void put(Item i) { items.add(i); } \
    Item first() { return items.get(0); } } \
    class Order { private List<Item> lines; void setLines(List<Item> l) { lines = l; } \
    Iterator<Item> all() { return lines.iterator(); } } class Settings { static int level; } \
    class Subject { boolean far(Point p) { if (p.x() > 700) return true; return false; } \
    boolean dear(Basket b) { if (b.first().price() > 700) return true; return false; } \
    boolean costly(Order o) { if (o.all().next().price() > 700) return true; return false; } \
    boolean strict(int n) { if (Settings.level > n) return true; return false; } }";

/// A unit whose own phases are over, at a seed.
fn with_sources(java: &str, seed: u64, run: impl FnOnce(&Program, &mut Sources<'_>)) {
    let program = program(&[("Subject.java", java)]);
    at_seed(&program, seed, |sources| run(&program, sources));
}

fn at_seed(program: &Program, seed: u64, run: impl FnOnce(&mut Sources<'_>)) {
    let (facts, models, values) = (Facts::of(program), Models::default(), UserValues::default());
    let unit = Unit {
        program,
        facts: &facts,
        models: &models,
        subject: program.class_named("Subject").unwrap(),
        seed,
        steps: 0,
        mode: Mode::Full,
        dependent_position: DependentPosition::After,
        user_values: &values,
        gives_up: true,
        keeps_failures: false,
    };
    let mut sources = explore(unit, &mut FakeExecutor::new(program)).unwrap();
    run(&mut sources);
}

fn text(program: &Program, template: &Template) -> String {
    let mut text = String::new();
    for (index, statement) in template.sequence.statements().iter().enumerate() {
        let names = |used: &[Variable]| -> String {
            let names = used.iter().map(|used| format!("v{}", used.0));
            names.collect::<Vec<_>>().join(", ")
        };
        let line = match statement {
            Statement::Value(_) if template.slots.contains(&Variable(index as u32)) => {
                let of = statement.defined_type(program);
                format!("slot {of}")
            }
            Statement::Value(value) => format!("{value:?}"),
            Statement::Call {
                method,
                receiver,
                arguments,
            } => {
                let method = program.method(*method);
                let class = &program.class(method.class).name;
                let arguments = names(arguments);
                match receiver {
                    Some(receiver) => format!("v{}.{}({arguments})", receiver.0, method.name),
                    None if &*method.name == "<init>" => format!("new {class}({arguments})"),
                    None => format!("{class}.{}({arguments})", method.name),
                }
            }
            Statement::NewArray { elements, .. } => format!("{{ {} }}", names(elements)),
            Statement::SetField { field, value, .. } => {
                format!("{} = v{}", program.field(*field).name, value.0)
            }
            other => format!("{other:?}"),
        };
        writeln!(text, "v{index} = {line}").unwrap();
    }
    text
}

/// The template of the last jump's first outcome, where every draw takes the first.
fn first(java: &str, of: &str) -> String {
    let mut found = String::new();
    with_sources(java, 0, |program, sources| {
        let target = method(program, "Subject", of);
        let jumps = program.method(target).code.as_ref().unwrap().jumps();
        let branch = TargetBranch {
            method: target,
            jump: jumps.last().unwrap().ordinal,
            outcome: 0,
        };
        sources.rng().script(&[]);
        let subject = program.class_named("Subject").unwrap();
        let template = Templates::new(program, subject).synthesize(sources, branch);
        found = text(program, &template.unwrap());
    });
    found
}

#[test]
fn the_rules_of_the_paper_get_their_template() {
    assert_eq!(
        first(RULES, "checkRules"),
        "v0 = new Subject()\nv1 = slot I\nv2 = slot I\nv3 = new Action(v1, v2)\nv4 = new GameState()\n\
         v5 = slot I\nv6 = new Player(v5)\nv7 = slot I\nv8 = new Player(v7)\nv9 = { v6, v8 }\n\
         v10 = v4.setPlayers(v9)\nv11 = v4.player(v1)\nv12 = slot I\nv13 = v11.setAction(v12)\n\
         v14 = v0.checkRules(v3, v4)\n"
    );
}

#[test]
fn a_chain_is_filled_from_its_end() {
    assert_eq!(
        first(STUDENT, "example"),
        "v0 = new Subject()\nv1 = new Student()\nv2 = new Supervisor()\nv3 = new CV()\nv4 = slot I\n\
         v5 = v3.setAwardNum(v4)\nv6 = v2.setCv(v3)\nv7 = v1.setSupervisor(v2)\nv8 = v0.example(v1)\n"
    );
}

#[test]
fn an_array_holds_the_element_that_is_read() {
    assert_eq!(
        first(ARRAY, "targetM"),
        "v0 = new Subject()\nv1 = slot I\nv2 = slot I\nv3 = { v2 }\nv4 = v0.setArray(v3)\nv5 = v0.targetM(v1)\n"
    );
}

#[test]
fn a_private_field_without_a_setter_is_reached_by_a_factory() {
    assert_eq!(
        first(BEYOND, "far"),
        "v0 = new Subject()\nv1 = slot I\nv2 = slot I\nv3 = Point.of(v1, v2)\nv4 = v0.far(v3)\n"
    );
}

#[test]
fn what_is_read_from_a_collection_is_put_in() {
    assert_eq!(
        first(BEYOND, "dear"),
        "v0 = new Subject()\nv1 = new Basket()\nv2 = new Item()\nv3 = v1.put(v2)\nv4 = v1.first()\n\
         v5 = slot I\nv6 = v4.price(v5)\nv7 = v0.dear(v1)\n"
    );
}

#[test]
fn a_collection_that_is_handed_over_holds_what_an_iterator_gives() {
    let found = first(BEYOND, "costly");
    let lines: Vec<&str> = found.lines().collect();
    let at = |part: &str| lines.iter().position(|line| line.contains(part));
    let (Some(adds), Some(hands_over)) = (at(".add("), at(".setLines(")) else {
        panic!("{found}")
    };
    assert!(adds < hands_over, "{found}");
    let item = lines[adds].rsplit(".add(").next().unwrap();
    let item = item.trim_end_matches(')');
    assert!(found.contains(&format!("{item} = new Item()")), "{found}");
    assert!(found.contains(&format!("{item}.price(")), "{found}");
}

#[test]
fn static_state_is_set_before_the_call() {
    assert_eq!(
        first(BEYOND, "strict"),
        "v0 = new Subject()\nv1 = slot I\nv2 = slot I\nv3 = level = v2\nv4 = v0.strict(v1)\n"
    );
}

/// A run of `checkRules` on a table without players.
fn near(program: &Program) -> Sequence {
    let mut base = Sequence::default();
    let call = |class: &str, name: &str, receiver: Option<Variable>, arguments: &[Variable]| {
        Statement::Call {
            method: method(program, class, name),
            receiver,
            arguments: arguments.to_vec(),
        }
    };
    let state = base.push(call("GameState", "<init>", None, &[]));
    let number = base.push(Statement::Value(Value::Int(3)));
    base.push(call("GameState", "setGameState", Some(state), &[number]));
    let rules = base.push(call("Subject", "<init>", None, &[]));
    let action = base.push(call("Action", "<init>", None, &[number, number]));
    base.push(call("Subject", "checkRules", Some(rules), &[action, state]));
    base
}

#[test]
fn a_template_may_begin_with_a_run_and_keeps_its_objects() {
    with_sources(RULES, 0, |program, sources| {
        let target = method(program, "Subject", "checkRules");
        let branch = TargetBranch {
            method: target,
            jump: 2,
            outcome: 1,
        };
        sources.rng().script(&[]);
        let subject = program.class_named("Subject").unwrap();
        let base = near(program);
        let made = Templates::new(program, subject).synthesize_on(sources, branch, &base, false);
        let made = made.unwrap();
        assert_eq!(check(program, &made.sequence), Ok(()));
        let found = text(program, &made);
        assert!(
            found.starts_with("v0 = new GameState()\nv1 = slot I\nv2 = v0.setGameState(v1)\n"),
            "{found}"
        );
        for part in ["v0.setPlayers(", ".setAction("] {
            assert!(found.contains(part), "{found}");
        }
        assert!(found.trim_end().ends_with("checkRules(v4, v0)"), "{found}");
        let without = base.prefix(3);
        let mut templates = Templates::new(program, subject);
        let refused = templates.synthesize_on(sources, branch, &without, false);
        assert_eq!(refused, Err(Refusal::NoInput));
    });
}

#[test]
fn every_template_keeps_to_the_rules() {
    for java in [RULES, STUDENT, ARRAY, BEYOND] {
        let program = program(&[("Subject.java", java)]);
        for seed in 0..20 {
            let mut runs: Vec<Vec<Option<Template>>> = Vec::new();
            for _ in 0..2 {
                at_seed(&program, seed, |sources| runs.push(all(&program, sources)));
            }
            assert_eq!(runs[0], runs[1]);
            assert!(runs[0].iter().any(Option::is_some));
        }
    }
}

/// Templates of all branches, each of them looked at.
fn all(program: &Program, sources: &mut Sources<'_>) -> Vec<Option<Template>> {
    let subject = program.class_named("Subject").unwrap();
    let probes = ClassProbes::of(program, subject);
    let mut templates = Templates::new(program, subject);
    let branches = (0..probes.count()).filter_map(|probe| probes.branch(probe));
    let made = branches.map(|branch| {
        let template = templates.synthesize(sources, branch).ok()?;
        assert_eq!(check(program, &template.sequence), Ok(()));
        let statements = template.sequence.statements();
        assert!(statements.len() <= MOST_STATEMENTS);
        let target = templates.graph(branch).method();
        let is_target = matches!(
            statements.last(),
            Some(Statement::Call { method, .. }) if *method == target
        );
        assert!(is_target, "{}", text(program, &template));
        for slot in &template.slots {
            assert!(matches!(statements[slot.index()], Statement::Value(_)));
            let is_read = statements
                .iter()
                .any(|statement| statement.uses().contains(slot));
            assert!(is_read, "{}", text(program, &template));
        }
        Some(template)
    });
    made.collect()
}

#[test]
fn a_branch_on_primitives_gets_none_and_a_private_method_is_called_through_another() {
    let java = "class Subject { int n; static int plain(int a) { if (a > 3) return 1; return 0; } \
        private int hidden() { if (n > 3) return 1; return 0; } int open() { return hidden(); } }";
    with_sources(java, 0, |program, sources| {
        let made = all(program, sources);
        assert_eq!(made[..2], [None, None]);
        let open = method(program, "Subject", "open");
        for template in &made[2..] {
            let last = template.as_ref().unwrap().sequence.statements().last();
            assert!(matches!(last, Some(Statement::Call { method, .. }) if *method == open));
        }
    });
}

#[test]
fn inputs_also_come_in_the_states_that_the_trace_led_them_to() {
    let java = "class Gate { private int level; void up() { level++; } int level() { return level; } } \
        class Subject { boolean high(Gate g) { if (g.level() > 3) return true; return false; } }";
    let program = program(&[("Subject.java", java)]);
    let (gate, subject) = (object(1, "Gate"), object(2, "Subject"));
    let named = |class: &str, name: &str| method(&program, class, name);
    let mut calls = vec![(named("Gate", "<init>"), None, vec![], Some(gate.clone()))];
    for _ in 0..5 {
        calls.push((named("Gate", "up"), Some(gate.clone()), vec![], None));
    }
    let made = Some(subject.clone());
    calls.push((named("Subject", "<init>"), None, vec![], made));
    calls.push((named("Subject", "high"), Some(subject), vec![gate], None));
    let traced = crate::tests::models(&program, calls);
    let up = named("Gate", "up");
    let deep = |models: &Models| {
        let (facts, values) = (Facts::of(&program), UserValues::default());
        let unit = Unit {
            program: &program,
            facts: &facts,
            models,
            subject: program.class_named("Subject").unwrap(),
            seed: 7,
            steps: 60,
            mode: Mode::Full,
            dependent_position: DependentPosition::After,
            user_values: &values,
            gives_up: true,
            keeps_failures: false,
        };
        let mut sources = explore(unit, &mut FakeExecutor::new(&program)).unwrap();
        let is_deep = |template: &Template| {
            let statements = template.sequence.statements().iter();
            let ups = statements.filter(
                |statement| matches!(statement, Statement::Call { method, .. } if *method == up),
            );
            ups.count() >= 4
        };
        let made = (0..50).flat_map(|_| all(&program, &mut sources));
        made.flatten().filter(is_deep).count()
    };
    let (with, without) = (deep(&traced), deep(&Models::default()));
    assert!(
        with > without + 5,
        "{with} with the trace, {without} without"
    );
}

/// How many of fifty templates per branch there are, and how many of them assign a field.
fn assigning(java: &str) -> (usize, usize) {
    let mut counts = (0, 0);
    with_sources(java, 3, |program, sources| {
        for template in (0..50).flat_map(|_| all(program, sources)).flatten() {
            let mut statements = template.sequence.statements().iter();
            let assigns = statements.any(|one| matches!(one, Statement::SetField { .. }));
            counts = (counts.0 + 1, counts.1 + usize::from(assigns));
        }
    });
    counts
}

#[test]
fn static_fields_mostly_stay_as_they_are() {
    let (all, assigning) = assigning(
        "class Settings { static int level; } class Subject { \
         boolean strict(int n) { if (Settings.level > n) return true; return false; } }",
    );
    assert_eq!(all, 100);
    assert!((15..=45).contains(&assigning), "{assigning} of {all}");
}

#[test]
fn what_others_may_hold_as_well_is_not_written_into() {
    let with = |maker: &str| {
        format!(
            "class Kind {{ int sign; static final Kind ONE = new Kind(1); {maker} Kind(int n) {{ }} \
             static Kind one() {{ return ONE; }} }} \
             class Subject {{ boolean is(Kind k) {{ if (k.sign > 700) return true; return false; }} }}"
        )
    };
    let (all, shared) = assigning(&with("private"));
    assert!(all > 0);
    assert_eq!(shared, 0);
    let (_, own) = assigning(&with("public"));
    assert!(own > 0, "a test may write into what it made");
}
