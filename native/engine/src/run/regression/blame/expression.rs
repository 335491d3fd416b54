//! Java expressions of tests, taken apart by their outermost operation.
//!
//! Comes in: text without comments and literals. Goes out: what is called on what, with which arguments.
//! What tests do not hold, such as a `switch`, is [`Expression::Other`].
//! Does not know: names of variables and classes.

/// An expression, by what it does last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression<'t> {
    New {
        class: &'t str,
        arguments: Vec<&'t str>,
    },
    Call {
        receiver: Option<&'t str>,
        name: &'t str,
        arguments: Vec<&'t str>,
    },
    Field {
        receiver: &'t str,
        name: &'t str,
    },
    Cast {
        class: &'t str,
        value: &'t str,
    },
    /// Its body.
    Lambda(&'t str),
    Name(&'t str),
    /// Its operands.
    Operation(Vec<&'t str>),
    Other,
}

const OPERATORS: [&str; 18] = [
    "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&&", "||", "&", "|", "^", "?", ":",
];

impl<'t> Expression<'t> {
    pub(super) fn of(text: &'t str) -> Expression<'t> {
        let mut text = text;
        loop {
            text = text.trim().trim_start_matches(['!', '-', '~']);
            if let Some(at) = arrow(text) {
                return Expression::Lambda(text[at + 2..].trim());
            }
            let operands = operands(text);
            if operands.len() > 1 {
                return Expression::Operation(operands);
            }
            if let Some((inside, rest)) = bracketed(text) {
                if rest.is_empty() {
                    text = inside;
                    continue;
                }
                if parts(inside).is_some() && rest.starts_with(|one| is_name(one) || one == '(') {
                    return Expression::Cast {
                        class: inside,
                        value: rest,
                    };
                }
            }
            let front = match text.chars().next_back() {
                Some(')') => return Expression::called(text),
                Some(']') if !text.starts_with("new ") => opening(text),
                // A class without a name.
                Some('}') => opening(text).filter(|&open| text[..open].trim_end().ends_with(')')),
                Some(one) if is_name(one) => return Expression::named(text),
                _ => None,
            };
            let Some(open) = front else {
                return Expression::Other;
            };
            text = &text[..open];
        }
    }

    /// Of a text that ends with a name.
    fn named(text: &'t str) -> Expression<'t> {
        let (front, name) = last_name(text);
        match front.strip_suffix('.') {
            Some(receiver) => Expression::Field { receiver, name },
            None if front.is_empty() => Expression::Name(name),
            None => Expression::Other,
        }
    }

    /// Of a text that ends with arguments.
    fn called(text: &'t str) -> Expression<'t> {
        let Some(open) = opening(text) else {
            return Expression::Other;
        };
        let arguments = split(&text[open + 1..text.len() - 1]);
        let front = text[..open].trim_end();
        let made = front.strip_prefix("new ").map(str::trim);
        if let Some(class) = made.filter(|made| parts(made).is_some()) {
            return Expression::New { class, arguments };
        }
        let (front, name) = last_name(front);
        // `Rates.<String>fee()`
        let front = match front.rfind(".<") {
            Some(at) if front.ends_with('>') => &front[..=at],
            _ => front,
        };
        let receiver = front.strip_suffix('.').map(str::trim_end);
        if name.is_empty() || receiver.is_none() && !front.is_empty() {
            return Expression::Other;
        }
        Expression::Call {
            receiver,
            name,
            arguments,
        }
    }
}

pub(super) fn is_name(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '$')
}

/// The text itself where it may be a type: names with points, type arguments, brackets.
pub(super) fn parts(text: &str) -> Option<&str> {
    let may_be = |one: char| is_name(one) || ".,?<>[] &".contains(one);
    let begins = text
        .chars()
        .next()
        .is_some_and(|one| is_name(one) && !one.is_numeric());
    let outside = text.split('<').next().unwrap_or(text).trim_end();
    (begins && text.chars().all(may_be) && !outside.contains([' ', ',', '?', '&'])).then_some(text)
}

/// How far a statement goes: up to the `;` outside of all brackets.
pub(super) fn end(text: &str) -> usize {
    top_level(text)
        .find(|&(_, one)| one == b';')
        .map_or(text.len(), |(at, _)| at)
}

/// What a statement assigns.
pub(super) fn assignment(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let is_alone = |at: usize| {
        let before = at.checked_sub(1).map(|at| bytes[at]);
        bytes.get(at + 1) != Some(&b'=') && !before.is_some_and(|one| b"=!<>".contains(&one))
    };
    let (at, _) = top_level(text).find(|&(at, one)| one == b'=' && is_alone(at))?;
    Some(text[at + 1..].trim())
}

/// Bytes outside of all brackets.
fn top_level(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut depth = 0_usize;
    text.bytes().enumerate().filter(move |&(_, one)| {
        match one {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

fn arrow(text: &str) -> Option<usize> {
    let mut places = top_level(text);
    let at = places.find(|&(at, one)| one == b'-' && text.as_bytes().get(at + 1) == Some(&b'>'));
    at.map(|(at, _)| at)
}

/// The arguments of a call.
fn split(text: &str) -> Vec<&str> {
    let mut angles = 0_usize;
    let commas = top_level(text).filter(|&(at, one)| {
        match one {
            // Type arguments stand after a capital letter's name without a blank.
            b'<' if !text[..at].ends_with(' ') => angles += 1,
            b'>' if !text[..at].ends_with([' ', '-']) => angles = angles.saturating_sub(1),
            _ => {}
        }
        one == b',' && angles == 0
    });
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in commas.collect::<Vec<_>>() {
        found.push(text[start..at].trim());
        start = at + 1;
    }
    // A literal is blank.
    if !text.is_empty() {
        found.push(text[start..].trim());
    }
    found
}

/// What stands between operators that have blanks around them.
fn operands(text: &str) -> Vec<&str> {
    let mut blanks = top_level(text)
        .filter(|&(_, one)| one == b' ')
        .map(|(at, _)| at)
        .peekable();
    let (mut found, mut start) = (Vec::new(), 0);
    while let Some(at) = blanks.next() {
        let Some(&next) = blanks.peek() else { break };
        let between = &text[at + 1..next];
        // Of two in a row, `a + - b`, the second one belongs to what follows.
        if at >= start && (OPERATORS.contains(&between) || between == "instanceof") {
            found.push(text[start..at].trim());
            start = next + 1;
        }
    }
    found.push(text[start..].trim());
    found
}

/// What stands in the parentheses that a text begins with, and what behind them.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('(')?;
    let mut depth = 1_usize;
    for (at, one) in inside.bytes().enumerate() {
        match one {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 1 => {
                return Some((inside[..at].trim(), inside[at + 1..].trim()));
            }
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where the bracket opens that a text ends with.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, one) in text.bytes().enumerate().rev() {
        match one {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth <= 1 => return Some(at),
            b'(' | b'[' | b'{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A text without the name at its end, and that name.
fn last_name(text: &str) -> (&str, &str) {
    let front = text.trim_end_matches(is_name);
    (front, &text[front.len()..])
}
