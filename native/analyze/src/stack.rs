//! What instructions do to the operand stack, whatever is kept of its values.
//!
//! Comes in: descriptors, opcodes, a stack of anything. Goes out: how many values a call takes and what it leaves, and
//! stacks after `pop`, `dup` and `swap`, which count slots: a `long` or `double` has two.
//! Does not know: what values stand for.

/// What a descriptor says of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// A primitive of one slot.
    Plain,
    /// `long` or `double`.
    Wide,
    /// An object or array.
    Reference,
}

/// What a method's descriptor says about the stack, read without making types of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub parameters: usize,
    /// None for `void`.
    pub returns: Option<Size>,
}

impl Shape {
    /// None where the descriptor makes no sense.
    pub fn of(descriptor: &str) -> Option<Shape> {
        let mut rest = descriptor.strip_prefix('(')?.as_bytes();
        let mut parameters = 0;
        loop {
            match rest {
                [b')', b'V'] => {
                    return Some(Shape {
                        parameters,
                        returns: None,
                    });
                }
                [b')', after @ ..] => {
                    let (value, rest) = value_of(after)?;
                    return rest.is_empty().then_some(Shape {
                        parameters,
                        returns: Some(value),
                    });
                }
                _ => {
                    rest = value_of(rest)?.1;
                    parameters += 1;
                }
            }
        }
    }
}

/// The value that a field descriptor at the front stands for, and what follows it.
fn value_of(descriptor: &[u8]) -> Option<(Size, &[u8])> {
    let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
    let rest = &descriptor[dimensions..];
    let (value, rest) = match rest.first()? {
        b'L' => {
            let end = rest.iter().position(|&byte| byte == b';')?;
            (Size::Reference, &rest[end + 1..])
        }
        b'J' | b'D' => (Size::Wide, &rest[1..]),
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'F' => (Size::Plain, &rest[1..]),
        _ => return None,
    };
    let value = if dimensions > 0 {
        Size::Reference
    } else {
        value
    };
    Some((value, rest))
}

/// `pop`, `dup` and `swap` in all their forms; none where the stack is too short.
pub(crate) fn shuffle<V: Clone>(
    opcode: u8,
    stack: &mut Vec<V>,
    is_wide: impl Fn(&V) -> bool + Copy,
) -> Option<()> {
    let (copied, below) = match opcode {
        0x57 | 0x58 => {
            take(stack, usize::from(opcode - 0x56), is_wide)?;
            return Some(());
        }
        0x5f => {
            let top = stack.len();
            stack.swap(top.checked_sub(1)?, top.checked_sub(2)?);
            return Some(());
        }
        0x59 => (1, 0),
        0x5a => (1, 1),
        0x5b => (1, 2),
        0x5c => (2, 0),
        0x5d => (2, 1),
        0x5e => (2, 2),
        _ => return None,
    };
    let group = take(stack, copied, is_wide)?;
    let under = take(stack, below, is_wide)?;
    stack.extend(group.iter().cloned());
    stack.extend(under);
    stack.extend(group);
    Some(())
}

/// Takes values of that many slots off the stack.
fn take<V>(stack: &mut Vec<V>, slots: usize, is_wide: impl Fn(&V) -> bool) -> Option<Vec<V>> {
    let mut from = stack.len();
    let mut left = slots;
    while left > 0 {
        from = from.checked_sub(1)?;
        left = left.checked_sub(if is_wide(&stack[from]) { 2 } else { 1 })?;
    }
    Some(stack.split_off(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_tells_what_a_call_takes_and_leaves() {
        let shape = |parameters, returns| {
            Some(Shape {
                parameters,
                returns,
            })
        };
        assert_eq!(Shape::of("()V"), shape(0, None));
        assert_eq!(
            Shape::of("(I[JLjava/lang/String;D)J"),
            shape(4, Some(Size::Wide))
        );
        assert_eq!(Shape::of("([[I)[D"), shape(1, Some(Size::Reference)));
        assert_eq!(Shape::of("(Q)V"), None);
    }

    #[test]
    fn copies_count_slots() {
        let after = |opcode, mut stack: Vec<(char, bool)>| {
            shuffle(opcode, &mut stack, |value| value.1)?;
            Some(stack.iter().map(|value| value.0).collect::<String>())
        };
        let (a, b, wide) = (('a', false), ('b', false), ('w', true));
        assert_eq!(after(0x5c, vec![a, b]).as_deref(), Some("abab"));
        assert_eq!(after(0x5c, vec![a, wide]).as_deref(), Some("aww"));
        assert_eq!(after(0x5a, vec![a, b]).as_deref(), Some("bab"));
        assert_eq!(after(0x58, vec![a, wide]).as_deref(), Some("a"));
        assert_eq!(after(0x5f, vec![a, b]).as_deref(), Some("ba"));
        assert_eq!(after(0x59, Vec::new()), None);
    }
}
