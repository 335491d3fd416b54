//! Which methods change nothing that existed before they were called.
//!
//! Comes in: the program. Goes out: for every method, whether a call of it is free of side effects: neither it nor
//! anything it may reach writes a static field, a field or element of an object that was there before, or calls native
//! or unknown platform code. A constructor may write its new object.
//! Does not know: traces. Doubt means: has side effects.
//!
//! ```java
//! class RoadMap {
//!   Hashtable<City, Set<City>> cities;
//!   void init() { cities = new Hashtable<>(); }                        // writes this: has effects
//!   int numNeighbors(City c) { return cities.get(c).size(); }          // pure
//! }
//! ```
//!
//! Bodies are looked at one by one (`freshness.rs`); then what callees change is carried to their callers until nothing
//! is new. Kiezun, Artzi, Ernst, Pacheco, Perkins (M-TOOS 2006) filter such calls from object histories.

use crate::call_graph::{CallGraph, Targets};
use crate::freshness::{self, ELSEWHERE, Origins, Summary};
use crate::platform::{self, PlatformEffect};
use palus_bytecode::{InvokeKind, Method, MethodId, Origin, Program};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One flag per method, by its id.
pub(crate) fn of(program: &Program) -> Vec<bool> {
    let mut summaries: Vec<Summary<'_>> = program
        .methods()
        .par_iter()
        .map(|method| summary(program, method))
        .collect();
    let effects = spread(program, &mut summaries);
    let mut pure: Vec<bool> = program
        .methods()
        .iter()
        .map(|method| {
            // The object a constructor makes was not there before.
            let own = Origins::from(method.is_constructor());
            effects[method.id.index()] & !own == 0
        })
        .collect();
    for method in program.methods() {
        if method.access.is_abstract() && program.class(method.class).origin != Origin::Platform {
            let class = program.class(method.class);
            let targets = CallGraph::new(program).targets(
                InvokeKind::Virtual,
                &class.name,
                &method.name,
                &method.descriptor,
            );
            pure[method.id.index()] = !targets.reached.is_empty()
                && targets.reached.iter().all(|target| pure[target.index()]);
        }
    }
    pure
}

fn summary<'a>(program: &Program, method: &'a Method) -> Summary<'a> {
    let class = program.class(method.class);
    let changes = match &method.code {
        Some(code) => {
            return freshness::summarize(method, code, &|owner, name| {
                if is_platform(program, owner) {
                    platform::result(owner, name)
                } else {
                    platform::PlatformResult::Unknown
                }
            });
        }
        None if class.origin == Origin::Platform => origins(
            platform::effect(&class.name, &method.name, &method.descriptor),
            method,
        ),
        // Whoever implements it is looked at in its own right.
        None if method.access.is_abstract() => 0,
        None => ELSEWHERE,
    };
    Summary {
        changes,
        calls: Vec::new(),
    }
}

fn origins(effect: PlatformEffect, method: &Method) -> Origins {
    argument_origins(effect, method.access.is_static())
}

fn argument_origins(effect: PlatformEffect, is_static: bool) -> Origins {
    match effect {
        PlatformEffect::Pure => 0,
        PlatformEffect::ChangesReceiver => 1,
        PlatformEffect::ChangesArgument(index) => 1 << (index + usize::from(!is_static)),
        PlatformEffect::Unknown => ELSEWHERE,
    }
}

fn is_platform(program: &Program, owner: &str) -> bool {
    owner.starts_with('[')
        || program
            .class_named(owner)
            .map_or(owner.starts_with("java/"), |id| {
                program.class(id).origin == Origin::Platform
            })
}

/// What a call may reach, shared by all calls of that name.
struct Group {
    /// What it changes that no body tells: platform code.
    own: Origins,
    reached: Vec<MethodId>,
}

/// A call in a body: the group, and where the objects come from.
struct Edge {
    group: usize,
    arguments: Vec<Origins>,
}

