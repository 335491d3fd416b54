//! What users write for Palus into their own classes: values for parameters and theories.
//!
//! Comes in: the program with those test classes that mention such an annotation. Goes out: [`UserCode`]: offered
//! values by method, theories that can be called, and a warning for each annotation that is of no use.
//! Source: Zhang et al., "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.4 (`@ParamValue`).
//! Does not know: how values and theories are used.
//!
//! ```text
//! @ParamValue(cn = "tinySQLStatement", mn = "executeQuery")
//! public static String queryMore = "Select * from table_name where id > 10";
//! ```
//! offers the field for every overload of `executeQuery` of the class with that simple or full name.

use palus_bytecode::{ClassId, Field, Mark, MethodId, Origin, Program, internal_name};
use palus_generate::UserValues;
use palus_sequence::Value;
use palus_suite::find_theories;

/// What the user wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct UserCode {
    /// Fields offered for the parameters of methods.
    pub(crate) values: UserValues,
    /// Methods that have to hold for any arguments.
    pub(crate) theories: Vec<MethodId>,
    /// Annotations that are of no use, and why.
    pub(crate) warnings: Vec<String>,
}

/// True if a class file may hold an annotation that is read here.
pub(crate) fn is_user_code(bytes: &[u8]) -> bool {
    [
        &b"Lio/palus/annotations/"[..],
        &b"Lorg/junit/experimental/theories/Theory;"[..],
    ]
    .iter()
    .any(|name| bytes.windows(name.len()).any(|window| window == *name))
}

impl UserCode {
    /// Reads annotations of fields, and those of methods where theories are wanted.
    pub(crate) fn of(program: &Program, with_theories: bool) -> UserCode {
        let mut code = UserCode::default();
        if with_theories {
            let found = find_theories(program);
            code.theories = found.methods;
            code.warnings = found.warnings;
        }
        for class in program.classes() {
            if !matches!(class.origin, Origin::Subject | Origin::Test) {
                continue;
            }
            for &field in &class.fields {
                let field = program.field(field);
                for mark in field
                    .marks
                    .iter()
                    .filter(|mark| &*mark.name == "ParamValue")
                {
                    if let Err(why) = code.offer(program, field, mark) {
                        code.warnings.push(format!(
                            "@ParamValue on {}.{} is ignored: {why}",
                            class.binary_name(),
                            field.name
                        ));
                    }
                }
            }
        }
        code
    }

    fn offer(&mut self, program: &Program, field: &Field, mark: &Mark) -> Result<(), String> {
        let class_name = mark.texts("cn").next().unwrap_or_default();
        let method_name = mark.texts("mn").next().unwrap_or_default();
        if !field.access.is_static() {
            return Err("the field is not static".to_owned());
        }
        let target = class_named(program, class_name)?;
        let holder = program.class(field.class);
        let is_near = program.package(field.class) == program.package(target);
        let is_seen = program.is_class_accessible(field.class, program.package(target))
            && (field.access.is_public() || (is_near && !field.access.is_private()));
        if !is_seen {
            return Err(format!(
                "tests of {class_name} cannot reach the field; make it and {} public",
                holder.name.rsplit('/').next().unwrap_or(&holder.name)
            ));
        }
        let methods: Vec<MethodId> = program
            .class(target)
            .methods
            .iter()
            .copied()
            .filter(|&id| *program.method(id).name == *method_name)
            .collect();
        if methods.is_empty() {
            return Err(format!("{class_name} has no method {method_name}"));
        }
        for method in methods {
            self.values.offer(method, Value::StaticField(field.id));
        }
        Ok(())
    }
}

