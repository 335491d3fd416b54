//! Classes whose objects are values, and what makes one of them with given fields.
//!
//! Comes in: a class. Goes out: its [`ValueMaker`]s: constructors and static methods with, for each field, the parameter or
//! constant that is stored in it as it is. A class has values where all its fields are final and its own `equals` compares
//! each of them: such an object equals another that is made with what its fields hold.
//! Does not know: what the fields of an object hold, how a test makes one.
//!
//! ```java
//! private Money(long cents, String currency) { this.cents = cents; this.currency = requireNonNull(currency); }
//! static Money eur(long cents) { return new Money(cents, "EUR"); }     // cents: parameter 0, currency: "EUR"
//! ```

use crate::control_flow::ControlFlow;
use crate::data_dependence::{DataDependence, Source};
use palus_bytecode::{
    Class, Code, Field, FieldId, InvokeKind, Method, MethodId, MethodName, Operation, Origin,
    Program, Type,
};

/// More fields nobody wants to read in an assertion.
const MOST_FIELDS: usize = 5;
/// Static methods of the JDK that give their first argument, or what equals it.
const GIVE_BACK: &[(&str, &str)] = &[
    ("java/util/List", "copyOf"),
    ("java/util/Objects", "requireNonNull"),
];

/// Steps from where a value is used to where it comes from.
const FURTHEST: usize = 64;

/// A way to make an object of a value class.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueMaker {
    /// A constructor, or a static method.
    pub method: MethodId,
    /// For each field of the class, in the order of the class file, what is stored in it.
    pub stored: Vec<Stored>,
}

/// What a field is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// A parameter, counted from 0.
    Parameter(u32),
    /// A constant: a number, a text or `null`.
    Constant(Operation),
}

/// What makes objects of a class; nothing where it is no value class.
pub(crate) fn makers(program: &Program, class: &Class, is_pure: &[bool]) -> Vec<ValueMaker> {
    let Some(fields) = value_fields(program, class) else {
        return Vec::new();
    };
    let fields: Vec<&Field> = fields.into_iter().map(|id| program.field(id)).collect();
    let methods = class.methods.iter().map(|&id| program.method(id));
    let constructors = methods.clone().filter(|one| one.is_constructor());
    let mut found: Vec<ValueMaker> = constructors
        .filter(|one| is_pure[one.id.index()])
        .filter_map(|one| {
            let stored = Body::of(one)?.stored(&fields)?;
            Some(ValueMaker {
                method: one.id,
                stored,
            })
        })
        .collect();
    let gives = Type::Object(class.name.clone());
    let factories = methods.filter(|one| {
        one.access.is_static() && one.method_type.returns == gives && is_pure[one.id.index()]
    });
    let made: Vec<ValueMaker> = factories
        .filter_map(|one| {
            let stored = Body::of(one)?.handed_on(program, &found)?;
            Some(ValueMaker {
                method: one.id,
                stored,
            })
        })
        .collect();
    found.extend(made);
    found
}

/// The fields of a value class.
fn value_fields(program: &Program, class: &Class) -> Option<Vec<FieldId>> {
    let is_plain = matches!(
        class.super_name.as_deref(),
        Some("java/lang/Object" | "java/lang/Record")
    );
    if class.origin != Origin::Subject || class.access.is_interface() || !is_plain {
        return None;
    }
    let own = class.fields.iter().copied().filter(|&id| {
        let access = program.field(id).access;
        !access.is_static() && !access.is_synthetic()
    });
    let fields: Vec<FieldId> = own.collect();
    let is_final = |&id: &FieldId| program.field(id).access.is_final();
    let is_value = (1..=MOST_FIELDS).contains(&fields.len())
        && fields.iter().all(is_final)
        && compares(program, class, &fields);
    is_value.then_some(fields)
}

/// Whether the `equals` of a class reads each of these fields, itself or by their getters.
fn compares(program: &Program, class: &Class, fields: &[FieldId]) -> bool {
    let methods = class.methods.iter().map(|&id| program.method(id));
    let mut equals =
        methods.filter(|one| &*one.name == "equals" && &*one.descriptor == "(Ljava/lang/Object;)Z");
    let Some(code) = equals.next().and_then(|one| one.code.as_ref()) else {
        return false;
    };
    let reads = |code: &Code, wanted: FieldId| {
        code.instructions.iter().any(|one| {
            matches!(&one.operation, Operation::GetField { field, is_static: false }
                if program.resolve_field(field) == Some(wanted))
        })
    };
    let calls = |wanted: FieldId| {
        code.instructions.iter().any(|one| {
            let Operation::Invoke { method, .. } = &one.operation else {
                return false;
            };
            let getter = program.resolve_method(method).map(|id| program.method(id));
            let getter = getter.filter(|one| one.class == class.id);
            getter
                .and_then(|one| one.code.as_ref())
                .is_some_and(|code| code.instructions.len() == 3 && reads(code, wanted))
        })
    };
    // The one that the compiler gives a record compares all.
    let is_given = |one: &Operation| matches!(one, Operation::InvokeDynamic(call) if class.is_record && &*call.name == "equals");
    code.instructions.iter().any(|one| is_given(&one.operation))
        || fields
            .iter()
            .all(|&field| reads(code, field) || calls(field))
}

