//! Decoded instructions of the parser crate to our [`Code`].
//!
//! Comes in: one `Code` attribute and the class's bootstrap methods.
//! Goes out: [`Code`] with jump targets as instruction indices and shared names; none where an offset points between
//! instructions, a handler covers nothing, or there are handlers without measure.
//! Does not know: other classes.

use crate::digest::Digest;
use crate::names::Names;
use crate::{
    Code, Condition, DynamicCall, FieldName, Handler, Instruction, InvokeKind, MethodName,
    Operation, Type,
};
use cafebabe::attributes::{AttributeData, BootstrapMethodEntry, CodeData};
use cafebabe::bytecode::{Opcode, PrimitiveArrayType};
use cafebabe::constant_pool::{
    BootstrapArgument, InvokeDynamic, LiteralConstant, Loadable, MemberRef, ObjectArrayType,
};
use cafebabe::descriptors::{FieldDescriptor, FieldType};
use std::hash::Hash as _;
use std::sync::Arc;

/// In place of an index where no instruction begins.
const BETWEEN: u32 = u32::MAX;

/// Instructions that the handlers of a body cover, each counted for each handler: of more no flow of control can be made.
const MOST_COVERED: u64 = 4_000_000;

/// Bootstraps that compilers of Java use: for lambdas, texts of several parts, records, and switches on patterns.
const KNOWN_FACTORIES: [&str; 4] = [
    "java/lang/invoke/LambdaMetafactory",
    "java/lang/invoke/StringConcatFactory",
    "java/lang/runtime/ObjectMethods",
    "java/lang/runtime/SwitchBootstraps",
];

/// Decodes a body that was parsed with its instructions.
pub(crate) fn code(
    data: &CodeData<'_>,
    bootstraps: &[BootstrapMethodEntry<'_>],
    names: &mut Names,
    indices: &mut Vec<u32>,
) -> Option<Code> {
    let bytecode = data.bytecode.as_ref()?;
    indices.clear();
    indices.resize(data.code.len() + 1, BETWEEN);
    for (index, (offset, _)) in bytecode.opcodes.iter().enumerate() {
        indices[*offset] = index as u32;
    }
    let mut decoder = Decoder {
        indices,
        bootstraps,
        names,
    };
    let mut instructions = Vec::with_capacity(bytecode.opcodes.len());
    let mut digest = Digest::default();
    for (offset, opcode) in &bytecode.opcodes {
        let operation = decoder.operation(*offset, opcode)?;
        // One operation stands for many instructions, such as all of arithmetic.
        std::mem::discriminant(opcode).hash(digest.hasher());
        digest.add(&operation);
        instructions.push(Instruction {
            offset: *offset as u32,
            operation,
        });
    }
    let mut handlers = Vec::with_capacity(data.exception_table.len());
    for entry in &data.exception_table {
        if entry.start_pc >= entry.end_pc {
            return None; // no JVM loads such a class (JVM specification, 4.7.3)
        }
        handlers.push(Handler {
            start: decoder.at(usize::from(entry.start_pc))?,
            // One past the last instruction is a legal end.
            end: bytecode
                .opcodes
                .partition_point(|(offset, _)| *offset < usize::from(entry.end_pc))
                as u32,
            target: decoder.at(usize::from(entry.handler_pc))?,
            catches: entry
                .catch_type
                .as_ref()
                .map(|name| decoder.names.text(name)),
        });
    }
    let covered = handlers.iter().map(|handler| handler.end - handler.start);
    if covered.map(u64::from).sum::<u64>() > MOST_COVERED {
        return None;
    }
    let mut lines = Vec::new();
    for attribute in &data.attributes {
        if let AttributeData::LineNumberTable(entries) = &attribute.data {
            lines.reserve(entries.len());
            for entry in entries {
                lines.push((decoder.at(usize::from(entry.start_pc))?, entry.line_number));
            }
        }
    }
    lines.sort_by_key(|(index, _)| *index);
    digest.add(&handlers);
    Some(Code {
        instructions,
        handlers,
        lines,
        max_locals: data.max_locals,
        digest: digest.finish(),
    })
}

/// A constant of the pool as the operation that pushes it.
pub(crate) fn constant(literal: &LiteralConstant<'_>, names: &mut Names) -> Operation {
    match literal {
        LiteralConstant::Integer(value) => Operation::Int(*value),
        LiteralConstant::Float(value) => Operation::Float(*value),
        LiteralConstant::Long(value) => Operation::Long(*value),
        LiteralConstant::Double(value) => Operation::Double(*value),
        LiteralConstant::String(text) => Operation::Text(names.text(text)),
        // Half a surrogate pair: no Rust text holds it, and the replacement character marks it as unusable.
        LiteralConstant::StringBytes(bytes) => {
            Operation::Text(names.text(&String::from_utf8_lossy(bytes)))
        }
    }
}

/// The type behind a parsed field descriptor.
pub(crate) fn field_type(descriptor: &FieldDescriptor<'_>, names: &mut Names) -> Type {
    let mut result = match &descriptor.field_type {
        FieldType::Byte => Type::Byte,
        FieldType::Char => Type::Char,
        FieldType::Double => Type::Double,
        FieldType::Float => Type::Float,
        FieldType::Integer => Type::Int,
        FieldType::Long => Type::Long,
        FieldType::Short => Type::Short,
        FieldType::Boolean => Type::Boolean,
        FieldType::Object(name) => Type::Object(names.lasting(name)),
    };
    for _ in 0..descriptor.dimensions {
        result = Type::Array(Box::new(result));
    }
    result
}

struct Decoder<'a, 'b> {
    /// By byte offset: index of the instruction.
    indices: &'b [u32],
    bootstraps: &'b [BootstrapMethodEntry<'a>],
    names: &'b mut Names,
}

