//! Classes of libraries that only bodies of methods name, for the analysis of harm alone.
//!
//! Comes in: the program, and the class path. Goes out: the program with those classes behind its own, which keep their
//! ids: nearest first, from the bodies of the subject on, until there are no more or one of two caps is met.
//! Libraries that write logs are surroundings, and not read.
//! Does not know: what the classes do; those of the JDK that only they name.
//!
//! ```text
//! if (isMonday()) FileUtils.deleteQuietly(file);   // FileUtils, which the program lacks where no signature names it
//! ```

use crate::subject::class_path::ClassPath;
use palus_analyze::Facts;
use palus_bytecode::{Origin, Program, ProgramBuilder, Trail};

/// What is read of libraries at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    pub(crate) classes: usize,
    pub(crate) bytes: usize,
}

/// As much as takes about a second, and as the build's JVM has room for beside all else.
pub(crate) const CAPS: Caps = Caps {
    classes: 5_000,
    bytes: 24 << 20,
};

/// A program and the classes that its bodies run into.
#[derive(Debug)]
pub(crate) struct Widened {
    /// None where there are none that it lacks.
    pub(crate) program: Option<Program>,
    /// How many classes were read, and how many of those that these name were not, as a cap was met.
    pub(crate) read: usize,
    pub(crate) left_out: usize,
}

impl Widened {
    /// The facts of the program that was widened. What was left out may do anything by chance.
    pub(crate) fn facts(&self, program: &Program) -> Facts {
        let whole = self.program.as_ref().unwrap_or(program);
        Facts::within(program, whole, self.left_out == 0)
    }

    /// For the log, where a cap was met.
    pub(crate) fn said(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            format!(
                "classes of libraries that were looked into for what may do harm: {}; that these name, and were not: {}",
                self.read, self.left_out
            )
        })
    }
}

/// Reads what a program's bodies run into.
pub(crate) fn widened(program: &Program, class_path: &mut ClassPath, caps: Caps) -> Widened {
    let mut trail = Trail::of(program);
    // None until a class is found that the program lacks.
    let mut builder: Option<ProgramBuilder> = None;
    let (mut read, mut bytes, mut left_out) = (0, 0, 0);
    loop {
        let so_far = builder.as_ref().map_or(program, ProgramBuilder::so_far);
        let mut names = trail.next(so_far);
        if names.is_empty() {
            break;
        }
        names.retain(|name| !palus_analyze::writes_logs(name));
        for name in names {
            if read >= caps.classes || bytes >= caps.bytes {
                left_out += usize::from(class_path.has(&name));
            } else if let Some(class) = class_path.read(&name) {
                let builder = builder.get_or_insert_with(|| ProgramBuilder::after(program));
                read += usize::from(builder.add_as(Origin::Library, &name, &class).is_ok());
                bytes += class.len();
            }
        }
    }
    Widened {
        program: builder.map(ProgramBuilder::finish),
        read,
        left_out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_fixture::compile;

    /// A subject `A` that calls `B`, which calls `C` and `Other`; of these only the bodies are called.
    fn read(caps: Caps) -> (Vec<String>, usize, Option<String>) {
        let all = compile(&[
            ("A.java", "class A { int m() { return B.m(); } }"),
            (
                "B.java",
                "class B extends Base { static int m() { return new Other().n + C.m(); } static int no() { return D.n; } }",
            ),
            ("Base.java", "class Base { static { E.m(); } }"),
            ("C.java", "class C { static int m() { return 1; } }"),
            ("D.java", "class D { static int n; }"),
            ("E.java", "class E { static void m() { } }"),
            (
                "Other.java",
                "class Other { int n; public String toString() { return F.m(); } }",
            ),
            ("F.java", "class F { static String m() { return null; } }"),
        ]);
        let mut builder = ProgramBuilder::new();
        builder.add(Origin::Subject, all.bytes("A")).unwrap();
        let program = builder.finish();
        let widened = widened(&program, &mut ClassPath::open(&[all.dir], 17), caps);
        let said = widened.said();
        let whole = widened.program.unwrap();
        assert_eq!(
            &*whole.classes()[0].name,
            "A",
            "its own classes keep their ids"
        );
        let names = whole.classes()[1..]
            .iter()
            .map(|class| class.name.to_string());
        (names.collect(), widened.read, said)
    }

    #[test]
    fn what_called_methods_come_to_is_read_nearest_first_and_nothing_else() {
        assert_eq!(
            read(CAPS),
            (
                ["B", "C", "Other", "F"].map(str::to_owned).to_vec(),
                4,
                None
            )
        );
    }

    #[test]
    fn a_cap_on_classes_or_bytes_keeps_the_nearest_and_counts_the_rest() {
        let told = |read: usize, left_out: usize| {
            Some(format!(
                "classes of libraries that were looked into for what may do harm: {read}; that these name, and were not: {left_out}"
            ))
        };
        let (names, _, said) = read(Caps { classes: 2, ..CAPS });
        assert_eq!((names.join(" "), said), ("B C".to_owned(), told(2, 1)));
        let (names, _, said) = read(Caps { bytes: 1, ..CAPS });
        assert_eq!((names.join(" "), said), ("B".to_owned(), told(1, 2)));
    }

    #[test]
    fn orders_that_a_library_draws_are_known_and_taken_for_granted_where_not_all_is_read() {
        let draws = |names: &str, caps| {
            let names = format!("class Names {{ static Object all() {{ return {names}; }} }}");
            let all = compile(&[
                ("A.java", "class A { Object m() { return Names.all(); } }"),
                ("Names.java", &names),
            ]);
            let mut builder = ProgramBuilder::new();
            builder.add(Origin::Subject, all.bytes("A")).unwrap();
            let program = builder.finish();
            let widened = widened(&program, &mut ClassPath::open(&[all.dir], 17), caps);
            widened.facts(&program).has_orders_of_each_jvm()
        };
        assert!(draws("java.util.Set.of(1, 2)", CAPS));
        assert!(!draws("java.util.List.of(1, 2)", CAPS));
        assert!(draws(
            "java.util.List.of(1, 2)",
            Caps { classes: 0, ..CAPS }
        ));
    }
}