/// A body and where its values come from.
struct Body<'a> {
    method: &'a Method,
    code: &'a Code,
    data: DataDependence,
}

impl<'a> Body<'a> {
    fn of(method: &'a Method) -> Option<Self> {
        let code = method
            .code
            .as_deref()
            .filter(|code| code.handlers.is_empty())?;
        let data = DataDependence::of(method, code, &ControlFlow::of(code))?;
        Some(Body { method, code, data })
    }

    fn operations(&self) -> impl Iterator<Item = (u32, &'a Operation)> {
        (0..).zip(self.code.instructions.iter().map(|one| &one.operation))
    }

    /// What a constructor stores in each of these fields.
    fn stored(&self, fields: &[&Field]) -> Option<Vec<Stored>> {
        let of = |wanted: &Field| {
            let mut stores = self.operations().filter(|(_, one)| {
                matches!(one, Operation::PutField { field, is_static: false }
                    if field.name == wanted.name && field.field_type == wanted.field_type)
            });
            let (at, _) = stores.next()?;
            let is_only = stores.next().is_none();
            self.origin(self.data.operands(at).get(1)?)
                .filter(|_| is_only)
        };
        fields.iter().map(|field| of(field)).collect()
    }

    /// What a static method stores that does nothing but call one of these constructors.
    fn handed_on(&self, program: &Program, constructors: &[ValueMaker]) -> Option<Vec<Stored>> {
        let calls = self.operations().filter_map(|(at, one)| match one {
            Operation::Invoke {
                kind: InvokeKind::Special,
                method,
            } => {
                let called = program.resolve_method(method);
                let of = constructors.iter().find(|one| Some(one.method) == called);
                of.map(|of| (at, of))
            }
            _ => None,
        });
        let calls: Vec<(u32, &ValueMaker)> = calls.collect();
        let [(at, constructor)] = calls.as_slice() else {
            return None;
        };
        let mut returns = self
            .operations()
            .filter(|(_, one)| matches!(one, Operation::Return { .. }));
        // What it returns is what it made.
        let (end, _) = returns.next()?;
        let made = self.data.operands(*at).first()?;
        if returns.next().is_some() || self.data.operands(end).first()? != made {
            return None;
        }
        let stored = constructor.stored.iter().map(|one| match one {
            Stored::Parameter(place) => {
                self.origin(self.data.operands(*at).get(*place as usize + 1)?)
            }
            Stored::Constant(_) => Some(one.clone()),
        });
        stored.collect()
    }

    /// The only parameter or constant that a value comes from as it is.
    fn origin<'s>(&'s self, mut sources: &'s [Source]) -> Option<Stored> {
        // In a class file that no JVM would load a value may come from itself.
        for _ in 0..FURTHEST {
            let &[source] = sources else { return None };
            let at = match source {
                Source::Parameter(number) => {
                    let first = u32::from(!self.method.access.is_static());
                    return number.checked_sub(first).map(Stored::Parameter);
                }
                Source::Instruction(at) => at,
                Source::Caught => return None,
            };
            let operation = &self.code.instructions[at as usize].operation;
            match operation {
                Operation::Int(_)
                | Operation::Long(_)
                | Operation::Float(_)
                | Operation::Double(_)
                | Operation::Text(_)
                | Operation::Null => return Some(Stored::Constant(operation.clone())),
                Operation::Load { .. } | Operation::Store { .. } | Operation::Cast(_) => {}
                Operation::Invoke {
                    kind: InvokeKind::Static | InvokeKind::Interface,
                    method,
                } if gives_back(method) => {}
                _ => return None,
            }
            sources = self.data.operands(at).first()?;
        }
        None
    }
}

