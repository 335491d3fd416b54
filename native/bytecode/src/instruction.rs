//! Method bodies: a small instruction set that keeps byte offsets and resolved names.
//!
//! Comes in: decoded instructions of the parser crate.
//! Goes out: [`Code`], one [`Instruction`] per bytecode instruction, in code order.
//! Does not know: control-flow graphs (see `analyze`), stack effects of callees.

use crate::Type;
use std::sync::Arc;

/// The body of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// In code order; jump targets are indices into this list.
    pub instructions: Vec<Instruction>,
    /// Exception handlers in table order.
    pub handlers: Vec<Handler>,
    /// (instruction index, source line), in index order.
    pub lines: Vec<(u32, u16)>,
    /// Size of the local variable table.
    pub max_locals: u16,
    /// The same for the same instructions and handlers, in every run of one build of Palus; lines do not count.
    pub digest: u64,
}

/// One instruction and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Byte offset in the method's code.
    pub offset: u32,
    /// What it does.
    pub operation: Operation,
}

/// One row of the exception table, in instruction indices; `end` is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First covered instruction.
    pub start: u32,
    /// First instruction no longer covered.
    pub end: u32,
    /// Where control goes.
    pub target: u32,
    /// Internal name of the caught class; none catches everything.
    pub catches: Option<Arc<str>>,
}

/// The condition of a conditional jump, named as in the JVM specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// `ifeq`, `if_icmpeq`, `if_acmpeq`
    Equal,
    /// `ifne`, `if_icmpne`, `if_acmpne`
    NotEqual,
    /// `iflt`, `if_icmplt`
    Less,
    /// `ifge`, `if_icmpge`
    GreaterOrEqual,
    /// `ifgt`, `if_icmpgt`
    Greater,
    /// `ifle`, `if_icmple`
    LessOrEqual,
    /// `ifnull`
    Null,
    /// `ifnonnull`
    NonNull,
}

/// How a method is invoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InvokeKind {
    /// `invokevirtual`
    Virtual,
    /// `invokespecial`
    Special,
    /// `invokestatic`
    Static,
    /// `invokeinterface`
    Interface,
}

/// The name of all constructors (JVMS 2.9.1).
pub(crate) const CONSTRUCTOR: &str = "<init>";

/// A method as the constant pool names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodName {
    /// Internal name of the named class; the descriptor form for arrays (`[I`).
    pub owner: Arc<str>,
    /// Method name.
    pub name: Arc<str>,
    /// Method descriptor.
    pub descriptor: Arc<str>,
}

impl MethodName {
    /// True for constructors.
    pub fn is_constructor(&self) -> bool {
        &*self.name == CONSTRUCTOR
    }
}

/// A field as the constant pool names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldName {
    /// Internal name of the named class.
    pub owner: Arc<str>,
    /// Field name.
    pub name: Arc<str>,
    /// Field type.
    pub field_type: Type,
}

/// What an `invokedynamic` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicCall {
    /// Name at the call site.
    pub name: Arc<str>,
    /// Descriptor at the call site.
    pub descriptor: Arc<str>,
    /// The method behind a lambda or method reference: the first method-handle argument of the bootstrap call, when
    /// the bootstrap is `LambdaMetafactory`.
    pub implementation: Option<MethodName>,
    /// True when the bootstrap is none that compilers of Java are known to use: nobody knows what it runs.
    pub is_opaque: bool,
    /// True when the bootstrap is `StringConcatFactory`.
    pub is_concat: bool,
    /// What `StringConcatFactory` makes a text by: constants, with `\u{1}` for each value.
    pub recipe: Option<Arc<str>>,
}

