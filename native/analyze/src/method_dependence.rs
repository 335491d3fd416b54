//! Which methods depend on which others through the fields they share, and how much.
//!
//! Comes in: field accesses (`access.rs`). Goes out: [`Relevance`]: for a method, the methods whose call may change what
//! it does, with weights to draw by.
//! Does not know: traces, random numbers (the caller brings one).
//!
//! A method is a document and a field it touches is a word. A method that reads a field depends on every other method
//! that reads or writes it, with the weight of the shared fields' tf-idf in the depending method:
//!
//! ```java
//! class Gate {                                     // count: 5 of 8 documents, open: 5 of 8
//!   void enter(int n) { if (!open) return; ... }   // depends on open, reset, getCount, busy
//! }
//! ```
//!
//! Where all weights are zero because every document touches the field, the draw is uniform.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.2.

use crate::access::FieldAccess;
use palus_bytecode::{FieldId, Method, MethodId, Origin, Program};
use std::collections::BTreeMap;

/// The methods one method depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevance {
    /// Candidates in id order, each with its own weight and all weights before it.
    cumulative: Vec<(MethodId, f64)>,
    is_uniform: bool,
}

impl Relevance {
    /// True if all weights were zero and every candidate is as likely as any other.
    pub fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    /// True if no other method touches what the method reads.
    pub fn is_empty(&self) -> bool {
        self.cumulative.is_empty()
    }

    /// Candidates in id order with their probabilities.
    pub fn probabilities(&self) -> Vec<(MethodId, f64)> {
        let total = self.cumulative.last().map_or(0.0, |(_, all)| *all);
        let mut before = 0.0;
        let mut found = Vec::with_capacity(self.cumulative.len());
        for &(method, all) in &self.cumulative {
            found.push((method, (all - before) / total));
            before = all;
        }
        found
    }

    /// The candidate that a number drawn evenly from 0 (included) to 1 (excluded) stands for.
    pub fn draw(&self, even: f64) -> Option<MethodId> {
        let &(last, total) = self.cumulative.last()?;
        let wanted = even * total;
        let place = self.cumulative.partition_point(|(_, all)| *all <= wanted);
        Some(
            self.cumulative
                .get(place)
                .map_or(last, |(method, _)| *method),
        )
    }
}

/// The documents and words of the subject classes.
#[derive(Debug, Default)]
pub(crate) struct MethodDependence {
    documents: usize,
    /// Per field, the documents that touch it, in id order.
    touching: BTreeMap<FieldId, Vec<MethodId>>,
    /// Per field, the callable methods that touch it, in id order.
    candidates: BTreeMap<FieldId, Vec<MethodId>>,
}

impl MethodDependence {
    pub fn of(program: &Program, accesses: &[FieldAccess]) -> Self {
        let mut found = MethodDependence::default();
        for method in program
            .methods()
            .iter()
            .filter(|method| is_document(program, method))
        {
            found.documents += 1;
            let is_constructor = &*method.name == "<init>";
            let package = program.package(method.class);
            let is_candidate = !is_constructor && program.is_method_accessible(method.id, package);
            for field in accesses[method.id.index()].fields() {
                found.touching.entry(field).or_default().push(method.id);
                if is_candidate {
                    found.candidates.entry(field).or_default().push(method.id);
                }
            }
        }
        found
    }

    /// The methods that `method` depends on.
    pub fn relevance(&self, accesses: &[FieldAccess], method: MethodId) -> Relevance {
        let own = &accesses[method.index()];
        let all: u32 = own.fields().iter().map(|&field| own.count(field)).sum();
        let mut weights: BTreeMap<MethodId, f64> = BTreeMap::new();
        for &field in own.reads.keys() {
            let touching = self.touching.get(&field).map_or(0, Vec::len);
            // A method of another kind than a document touches a field that no document does.
            let idf = if touching == 0 {
                0.0
            } else {
                (count(self.documents) / count(touching)).ln()
            };
            let tf = f64::from(own.count(field)) / f64::from(all);
            for &candidate in self.candidates.get(&field).into_iter().flatten() {
                if candidate != method {
                    *weights.entry(candidate).or_default() += tf * idf;
                }
            }
        }
        let is_uniform = weights.values().all(|weight| *weight <= 0.0);
        let mut total = 0.0;
        let mut cumulative = Vec::with_capacity(weights.len());
        for (candidate, weight) in weights {
            total += if is_uniform { 1.0 } else { weight };
            if is_uniform || weight > 0.0 {
                cumulative.push((candidate, total));
            }
        }
        Relevance {
            is_uniform: is_uniform && !cumulative.is_empty(),
            cumulative,
        }
    }
}