impl Decoder<'_, '_> {
    /// Index of the instruction at a byte offset.
    fn at(&self, offset: usize) -> Option<u32> {
        self.indices
            .get(offset)
            .copied()
            .filter(|&index| index != BETWEEN)
    }

    fn target(&self, from: usize, jump: i32) -> Option<u32> {
        self.at(from.checked_add_signed(jump as isize)?)
    }

    #[expect(
        clippy::too_many_lines,
        reason = "one arm per family of opcodes, nothing else"
    )]
    fn operation(&mut self, offset: usize, opcode: &Opcode<'_>) -> Option<Operation> {
        use Opcode as O;
        let jump = |condition, jump: &i32| {
            Some(Operation::JumpIf {
                condition,
                target: self.target(offset, *jump)?,
            })
        };
        let ints = |condition, jump: &i32| {
            Some(Operation::JumpIfInts {
                condition,
                target: self.target(offset, *jump)?,
            })
        };
        let references = |condition, jump: &i32| {
            Some(Operation::JumpIfReferences {
                condition,
                target: self.target(offset, *jump)?,
            })
        };
        Some(match opcode {
            O::AconstNull => Operation::Null,
            O::IconstM1 => Operation::Int(-1),
            O::Iconst0 => Operation::Int(0),
            O::Iconst1 => Operation::Int(1),
            O::Iconst2 => Operation::Int(2),
            O::Iconst3 => Operation::Int(3),
            O::Iconst4 => Operation::Int(4),
            O::Iconst5 => Operation::Int(5),
            O::Bipush(value) => Operation::Int(i32::from(*value)),
            O::Sipush(value) => Operation::Int(i32::from(*value)),
            O::Lconst0 => Operation::Long(0),
            O::Lconst1 => Operation::Long(1),
            O::Fconst0 => Operation::Float(0.0),
            O::Fconst1 => Operation::Float(1.0),
            O::Fconst2 => Operation::Float(2.0),
            O::Dconst0 => Operation::Double(0.0),
            O::Dconst1 => Operation::Double(1.0),
            O::Ldc(value) | O::LdcW(value) | O::Ldc2W(value) => self.loadable(value)?,
            O::Aload(slot) | O::Dload(slot) | O::Fload(slot) | O::Iload(slot) | O::Lload(slot) => {
                Operation::Load { slot: *slot }
            }
            O::Astore(slot)
            | O::Dstore(slot)
            | O::Fstore(slot)
            | O::Istore(slot)
            | O::Lstore(slot) => Operation::Store { slot: *slot },
            O::Iinc(slot, by) => Operation::Increment {
                slot: *slot,
                by: *by,
            },
            O::Aaload | O::Baload | O::Caload | O::Faload | O::Iaload | O::Saload => {
                Operation::ArrayLoad { is_wide: false }
            }
            O::Daload | O::Laload => Operation::ArrayLoad { is_wide: true },
            O::Aastore
            | O::Bastore
            | O::Castore
            | O::Dastore
            | O::Fastore
            | O::Iastore
            | O::Lastore
            | O::Sastore => Operation::ArrayStore,
            O::Arraylength => Operation::ArrayLength,
            O::Getfield(member) => Operation::GetField {
                field: self.field(member)?,
                is_static: false,
            },
            O::Getstatic(member) => Operation::GetField {
                field: self.field(member)?,
                is_static: true,
            },
            O::Putfield(member) => Operation::PutField {
                field: self.field(member)?,
                is_static: false,
            },
            O::Putstatic(member) => Operation::PutField {
                field: self.field(member)?,
                is_static: true,
            },
            O::Invokevirtual(member) => self.invoke(InvokeKind::Virtual, member),
            O::Invokespecial(member) => self.invoke(InvokeKind::Special, member),
            O::Invokestatic(member) => self.invoke(InvokeKind::Static, member),
            O::Invokeinterface(member, _) => self.invoke(InvokeKind::Interface, member),
            O::Invokedynamic(site) => self.invoke_dynamic(site),
            O::New(name) => Operation::New(self.names.lasting(name)),
            O::Newarray(element) => Operation::NewArray {
                array_type: Type::Array(Box::new(primitive(*element))),
                dimensions: 1,
            },
            O::Anewarray(element) => Operation::NewArray {
                array_type: Type::Array(Box::new(self.object_type(element))),
                dimensions: 1,
            },
            O::Multianewarray(array_type, dimensions) => Operation::NewArray {
                array_type: self.object_type(array_type),
                dimensions: *dimensions,
            },
            O::Checkcast(to) => Operation::Cast(self.object_type(to)),
            O::Instanceof(of) => Operation::InstanceOf(self.object_type(of)),
            O::Ifeq(to) => jump(Condition::Equal, to)?,
            O::Ifne(to) => jump(Condition::NotEqual, to)?,
            O::Iflt(to) => jump(Condition::Less, to)?,
            O::Ifge(to) => jump(Condition::GreaterOrEqual, to)?,
            O::Ifgt(to) => jump(Condition::Greater, to)?,
            O::Ifle(to) => jump(Condition::LessOrEqual, to)?,
            O::Ifnull(to) => jump(Condition::Null, to)?,
            O::Ifnonnull(to) => jump(Condition::NonNull, to)?,
            O::IfIcmpeq(to) => ints(Condition::Equal, to)?,
            O::IfIcmpne(to) => ints(Condition::NotEqual, to)?,
            O::IfIcmplt(to) => ints(Condition::Less, to)?,
            O::IfIcmpge(to) => ints(Condition::GreaterOrEqual, to)?,
            O::IfIcmpgt(to) => ints(Condition::Greater, to)?,
            O::IfIcmple(to) => ints(Condition::LessOrEqual, to)?,
            O::IfAcmpeq(to) => references(Condition::Equal, to)?,
            O::IfAcmpne(to) => references(Condition::NotEqual, to)?,
            O::Goto(to) => Operation::Jump {
                target: self.target(offset, *to)?,
            },
            O::Lookupswitch(table) => {
                let mut cases = Vec::with_capacity(table.match_offsets.len());
                for (key, to) in &table.match_offsets {
                    cases.push((*key, self.target(offset, *to)?));
                }
                cases.sort_by_key(|(key, _)| *key);
                Operation::Switch {
                    cases: cases.into(),
                    default: self.target(offset, table.default)?,
                }
            }
            O::Tableswitch(table) => {
                let mut cases = Vec::with_capacity(table.jumps.len());
                for (key, to) in (table.low..=table.high).zip(&table.jumps) {
                    cases.push((key, self.target(offset, *to)?));
                }
                Operation::Switch {
                    cases: cases.into(),
                    default: self.target(offset, table.default)?,
                }
            }
            O::Lcmp => Operation::Compare(Type::Long),
            O::Fcmpg | O::Fcmpl => Operation::Compare(Type::Float),
            O::Dcmpg | O::Dcmpl => Operation::Compare(Type::Double),
            O::I2b => arithmetic(Type::Byte, 1),
            O::I2c => arithmetic(Type::Char, 1),
            O::I2s => arithmetic(Type::Short, 1),
            O::D2f | O::I2f | O::L2f | O::Fneg => arithmetic(Type::Float, 1),
            O::D2i | O::F2i | O::L2i | O::Ineg => arithmetic(Type::Int, 1),
            O::D2l | O::F2l | O::I2l | O::Lneg => arithmetic(Type::Long, 1),
            O::F2d | O::I2d | O::L2d | O::Dneg => arithmetic(Type::Double, 1),
            O::Iadd
            | O::Iand
            | O::Idiv
            | O::Imul
            | O::Ior
            | O::Irem
            | O::Ishl
            | O::Ishr
            | O::Isub
            | O::Iushr
            | O::Ixor => arithmetic(Type::Int, 2),
            O::Ladd
            | O::Land
            | O::Ldiv
            | O::Lmul
            | O::Lor
            | O::Lrem
            | O::Lshl
            | O::Lshr
            | O::Lsub
            | O::Lushr
            | O::Lxor => arithmetic(Type::Long, 2),
            O::Fadd | O::Fdiv | O::Fmul | O::Frem | O::Fsub => arithmetic(Type::Float, 2),
            O::Dadd | O::Ddiv | O::Dmul | O::Drem | O::Dsub => arithmetic(Type::Double, 2),
            O::Pop => Operation::Stack(0x57),
            O::Pop2 => Operation::Stack(0x58),
            O::Dup => Operation::Stack(0x59),
            O::DupX1 => Operation::Stack(0x5a),
            O::DupX2 => Operation::Stack(0x5b),
            O::Dup2 => Operation::Stack(0x5c),
            O::Dup2X1 => Operation::Stack(0x5d),
            O::Dup2X2 => Operation::Stack(0x5e),
            O::Swap => Operation::Stack(0x5f),
            O::Areturn | O::Dreturn | O::Freturn | O::Ireturn | O::Lreturn => {
                Operation::Return { value: true }
            }
            O::Return => Operation::Return { value: false },
            O::Athrow => Operation::Throw,
            O::Monitorenter | O::Monitorexit => Operation::Monitor,
            O::Jsr(_) | O::Ret(_) => Operation::Subroutine,
            O::Nop | O::Breakpoint | O::Impdep1 | O::Impdep2 => Operation::Nothing,
        })
    }

    fn loadable(&mut self, value: &Loadable<'_>) -> Option<Operation> {
        Some(match value {
            Loadable::LiteralConstant(literal) => constant(literal, self.names),
            Loadable::ClassInfo(name) => Operation::ClassLiteral(self.names.class_type(name)?),
            Loadable::MethodType(_) => Operation::OtherConstant { runs: false },
            Loadable::MethodHandle(_) | Loadable::Dynamic(_) => {
                Operation::OtherConstant { runs: true }
            }
        })
    }

    fn invoke(&mut self, kind: InvokeKind, member: &MemberRef<'_>) -> Operation {
        Operation::Invoke {
            kind,
            method: self.names.method(
                &member.class_name,
                &member.name_and_type.name,
                &member.name_and_type.descriptor,
            ),
        }
    }

    fn field(&mut self, member: &MemberRef<'_>) -> Option<Arc<FieldName>> {
        self.names.field(
            &member.class_name,
            &member.name_and_type.name,
            &member.name_and_type.descriptor,
        )
    }

    fn invoke_dynamic(&mut self, site: &InvokeDynamic<'_>) -> Operation {
        let bootstrap = self.bootstraps.get(usize::from(site.attr_index));
        let factory = bootstrap.map(|entry| &*entry.method.class_name);
        let implementation = bootstrap
            .filter(|_| factory == Some("java/lang/invoke/LambdaMetafactory"))
            .and_then(|entry| {
                entry.arguments.iter().find_map(|argument| match argument {
                    BootstrapArgument::MethodHandle(handle) => Some(handle),
                    _ => None,
                })
            })
            .map(|handle| MethodName {
                owner: self.names.lasting(&handle.class_name),
                name: self.names.lasting(&handle.member_ref.name),
                descriptor: self.names.lasting(&handle.member_ref.descriptor),
            });
        let is_concat = factory == Some("java/lang/invoke/StringConcatFactory");
        let recipe =
            bootstrap
                .filter(|_| is_concat)
                .and_then(|entry| match entry.arguments.first() {
                    Some(BootstrapArgument::LiteralConstant(LiteralConstant::String(text))) => {
                        Some(self.names.text(text))
                    }
                    _ => None,
                });
        Operation::InvokeDynamic(Box::new(DynamicCall {
            name: self.names.lasting(&site.name_and_type.name),
            descriptor: self.names.lasting(&site.name_and_type.descriptor),
            implementation,
            is_opaque: !factory.is_some_and(|factory| KNOWN_FACTORIES.contains(&factory)),
            is_concat,
            recipe,
        }))
    }

    fn object_type(&mut self, named: &ObjectArrayType<'_>) -> Type {
        match named {
            ObjectArrayType::ArrayType(descriptor) => field_type(descriptor, self.names),
            ObjectArrayType::BinaryName(name) => Type::Object(self.names.lasting(name)),
        }
    }
}