/// What an instruction does, in few bytes: what many instructions name alike is shared. Families whose members no room tells apart are one variant.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// `aconst_null`
    Null,
    /// `iconst_*`, `bipush`, `sipush`, `ldc` of an int.
    Int(i32),
    /// A long constant.
    Long(i64),
    /// A float constant.
    Float(f32),
    /// A double constant.
    Double(f64),
    /// A String constant; lone surrogates are replaced, and then the constant is not to be used as a value.
    Text(Arc<str>),
    /// A class literal.
    ClassLiteral(Type),
    /// A constant of another kind: a method type; where it `runs`, a method handle, which may be called, or one that code computes.
    OtherConstant {
        /// True if code may run for it.
        runs: bool,
    },
    /// Load of a local variable.
    Load {
        /// Slot number.
        slot: u16,
    },
    /// Store into a local variable.
    Store {
        /// Slot number.
        slot: u16,
    },
    /// `iinc`
    Increment {
        /// Slot number.
        slot: u16,
        /// Added constant.
        by: i16,
    },
    /// Load of an array element.
    ArrayLoad {
        /// True for `laload` and `daload`, whose result takes two stack slots.
        is_wide: bool,
    },
    /// Store of an array element.
    ArrayStore,
    /// `arraylength`
    ArrayLength,
    /// `getfield`, `getstatic`
    GetField {
        /// The field.
        field: Arc<FieldName>,
        /// `getstatic`
        is_static: bool,
    },
    /// `putfield`, `putstatic`
    PutField {
        /// The field.
        field: Arc<FieldName>,
        /// `putstatic`
        is_static: bool,
    },
    /// A method call.
    Invoke {
        /// Which instruction.
        kind: InvokeKind,
        /// The method.
        method: Arc<MethodName>,
    },
    /// `invokedynamic`
    InvokeDynamic(Box<DynamicCall>),
    /// `new`
    New(Arc<str>),
    /// `newarray`, `anewarray`, `multianewarray`: the type of the array made and how many lengths it pops.
    NewArray {
        /// The array's type.
        array_type: Type,
        /// Number of lengths.
        dimensions: u8,
    },
    /// `checkcast`
    Cast(Type),
    /// `instanceof`
    InstanceOf(Type),
    /// Comparison against zero or null (`ifeq` ... `ifnonnull`).
    JumpIf {
        /// Taken when this holds.
        condition: Condition,
        /// Instruction index.
        target: u32,
    },
    /// Comparison of two ints (`if_icmp*`).
    JumpIfInts {
        /// Taken when this holds.
        condition: Condition,
        /// Instruction index.
        target: u32,
    },
    /// Comparison of two references (`if_acmp*`).
    JumpIfReferences {
        /// Taken when this holds.
        condition: Condition,
        /// Instruction index.
        target: u32,
    },
    /// `goto`
    Jump {
        /// Instruction index.
        target: u32,
    },
    /// `tableswitch`, `lookupswitch`: (key, target) in key order, and the default target.
    Switch {
        /// Keys and targets.
        cases: Box<[(i32, u32)]>,
        /// Default target.
        default: u32,
    },
    /// `lcmp`, `fcmp*`, `dcmp*`, by operand type.
    Compare(Type),
    /// Any arithmetic or conversion; `result` is its type, `operands` how many values it pops.
    Arithmetic {
        /// Type of the result.
        result: Type,
        /// Number of values popped.
        operands: u8,
    },
    /// `pop`, `dup*`, `swap`: the opcode.
    Stack(u8),
    /// Any return; none for `void`.
    Return {
        /// False for `return` of void.
        value: bool,
    },
    /// `athrow`
    Throw,
    /// `monitorenter`, `monitorexit`
    Monitor,
    /// `jsr` and `ret` of old class files.
    Subroutine,
    /// `nop`
    Nothing,
}

impl Operation {
    /// True for the conditional jumps that carry a branch ordinal.
    pub fn is_conditional_jump(&self) -> bool {
        matches!(
            self,
            Operation::JumpIf { .. }
                | Operation::JumpIfInts { .. }
                | Operation::JumpIfReferences { .. }
        )
    }
}
