//! A first walk over class bytes that refuses what the parser crate cannot survive.
//!
//! Comes in: the bytes of a class file.
//! Goes out: nothing for harmless bytes, a reason otherwise. Three things only are looked for, because a failed
//! allocation or an overflown stack would end the whole process and not just this class: a switch that claims more
//! cases than its code has bytes, annotation values nested deeper than any compiler writes, and attributes within
//! attributes where no compiler writes any, which a JVM passes over.
//! Does not know: whether the class is well-formed in any other respect; that is the parser's to say.

/// Deepest nesting of annotation values that is let through.
const DEEPEST_ANNOTATION: u32 = 64;
/// Deepest nesting of attributes that is let through: those of a class, of a record's component, of a method's code.
const DEEPEST_ATTRIBUTE: u32 = 4;

/// Walks the bytes; anything it does not understand is left to the parser's own error.
pub(crate) fn check(bytes: &[u8]) -> Result<(), &'static str> {
    let mut walk = Walk {
        bytes,
        at: 8,
        names: Vec::new(),
    };
    match walk.class() {
        Err(Stop::Refused(reason)) => Err(reason),
        Ok(()) | Err(Stop::Short) => Ok(()),
    }
}

enum Stop {
    /// The bytes end or make no sense: the parser will find the same and say it better.
    Short,
    Refused(&'static str),
}

#[derive(Clone, Copy, PartialEq)]
enum Name {
    Code,
    Record,
    Annotations,
    ParameterAnnotations,
    TypeAnnotations,
    AnnotationDefault,
    Other,
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What each entry of the constant pool would mean as the name of an attribute.
    names: Vec<Name>,
}

impl Walk<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], Stop> {
        let end = self.at.checked_add(count).ok_or(Stop::Short)?;
        let taken = self.bytes.get(self.at..end).ok_or(Stop::Short)?;
        self.at = end;
        Ok(taken)
    }

    fn skip(&mut self, count: usize) -> Result<(), Stop> {
        self.take(count).map(|_| ())
    }

    fn byte(&mut self) -> Result<usize, Stop> {
        Ok(usize::from(self.take(1)?[0]))
    }

    fn short(&mut self) -> Result<usize, Stop> {
        let taken = self.take(2)?;
        Ok(usize::from(u16::from_be_bytes([taken[0], taken[1]])))
    }

    fn int(&mut self) -> Result<u32, Stop> {
        let taken = self.take(4)?;
        Ok(u32::from_be_bytes([taken[0], taken[1], taken[2], taken[3]]))
    }

    fn class(&mut self) -> Result<(), Stop> {
        self.pool()?;
        self.skip(6)?;
        let interfaces = self.short()?;
        self.skip(2 * interfaces)?;
        for _ in 0..2 {
            for _ in 0..self.short()? {
                self.skip(6)?;
                self.attributes(0)?;
            }
        }
        self.attributes(0)
    }

    fn pool(&mut self) -> Result<(), Stop> {
        let count = self.short()?;
        self.names = vec![Name::Other; count];
        let mut index = 1;
        while index < count {
            match self.byte()? {
                1 => {
                    let length = self.short()?;
                    self.names[index] = match self.take(length)? {
                        b"Code" => Name::Code,
                        b"Record" => Name::Record,
                        b"AnnotationDefault" => Name::AnnotationDefault,
                        b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => {
                            Name::Annotations
                        }
                        b"RuntimeVisibleParameterAnnotations"
                        | b"RuntimeInvisibleParameterAnnotations" => Name::ParameterAnnotations,
                        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                            Name::TypeAnnotations
                        }
                        _ => Name::Other,
                    };
                }
                3 | 4 | 9..=12 | 17 | 18 => self.skip(4)?,
                5 | 6 => {
                    self.skip(8)?;
                    index += 1;
                }
                7 | 8 | 16 | 19 | 20 => self.skip(2)?,
                15 => self.skip(3)?,
                _ => return Err(Stop::Short),
            }
            index += 1;
        }
        Ok(())
    }

    fn attributes(&mut self, depth: u32) -> Result<(), Stop> {
        if depth > DEEPEST_ATTRIBUTE {
            return Err(Stop::Refused("attributes are nested too deeply"));
        }
        for _ in 0..self.short()? {
            let name = self.short()?;
            let length = self.int()? as usize;
            let start = self.at;
            match self.names.get(name).copied().unwrap_or(Name::Other) {
                Name::Code => {
                    self.skip(4)?;
                    let length = self.int()? as usize;
                    check_switches(self.take(length)?)?;
                    let handlers = self.short()?;
                    self.skip(8 * handlers)?;
                    self.attributes(depth + 1)?;
                }
                Name::Record => {
                    for _ in 0..self.short()? {
                        self.skip(4)?;
                        self.attributes(depth + 1)?;
                    }
                }
                Name::Annotations => self.annotations()?,
                Name::ParameterAnnotations => {
                    for _ in 0..self.byte()? {
                        self.annotations()?;
                    }
                }
                Name::TypeAnnotations => {
                    for _ in 0..self.short()? {
                        self.type_annotation_target()?;
                        self.annotation(0)?;
                    }
                }
                Name::AnnotationDefault => self.value(0)?,
                Name::Other => self.skip(length)?,
            }
            if self.at != start + length {
                return Err(Stop::Short);
            }
        }
        Ok(())
    }

    fn annotations(&mut self) -> Result<(), Stop> {
        for _ in 0..self.short()? {
            self.annotation(0)?;
        }
        Ok(())
    }

    fn annotation(&mut self, depth: u32) -> Result<(), Stop> {
        self.skip(2)?;
        for _ in 0..self.short()? {
            self.skip(2)?;
            self.value(depth + 1)?;
        }
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<(), Stop> {
        if depth > DEEPEST_ANNOTATION {
            return Err(Stop::Refused("annotation values are nested too deeply"));
        }
        match self.byte()? as u8 {
            b'e' => self.skip(4),
            b'@' => self.annotation(depth),
            b'[' => {
                for _ in 0..self.short()? {
                    self.value(depth + 1)?;
                }
                Ok(())
            }
            _ => self.skip(2),
        }
    }

    fn type_annotation_target(&mut self) -> Result<(), Stop> {
        match self.byte()? {
            0x00 | 0x01 | 0x16 => self.skip(1)?,
            0x10..=0x12 | 0x17 | 0x42..=0x46 => self.skip(2)?,
            0x13..=0x15 => {}
            0x40 | 0x41 => {
                let entries = self.short()?;
                self.skip(6 * entries)?;
            }
            0x47..=0x4b => self.skip(3)?,
            _ => return Err(Stop::Short),
        }
        let path = self.byte()?;
        self.skip(2 * path)
    }
}