/// Carries what callees change to their callers, in terms of the callers' own parameters, until nothing is new.
fn spread<'a>(program: &'a Program, summaries: &mut [Summary<'a>]) -> Vec<Origins> {
    let mut graph = CallGraph::new(program);
    let mut groups: Vec<Group> = Vec::new();
    // Equal names of a program are one allocation, so where they lie tells them apart; were they several, a group would
    // only be there twice.
    let mut known: BTreeMap<(bool, *const u8, *const u8, *const u8), usize> = BTreeMap::new();
    let mut edges: Vec<(usize, Vec<Edge>)> = Vec::new();
    for (caller, summary) in summaries.iter_mut().enumerate() {
        let calls = std::mem::take(&mut summary.calls).into_iter().map(|site| {
            let dispatched = matches!(site.kind, InvokeKind::Virtual | InvokeKind::Interface);
            let key = (
                dispatched,
                site.method.owner.as_ptr(),
                site.method.name.as_ptr(),
                site.method.descriptor.as_ptr(),
            );
            let group = *known.entry(key).or_insert_with(|| {
                let targets = graph.targets(
                    site.kind,
                    &site.method.owner,
                    &site.method.name,
                    &site.method.descriptor,
                );
                groups.push(group(program, &targets, &site));
                groups.len() - 1
            });
            Edge {
                group,
                arguments: site.arguments,
            }
        });
        let calls: Vec<Edge> = calls.collect();
        if !calls.is_empty() {
            edges.push((caller, calls));
        }
    }
    let mut effects: Vec<Origins> = summaries.iter().map(|summary| summary.changes).collect();
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        let of_groups: Vec<Origins> = groups
            .iter()
            .map(|group| {
                group
                    .reached
                    .iter()
                    .fold(group.own, |all, target| all | effects[target.index()])
            })
            .collect();
        for (caller, calls) in &edges {
            let before = effects[*caller];
            let mut after = before;
            for edge in calls {
                after |= in_terms_of_caller(of_groups[edge.group], &edge.arguments);
            }
            effects[*caller] = after;
            is_new |= after != before;
        }
    }
    effects
}

fn group(program: &Program, targets: &Arc<Targets>, site: &freshness::CallSite<'_>) -> Group {
    let is_static = site.kind == InvokeKind::Static;
    let of_platform = |owner: &str| {
        argument_origins(
            platform::effect(owner, &site.method.name, &site.method.descriptor),
            is_static,
        )
    };
    let Some(resolved) = targets.resolved else {
        let own = if is_platform(program, &site.method.owner) {
            of_platform(&site.method.owner)
        } else {
            ELSEWHERE
        };
        return Group {
            own,
            reached: Vec::new(),
        };
    };
    let owner = program.class(program.method(resolved).class);
    if owner.origin != Origin::Platform {
        // Nothing implements it here, so whatever is passed in comes from outside.
        let own = if targets.reached.is_empty() {
            ELSEWHERE
        } else {
            0
        };
        return Group {
            own,
            reached: targets.reached.clone(),
        };
    }
    // The list speaks for all of the platform's own implementations.
    let name = if site.method.owner.starts_with('[') {
        &*site.method.owner
    } else {
        &*owner.name
    };
    let in_program =
        |target: &MethodId| program.class(program.method(*target).class).origin != Origin::Platform;
    let reached = targets.reached.iter().copied().filter(in_program).collect();
    Group {
        own: of_platform(name),
        reached,
    }
}

