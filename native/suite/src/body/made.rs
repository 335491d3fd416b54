//! Source text of objects that a test makes to compare with.
//!
//! Comes in: a [`Made`]. Goes out: an expression without side effects.
//! Does not know: what is compared with it.

use super::Writer;
use crate::literal;
use crate::made::Made;
use crate::written::TestFramework;
use palus_bytecode::Type;
use palus_sequence::Value;

/// Factories that take a text; constructors and the rest are written out.
const FACTORIES: &[(&str, &str)] = &[
    ("java/net/URI", "create"),
    ("java/time/ZoneId", "of"),
    ("java/time/ZoneOffset", "of"),
    ("java/util/Currency", "getInstance"),
    ("java/util/Locale", "forLanguageTag"),
    ("java/util/UUID", "fromString"),
];
/// Texts for which the class has a constant.
const CONSTANTS: &[(&str, &str, &str)] = &[
    ("java/math/BigDecimal", "0", "ZERO"),
    ("java/math/BigDecimal", "1", "ONE"),
    ("java/math/BigDecimal", "10", "TEN"),
    ("java/math/BigInteger", "0", "ZERO"),
    ("java/math/BigInteger", "1", "ONE"),
    ("java/math/BigInteger", "10", "TEN"),
    ("java/time/Duration", "PT0S", "ZERO"),
    ("java/time/ZoneOffset", "Z", "UTC"),
    ("java/util/Locale", "und", "ROOT"),
];

impl Writer<'_, '_, '_> {
    /// The assertion that an expression gives what is made: its method, and its arguments.
    pub(super) fn equal_to_made(
        &mut self,
        made: &Made,
        actual: &str,
        declared: &Type,
    ) -> (&'static str, String) {
        let expected = self.made(made);
        let Made::Array { element, .. } = made else {
            return ("assertEquals", format!("{expected}, {actual}"));
        };
        let cast = if matches!(declared, Type::Array(_)) {
            String::new()
        } else {
            let array = Type::Array(Box::new(element.clone()));
            format!("({}) ", self.imports.erased(&array))
        };
        let is_jupiter = self.style.framework == TestFramework::Jupiter;
        match element {
            Type::Boolean if self.style.framework == TestFramework::Junit4Early => {
                let arrays = self.imports.class("java/util/Arrays");
                let equal = format!("{arrays}.equals({expected}, {cast}{actual})");
                ("assertTrue", equal)
            }
            Type::Float if !is_jupiter => {
                let arguments = format!("{expected}, {cast}{actual}, 0.0f");
                ("assertArrayEquals", arguments)
            }
            Type::Double if !is_jupiter => {
                let arguments = format!("{expected}, {cast}{actual}, 0.0");
                ("assertArrayEquals", arguments)
            }
            _ => ("assertArrayEquals", format!("{expected}, {cast}{actual}")),
        }
    }

    fn made(&mut self, made: &Made) -> String {
        match made {
            Made::Null => "null".into(),
            Made::Value(value) => self.value(value),
            Made::FromText { class, text } => self.made_from_text(class, text),
            Made::Array { element, elements } => {
                let array = Type::Array(Box::new(element.clone()));
                let array = self.imports.erased(&array);
                format!("new {array} {}", self.in_braces(element, elements))
            }
            Made::List(elements) => self.listed(elements),
            Made::Set(elements) if elements.is_empty() => {
                format!("{}.emptySet()", self.imports.class("java/util/Collections"))
            }
            Made::Set(elements) => {
                let listed = self.listed(elements);
                format!(
                    "new {}<>({listed})",
                    self.imports.class("java/util/HashSet")
                )
            }
            Made::Map(entry) => {
                let collections = self.imports.class("java/util/Collections");
                match entry.as_deref() {
                    None => format!("{collections}.emptyMap()"),
                    Some((key, value)) => {
                        let (key, value) = (self.made(key), self.made(value));
                        format!("{collections}.singletonMap({key}, {value})")
                    }
                }
            }
            Made::Called { method, arguments } => {
                let method = self.program.method(*method);
                let class = self.program.class(method.class).name.clone();
                let class = self.imports.class(&class);
                let all: Vec<String> = arguments.iter().map(|one| self.made(one)).collect();
                let arguments = all.join(", ");
                if method.is_constructor() {
                    format!("new {class}({arguments})")
                } else {
                    format!("{class}.{}({arguments})", method.name)
                }
            }
            Made::Optional(class, held) => {
                let class = self.imports.class(class);
                match held {
                    None => format!("{class}.empty()"),
                    Some(held) => format!("{class}.of({})", self.made(held)),
                }
            }
        }
    }

    fn listed(&mut self, elements: &[Made]) -> String {
        match elements {
            [] => format!(
                "{}.emptyList()",
                self.imports.class("java/util/Collections")
            ),
            // A lone null would be taken for the array of the elements.
            [Made::Null] => {
                let collections = self.imports.class("java/util/Collections");
                format!("{collections}.singletonList(null)")
            }
            elements => {
                let all: Vec<String> = elements.iter().map(|one| self.made(one)).collect();
                let arrays = self.imports.class("java/util/Arrays");
                format!("{arrays}.asList({})", all.join(", "))
            }
        }
    }

    fn in_braces(&mut self, element: &Type, elements: &[Made]) -> String {
        let all: Vec<String> = elements
            .iter()
            .map(|one| match (one, element) {
                (Made::Array { elements, .. }, Type::Array(element)) => {
                    self.in_braces(element, elements)
                }
                (Made::Value(Value::Byte(number)), Type::Byte) => number.to_string(),
                (Made::Value(Value::Short(number)), Type::Short) => number.to_string(),
                _ => self.made(one),
            })
            .collect();
        format!("{{{}}}", all.join(", "))
    }

    fn made_from_text(&mut self, class: &str, text: &str) -> String {
        // The class of zones that have a name is nobody's to name.
        let is_zone = class == "java/time/ZoneRegion";
        let class = if is_zone { "java/time/ZoneId" } else { class };
        let known = FACTORIES.iter().find(|(of, _)| *of == class);
        let parse = class.starts_with("java/time/").then_some("parse");
        let factory = known.map(|(_, factory)| *factory).or(parse);
        let simple = self.imports.class(class);
        let constant = CONSTANTS
            .iter()
            .find(|(of, known, _)| *of == class && *known == text);
        if let Some((_, _, name)) = constant {
            return format!("{simple}.{name}");
        }
        let quoted = literal::text(text);
        match factory {
            Some(factory) => format!("{simple}.{factory}({quoted})"),
            None if class == "java/util/Date" => format!("new {simple}({text}L)"),
            None => format!("new {simple}({quoted})"),
        }
    }
}