/// Walks a method's code by the lengths of its instructions (JVM specification, chapter 6).
fn check_switches(code: &[u8]) -> Result<(), Stop> {
    // Most bodies hold neither opcode, not even as an operand.
    if !code.iter().any(|byte| byte & 0xfe == 0xaa) {
        return Ok(());
    }
    let mut walk = Walk {
        bytes: code,
        at: 0,
        names: Vec::new(),
    };
    while walk.at < code.len() {
        let operands = match walk.byte()? {
            0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 1,
            0x11
            | 0x13
            | 0x14
            | 0x84
            | 0x99..=0xa8
            | 0xb2..=0xb8
            | 0xbb
            | 0xbd
            | 0xc0
            | 0xc1
            | 0xc6
            | 0xc7 => 2,
            0xc5 => 3,
            0xb9 | 0xba | 0xc8 | 0xc9 => 4,
            0xc4 => match walk.byte()? {
                0x84 => 4,
                _ => 2,
            },
            opcode @ (0xaa | 0xab) => {
                walk.at = (walk.at + 3) & !3;
                walk.int()?;
                let (count, size) = if opcode == 0xaa {
                    let low = i64::from(walk.int()?.cast_signed());
                    let high = i64::from(walk.int()?.cast_signed());
                    (high - low + 1, 4)
                } else {
                    (i64::from(walk.int()?.cast_signed()), 8)
                };
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                if count > code.len() {
                    return Err(Stop::Refused(
                        "a switch claims more cases than its code can hold",
                    ));
                }
                count * size
            }
            _ => 0,
        };
        walk.skip(operands)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    /// A JVM passes over code within code, and loads the class.
    #[test]
    fn attributes_nested_without_end_are_refused() {
        for (name, levels, is_refused) in [
            ("Code", 3_u32, false),
            ("Code", 1_000, true),
            ("Record", 1_000, true),
        ] {
            // Per level: name, length, what stands before the attributes within, and how many those are.
            let head: &[u8] = if name == "Code" {
                &[0, 1, 0, 1, 0, 0, 0, 1, 0xb1, 0, 0]
            } else {
                &[0, 1, 0, 1, 0, 1]
            };
            let mut nested = vec![0, 0];
            for _ in 0..levels {
                let length = (head.len() + nested.len()) as u32;
                let mut outer = vec![0, 1, 0, 1];
                outer.extend(length.to_be_bytes());
                outer.extend(head);
                outer.extend(&nested);
                nested = outer;
            }
            let mut bytes = vec![
                0xca,
                0xfe,
                0xba,
                0xbe,
                0,
                0,
                0,
                61,
                0,
                5,
                1,
                0,
                name.len() as u8,
            ];
            bytes.extend(name.as_bytes());
            bytes.extend([
                7, 0, 3, 1, 0, 1, b'A', 7, 0, 3, 0, 0x21, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,
            ]);
            bytes.extend(&nested);
            let checked = check(&bytes);
            let expected = is_refused.then_some("attributes are nested too deeply");
            assert_eq!(checked.err(), expected, "{name} {levels}");
        }
    }
}