fn arithmetic(result: Type, operands: u8) -> Operation {
    Operation::Arithmetic { result, operands }
}

fn primitive(element: PrimitiveArrayType) -> Type {
    match element {
        PrimitiveArrayType::Boolean => Type::Boolean,
        PrimitiveArrayType::Char => Type::Char,
        PrimitiveArrayType::Float => Type::Float,
        PrimitiveArrayType::Double => Type::Double,
        PrimitiveArrayType::Byte => Type::Byte,
        PrimitiveArrayType::Short => Type::Short,
        PrimitiveArrayType::Int => Type::Int,
        PrimitiveArrayType::Long => Type::Long,
    }
}

/// Names of the parameters by the local variable table, where it names each of them.
pub(crate) fn parameter_names(
    data: &CodeData<'_>,
    parameters: &[Type],
    is_static: bool,
    names: &mut Names,
) -> Vec<Arc<str>> {
    let mut found = Vec::with_capacity(parameters.len());
    let mut slot = u16::from(!is_static);
    for parameter in parameters {
        let name = data
            .attributes
            .iter()
            .filter_map(|attribute| match &attribute.data {
                AttributeData::LocalVariableTable(entries) => Some(entries),
                _ => None,
            })
            .flatten()
            .find(|entry| entry.index == slot && entry.start_pc == 0)
            .map(|entry| &entry.name);
        let Some(name) = name else { return Vec::new() };
        found.push(names.text(name));
        slot += if matches!(parameter, Type::Long | Type::Double) {
            2
        } else {
            1
        };
    }
    found
}