fn gives_back(method: &MethodName) -> bool {
    GIVE_BACK
        .iter()
        .any(|(owner, name)| *owner == &*method.owner && *name == &*method.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::program;
    use crate::purity;
    use palus_bytecode::ProgramBuilder;
    use palus_fixture::{Options, compile_with};

    /// `eur(long): 0 "EUR"`, one a line.
    fn told(text: &str) -> String {
        let program = program(&[("demo/Money.java", text)]);
        let class = program.class_named("demo/Money").unwrap();
        let makers = makers(&program, program.class(class), &purity::of(&program));
        let lines = makers.iter().map(|maker| {
            let stored = maker.stored.iter().map(|one| match one {
                Stored::Parameter(place) => place.to_string(),
                Stored::Constant(operation) => format!("{operation:?}"),
            });
            let method = program.method(maker.method);
            let stored: Vec<String> = stored.collect();
            format!("{}{}: {}", method.name, method.descriptor, stored.join(" "))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    const EQUALS: &str = "public boolean equals(Object other) {
        return other instanceof Money && cents == ((Money) other).cents && currency.equals(((Money) other).currency());
      }
      public String currency() { return currency; }";

    #[test]
    fn a_constructor_stores_parameters_and_a_factory_hands_them_on() {
        let text = format!(
            "package demo; public final class Money {{
              private final long cents; private final String currency;
              private Money(String currency, long cents) {{
                if (cents < 0) {{ throw new IllegalArgumentException(\"negative\"); }}
                this.cents = cents; this.currency = java.util.Objects.requireNonNull(currency, \"currency\");
              }}
              static Money eur(long cents) {{ return new Money(\"EUR\", cents); }}
              static Money twice(long cents) {{ return new Money(\"EUR\", 2 * cents); }}
              static Money any(long cents) {{ return cents > 3 ? new Money(\"A\", cents) : new Money(\"B\", cents); }}
              {EQUALS}
            }}"
        );
        let eur = r#"eur(J)Ldemo/Money;: 0 Text("EUR")"#;
        assert_eq!(
            told(&text),
            format!("<init>(Ljava/lang/String;J)V: 1 0\n{eur}")
        );
    }

    /// No JVM would load it, but it lies in a folder of classes.
    #[test]
    fn a_value_that_comes_from_itself_comes_from_nowhere() {
        let text = format!(
            "package demo; public final class Money {{
              private final long cents; private final String currency;
              Money(long cents, String currency) {{
                String own = currency;
                do {{ own = own; cents--; }} while (cents > 0);
                this.cents = 1; this.currency = own;
              }}
              {EQUALS}
            }}"
        );
        // `own = currency; own = own;` by its variables 3 and 4, and then the second alone.
        let [both, second] = [
            [0x2d, 0x3a, 4, 0x19, 4, 0x3a, 4],
            [0, 0, 0, 0x19, 4, 0x3a, 4],
        ];
        let options = Options::default();
        let compiled = compile_with(&[("demo/Money.java", &text)], &options);
        let mut bytes = compiled.classes[0].1.clone();
        let mut places = bytes.windows(both.len());
        let at = places.position(|bytes| bytes == both).unwrap();
        bytes[at..at + second.len()].copy_from_slice(&second);
        let mut builder = ProgramBuilder::new();
        let class = builder.add(Origin::Subject, &bytes).unwrap();
        let program = builder.finish();
        let makers = makers(&program, program.class(class), &purity::of(&program));
        assert_eq!(makers, []);
    }

    #[test]
    fn what_a_constructor_makes_of_a_parameter_is_no_parameter() {
        let of = |body: &str| {
            told(&format!(
                "package demo; public final class Money {{
                  private final long cents; private final String currency;
                  Money(long cents, String currency) {{ {body} }}
                  {EQUALS}
                }}"
            ))
        };
        let plain = "<init>(JLjava/lang/String;)V: 0 1";
        assert_eq!(of("this.cents = cents; this.currency = currency;"), plain);
        assert_eq!(of("this.cents = cents + 1; this.currency = currency;"), "");
        assert_eq!(
            of("this.cents = cents; this.currency = currency == null ? \"EUR\" : currency;"),
            ""
        );
        assert_eq!(
            of("currency = currency.trim(); this.cents = cents; this.currency = currency;"),
            ""
        );
    }

    #[test]
    fn a_class_that_may_change_or_compares_less_has_no_values() {
        let of = |fields: &str, equals: &str| {
            told(&format!(
                "package demo; public final class Money {{
                  {fields}
                  Money(long cents, String currency) {{ this.cents = cents; this.currency = currency; }}
                  {equals}
                }}"
            ))
        };
        let (long, text) = (
            "private final long cents;",
            "private final String currency;",
        );
        assert_ne!(of(&format!("{long} {text}"), EQUALS), "");
        assert_eq!(of(&format!("private long cents; {text}"), EQUALS), "");
        assert_eq!(of(&format!("{long} {text}"), ""), "");
        let less = "public boolean equals(Object other) {
          return other instanceof Money && cents == ((Money) other).cents;
        }";
        assert_eq!(of(&format!("{long} {text}"), less), "");
    }
}