fn is_document(program: &Program, method: &Method) -> bool {
    let access = method.access;
    program.class(method.class).origin == Origin::Subject
        && !(access.is_private() || access.is_abstract() || access.is_synthetic())
        && &*method.name != "<clinit>"
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("ids of methods are 32 bits wide"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{method, program};
    use crate::{Facts, access};

    const STATEMENT: &str = "class Statement { private Object connection; Statement(Object c) { connection = c; } \
        String executeQuery(String sql) { if (connection == null) throw new IllegalStateException(); return sql; } \
        void close() { connection = null; } }";
    /// The driver, connection and statement of the paper's first figure.
    const TINY: &str = "class Driver { Driver() {} \
        Connection connect(String url, java.util.Properties p) { if (!url.startsWith(\"jdbc\")) return null; \
          return new Connection(p.getProperty(\"user\"), url, this); } } \
        class Connection { String url, user, tsql; Driver driver; Connection() {} \
          Connection(String user, String url, Driver driver) { this.url = url; this.user = user; \
            this.driver = driver; tsql = \"t\"; } \
          Statement createStatement() { return new Statement(this); } } ";
    const GATE: &str = "public class Gate { int count; boolean open; String tag; private static int made; \
        public Gate(String tag) { this.tag = tag; clear(); made++; } \
        private void clear() { count = 0; open = false; } public void open() { open = true; } \
        public void reset() { clear(); } public void enter(int n) { if (!open) return; down(n); } \
        private void down(int n) { if (n > 0) { count = count + 1; down(n - 1); } } \
        public int getCount() { return count; } public boolean busy() { return open && count > 0; } \
        public String label() { return tag + \":\" + getCount(); } public static int made() { return made; } }";
    const MAP: &str = "import java.util.*; class City { private RoadMap map; private String name; \
        public City(String name) { this.name = name; } public void setMap(RoadMap m) { this.map = m; } \
        public void addRoad(City c) { map.addRoad(this, c); } \
        public int numNeighbors() { return map.numNeighbors(this); } } \
        class RoadMap { private Hashtable<City, Set<City>> cities; \
        public static RoadMap genMap() { RoadMap m = new RoadMap(); m.init(); return m; } \
        public void init() { cities = new Hashtable<City, Set<City>>(); } \
        public void addCity(City c) { cities.put(c, new HashSet<City>()); } \
        public void addRoad(City a, City b) { addConnection(a, b); addConnection(b, a); } \
        private void addConnection(City s, City t) { cities.get(s).add(t); } \
        public int numNeighbors(City c) { return cities.get(c).size(); } }";

    /// The dependents of a method, most likely first, as `name probability`.
    fn dependents(java: &str, of: &str) -> String {
        let program = program(&[("All.java", &java.replace("public class", "class"))]);
        let facts = Facts::of(&program);
        let mut found = facts.relevance(method(&program, of)).probabilities();
        found.sort_by(|left, right| right.1.total_cmp(&left.1));
        let text = |(id, probability): &(MethodId, f64)| {
            let method = program.method(*id);
            let class = &program.class(method.class).name;
            format!("{class}.{} {probability:.4}", method.name)
        };
        found.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn executing_a_query_depends_on_closing_the_statement() {
        let java = format!("{TINY}{STATEMENT}");
        assert_eq!(
            dependents(&java, "Statement.executeQuery"),
            "Connection.createStatement 0.5000, Statement.close 0.5000"
        );
        assert_eq!(dependents(&java, "Statement.close"), "");
        assert_eq!(dependents(&java, "Driver.connect"), "");
    }

    #[test]
    fn a_field_that_every_method_touches_is_drawn_evenly() {
        assert_eq!(
            dependents(STATEMENT, "Statement.executeQuery"),
            "Statement.close 1.0000"
        );
    }

    #[test]
    fn the_road_map_is_shared_through_private_callees_only() {
        let third = "RoadMap.init 0.3333, RoadMap.addRoad 0.3333, RoadMap.numNeighbors 0.3333";
        assert_eq!(dependents(MAP, "RoadMap.addCity"), third);
        let half = "City.setMap 0.5000, City.numNeighbors 0.5000";
        assert_eq!(dependents(MAP, "City.addRoad"), half);
        for none in [
            "RoadMap.init",
            "City.setMap",
            "City.<init>",
            "RoadMap.<init>",
        ] {
            assert_eq!(dependents(MAP, none), "", "{none}");
        }
    }

    #[test]
    fn weights_follow_how_often_a_field_is_touched() {
        for (of, expected) in [
            (
                "enter",
                "Gate.reset 0.3333, Gate.busy 0.3333, Gate.getCount 0.2222, Gate.open 0.1111",
            ),
            (
                "getCount",
                "Gate.reset 0.3333, Gate.enter 0.3333, Gate.busy 0.3333",
            ),
            (
                "busy",
                "Gate.reset 0.3333, Gate.enter 0.3333, Gate.open 0.1667, Gate.getCount 0.1667",
            ),
            ("<init>", "Gate.made 1.0000"),
            ("open", ""),
            ("reset", ""),
            ("label", ""),
            ("made", ""),
        ] {
            assert_eq!(dependents(GATE, &format!("Gate.{of}")), expected, "{of}");
        }
    }

    #[test]
    fn accesses_are_counted_with_private_callees_once() {
        let program = program(&[("Gate.java", GATE)]);
        let accesses = access::of(&program);
        let counts = |name: &str| {
            let access = &accesses[method(&program, &format!("Gate.{name}")).index()];
            let name = |field| program.field(field).name.to_string();
            access
                .fields()
                .into_iter()
                .map(|field| (name(field), access.count(field)))
                .collect::<Vec<_>>()
        };
        let expected = |list: &[(&str, u32)]| {
            list.iter()
                .map(|(name, count)| ((*name).to_string(), *count))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            counts("<init>"),
            expected(&[("count", 1), ("open", 1), ("tag", 1), ("made", 2)])
        );
        assert_eq!(counts("enter"), expected(&[("count", 2), ("open", 1)]));
        assert_eq!(counts("label"), expected(&[("tag", 1)]));
        assert_eq!(counts("made"), expected(&[("made", 1)]));
    }

    #[test]
    fn an_even_number_draws_by_weight() {
        let program = program(&[("Gate.java", GATE)]);
        let facts = Facts::of(&program);
        let relevance = facts.relevance(method(&program, "Gate.enter"));
        let names = [0.0, 0.1, 0.2, 0.5, 0.7, 0.9999].map(|even| {
            program
                .method(relevance.draw(even).unwrap())
                .name
                .to_string()
        });
        assert_eq!(names, ["open", "open", "reset", "getCount", "busy", "busy"]);
        assert_eq!(
            facts.relevance(method(&program, "Gate.open")).draw(0.5),
            None
        );
    }
}