/// The class of the project with this full or simple name.
fn class_named(program: &Program, name: &str) -> Result<ClassId, String> {
    let wanted = internal_name(name);
    let is_named = |id: ClassId| {
        let class = program.class(id);
        let source = program.source_name(id).unwrap_or_default();
        *class.name == *wanted || source == name
    };
    let is_simple = |id: ClassId| {
        let class = program.class(id);
        let simple = class.inner_name.as_deref();
        simple.unwrap_or_else(|| class.name.rsplit('/').next().unwrap_or(&class.name)) == name
    };
    let subjects = program
        .classes()
        .iter()
        .filter(|class| class.origin == Origin::Subject)
        .map(|class| class.id);
    if let Some(found) = subjects.clone().find(|&id| is_named(id)) {
        return Ok(found);
    }
    let found: Vec<ClassId> = subjects.filter(|&id| is_simple(id)).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(format!("the project has no class {name}")),
        more => {
            let names: Vec<String> = more
                .iter()
                .map(|&id| program.class(id).binary_name())
                .collect();
            Err(format!("{name} may be any of {}", names.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::ProgramBuilder;
    use palus_fixture::compile;

    const ANNOTATION: (&str, &str) = (
        "io/palus/annotations/ParamValue.java",
        "package io.palus.annotations;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface ParamValue { String cn(); String mn(); }",
    );
    const THEORY: (&str, &str) = (
        "io/palus/annotations/Theory.java",
        "package io.palus.annotations; public @interface Theory {}",
    );
    const STATEMENT: (&str, &str) = (
        "sql/Statement.java",
        "package sql;
        public class Statement {
          public Statement(String url) {}
          public void executeQuery(String sql) {}
          public void executeQuery(String sql, int limit) {}
        }",
    );
    const OTHER: (&str, &str) = (
        "other/Twin.java",
        "package other; public class Twin { public void run(int number) {} }",
    );
    const TWIN: (&str, &str) = (
        "sql/Twin.java",
        "package sql; public class Twin { public void run(int number) {} }",
    );

    fn program(values: &str) -> Program {
        let test = ("sql/Values.java", values);
        let compiled = compile(&[ANNOTATION, THEORY, STATEMENT, OTHER, TWIN, test]);
        let mut builder = ProgramBuilder::new();
        for (name, bytes) in &compiled.classes {
            let origin = if name.contains("Values") {
                assert!(is_user_code(bytes));
                Origin::Test
            } else {
                Origin::Subject
            };
            builder.add(origin, bytes).unwrap();
        }
        builder.finish()
    }

    #[test]
    fn a_static_field_is_offered_to_every_overload() {
        let program = program(
            r#"package sql;
            import io.palus.annotations.ParamValue;
            public class Values {
              @ParamValue(cn = "Statement", mn = "executeQuery")
              public static String queryMore = "Select * from table_name where id > 10";
              @ParamValue(cn = "sql.Statement", mn = "<init>")
              static final String URL = "jdbc:tinysql:db";
            }"#,
        );
        let code = UserCode::of(&program, true);
        assert_eq!(code.warnings, Vec::<String>::new());
        let values = program.class_named("sql/Values").unwrap();
        let field = |name| Value::StaticField(program.find_field(values, name).unwrap());
        let statement = program.class_named("sql/Statement").unwrap();
        let of = |name, descriptor| {
            let method = program
                .declared_method(statement, name, descriptor)
                .unwrap();
            code.values.of(method).to_vec()
        };
        let query = "executeQuery";
        assert_eq!(of(query, "(Ljava/lang/String;)V"), [field("queryMore")]);
        assert_eq!(of(query, "(Ljava/lang/String;I)V"), [field("queryMore")]);
        assert_eq!(of("<init>", "(Ljava/lang/String;)V"), [field("URL")]);
    }

    #[test]
    fn what_is_of_no_use_is_named_with_the_reason() {
        let program = program(
            r#"package sql;
            import io.palus.annotations.ParamValue;
            public class Values {
              @ParamValue(cn = "Statement", mn = "executeQuery") public String own = "";
              @ParamValue(cn = "Statement", mn = "executeQuery") private static String mine = "";
              @ParamValue(cn = "Twin", mn = "run") public static int either = 1;
              @ParamValue(cn = "Nobody", mn = "run") public static int nobody = 1;
              @ParamValue(cn = "Statement", mn = "fly") public static int fly = 1;
              @ParamValue(cn = "other.Twin", mn = "run") static int far = 1;
            }"#,
        );
        let code = UserCode::of(&program, true);
        assert!(code.values.is_empty());
        let whys: Vec<&str> = code
            .warnings
            .iter()
            .map(|warning| warning.strip_prefix("@ParamValue on sql.Values.").unwrap())
            .collect();
        assert_eq!(
            whys,
            [
                "own is ignored: the field is not static",
                "mine is ignored: tests of Statement cannot reach the field; make it and Values public",
                "either is ignored: Twin may be any of other.Twin, sql.Twin",
                "nobody is ignored: the project has no class Nobody",
                "fly is ignored: Statement has no method fly",
                "far is ignored: tests of other.Twin cannot reach the field; make it and Values public",
            ]
        );
    }

    #[test]
    fn theories_that_cannot_be_called_are_named() {
        let program = program(
            r"package sql;
            import io.palus.annotations.Theory;
            public class Values {
              @Theory public void holds(String text) {}
              @Theory public void lonely() {}
              @Theory private void hidden(String text) {}
            }",
        );
        let code = UserCode::of(&program, true);
        assert_eq!(code.theories.len(), 1);
        assert_eq!(&*program.method(code.theories[0]).name, "holds");
        assert_eq!(
            code.warnings,
            [
                "the theory sql.Values#lonely is not tried: it has no parameters",
                "the theory sql.Values#hidden is not tried: the method and its class must not be private",
            ]
        );
        assert!(UserCode::of(&program, false).theories.is_empty());
    }
}