fn in_terms_of_caller(callee: Origins, arguments: &[Origins]) -> Origins {
    let mut changed = callee & ELSEWHERE;
    let mut left = callee & !ELSEWHERE;
    while left != 0 {
        let parameter = left.trailing_zeros() as usize;
        left &= left - 1;
        // A callee that changes a parameter it was not given cannot be followed.
        changed |= arguments.get(parameter).copied().unwrap_or(ELSEWHERE);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{method, program};

    fn check(java: &str, pure_methods: &[&str], others: &[&str]) {
        let program = program(&[("A.java", java)]);
        let flags = of(&program);
        let is_pure = |name: &str| flags[method(&program, name).index()];
        let wrong: Vec<_> = pure_methods.iter().filter(|name| !is_pure(name)).collect();
        assert!(wrong.is_empty(), "should be pure: {wrong:?}");
        let wrong: Vec<_> = others.iter().filter(|name| is_pure(name)).collect();
        assert!(wrong.is_empty(), "should have effects: {wrong:?}");
    }

    #[test]
    fn reading_a_map_is_pure_and_filling_it_is_not() {
        check(
            "import java.util.*; class City { private RoadMap map; private String name; \
             City(String name) { this.name = name; } void setMap(RoadMap m) { map = m; } \
             void addRoad(City c) { map.addRoad(this, c); } int numNeighbors() { return map.numNeighbors(this); } } \
             class RoadMap { private Hashtable<City, Set<City>> cities; \
             static RoadMap genMap() { RoadMap m = new RoadMap(); m.init(); return m; } \
             void init() { cities = new Hashtable<City, Set<City>>(); } \
             void addCity(City c) { cities.put(c, new HashSet<City>()); } \
             void addRoad(City a, City b) { addConnection(a, b); addConnection(b, a); } \
             private void addConnection(City s, City t) { cities.get(s).add(t); } \
             int numNeighbors(City c) { return cities.get(c).size(); } }",
            &[
                "RoadMap.numNeighbors",
                "City.numNeighbors",
                "City.<init>",
                "RoadMap.<init>",
                "RoadMap.genMap",
            ],
            &[
                "RoadMap.init",
                "RoadMap.addCity",
                "RoadMap.addRoad",
                "RoadMap.addConnection",
                "City.setMap",
                "City.addRoad",
            ],
        );
    }

    #[test]
    fn what_was_made_inside_may_be_changed() {
        check(
            "import java.util.*; class A { int[] data = {1}; int x; static int made; \
             int[] copy() { int[] c = data.clone(); c[0] = 2; return c; } \
             long[] wide(long a, double b) { long[] r = new long[2]; r[0] = a; r[1] = (long) b; return r; } \
             void overwrite() { data[0] = 2; } void passed(int[] p) { p[0]++; } \
             A fluent() { A a = new A(); a.set(3).set(4); return a; } A set(int v) { x = v; return this; } \
             A filled() { A a = new A(); a.fill(); a.x += 2; return a; } private void fill() { x = 1; } \
             String text(List<String> l) { StringBuilder b = new StringBuilder(); for (String s : l) b.append(s); \
               return b.append(l.size()).toString(); } \
             List<A> list() { List<A> l = new ArrayList<>(); l.add(this); return l; } \
             void count() { made++; } A either(boolean b) { A a = b ? this : new A(); a.x = 1; return a; } \
             int loop(A other) { A a = new A(); for (int i = 0; i < 3; i++) { a.x = i; a = other; } return 0; } }",
            &["A.copy", "A.wide", "A.filled", "A.text", "A.list"],
            // The result of `set` is not followed: doubt means effects.
            &[
                "A.overwrite",
                "A.passed",
                "A.fluent",
                "A.set",
                "A.fill",
                "A.count",
                "A.either",
                "A.loop",
            ],
        );
    }

    #[test]
    fn a_call_is_judged_by_all_it_may_reach() {
        check(
            "import java.util.*; interface Shape { int area(); int sides(); void draw(); } \
             class Square implements Shape { int n; public int area() { return 4; } public int sides() { return 4; } \
               public void draw() { n++; } } \
             class Odd implements Shape { int asked; public int area() { return asked++; } public int sides() { return 0; } \
               public void draw() {} } \
             class A { int area(Shape s) { return s.area(); } int sides(Shape s) { return s.sides(); } \
               int call(Runnable r) { r.run(); return 1; } native int nat(); int viaNative() { return nat(); } \
               int get(Map<String, Integer> m) { return m.get(\"a\"); } \
               int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); } \
               int print() { System.out.println(); return 0; } \
               String concat(int x) { return \"a\" + x; } Runnable make() { return () -> System.exit(1); } \
               void check(int x) { if (x < 0) throw new IllegalArgumentException(\"x\" + x); } }",
            &[
                "A.sides",
                "A.get",
                "A.even",
                "A.odd",
                "A.concat",
                "A.make",
                "A.check",
                "Shape.sides",
            ],
            &[
                "A.area",
                "A.call",
                "A.nat",
                "A.viaNative",
                "A.print",
                "Shape.area",
                "Shape.draw",
            ],
        );
    }

    #[test]
    fn a_map_of_the_program_counts_when_any_map_may_come() {
        check(
            "import java.util.*; class Lazy extends HashMap<String, Integer> { int asked; \
             public Integer get(Object k) { asked++; return 1; } } \
             class A { int get(Map<String, Integer> m) { return m.get(\"a\"); } \
               int size(Map<String, Integer> m) { return m.size(); } \
               boolean handlers(Object o) { try { return o.hashCode() == 1; } catch (RuntimeException e) { return false; } \
                 finally { o = null; } } }",
            &["A.size", "A.handlers"],
            &["A.get", "Lazy.get"],
        );
    }
}
