//! The numbers of trace files, as `FORMAT.md` lists them; `io.palus.agent.TraceFormat` has the same.
//!
//! Comes in, goes out: nothing, only constants. A change here is a new [`VERSION`].

/// First bytes of a trace file.
pub const MAGIC: [u8; 4] = *b"PALT";
/// Version of everything behind it.
pub const VERSION: u16 = 3;
/// What messages call such a file.
pub const EXPECTED: &str = "a Palus trace";
/// Bytes before the first chunk.
pub const HEADER: usize = 64;
/// Offset of the flags in the header.
pub const FLAGS_AT: usize = 6;
/// Offset of the process number in the header.
pub const PROCESS_AT: usize = 8;
/// Offset of the file's length in the header; 0 until the JVM ended in order.
pub const LENGTH_AT: usize = 16;
/// Flag: the JVM ended in order, no tail is missing.
pub const FLAG_CLOSED: u8 = 1;
/// Flag: the agent stopped writing early.
pub const FLAG_STOPPED: u8 = 2;
/// First bytes of a chunk.
pub const CHUNK_MAGIC: [u8; 4] = *b"PALC";
/// Bytes of a chunk before its first block: magic, thread, size, ordinal within the thread.
pub const CHUNK_HEADER: usize = 16;
/// Bytes of the length before each block.
pub const BLOCK_HEADER: usize = 4;
/// Byte behind each block, written last; zero where the JVM was killed before.
pub const BLOCK_END: u8 = 0xb5;
/// Threads, classes and methods have lower numbers than these.
pub const MAX_THREADS: u32 = 1 << 16;
/// See [`MAX_THREADS`].
pub const MAX_CLASSES: u32 = 1 << 20;
/// See [`MAX_THREADS`].
pub const MAX_METHODS: u32 = 1 << 22;
/// Arrays nest at most so deep in a value; deeper ones are written without elements.
pub const MAX_NESTING: u32 = 4;
/// A payload length of one byte from here on is followed by the real one in four.
pub const LONG_PAYLOAD: u8 = 0xff;

/// Kinds of records.
pub mod record {
    /// Payload: method, receiver (instance methods), arguments.
    pub const ENTER: u8 = 1;
    /// No payload.
    pub const EXIT_VOID: u8 = 2;
    /// Payload: the result.
    pub const EXIT: u8 = 3;
    /// Payload: class of the exception.
    pub const THROW: u8 = 4;
    /// Payload: class, name of the method as text.
    pub const TEST_START: u8 = 5;
    /// No payload.
    pub const TEST_PASSED: u8 = 6;
    /// No payload.
    pub const TEST_FAILED: u8 = 7;
    /// Payload: count, identities.
    pub const CAPPED: u8 = 8;
    /// Payload: thread, number of its records that come before what follows.
    pub const AFTER: u8 = 9;
    /// Payload: number, internal name.
    pub const CLASS: u8 = 10;
    /// Payload: number, class, name, descriptor, access flags.
    pub const METHOD: u8 = 11;
    /// Payload: the text of the thread's next text number, to the end.
    pub const TEXT: u8 = 12;
}

/// Kinds of values.
pub mod value {
    /// `null`
    pub const NULL: u8 = 0;
    /// `false`
    pub const FALSE: u8 = 1;
    /// `true`
    pub const TRUE: u8 = 2;
    /// Signed.
    pub const BYTE: u8 = 3;
    /// Unsigned.
    pub const CHAR: u8 = 4;
    /// Signed.
    pub const SHORT: u8 = 5;
    /// Signed.
    pub const INT: u8 = 6;
    /// Signed.
    pub const LONG: u8 = 7;
    /// Four bytes.
    pub const FLOAT: u8 = 8;
    /// Eight bytes.
    pub const DOUBLE: u8 = 9;
    /// Number of a text of this thread.
    pub const TEXT: u8 = 10;
    /// The text itself.
    pub const INLINE_TEXT: u8 = 11;
    /// Nothing follows.
    pub const UNKNOWN_TEXT: u8 = 12;
    /// Class, number of a text of this thread.
    pub const ENUM: u8 = 13;
    /// Number of a text of this thread: the descriptor.
    pub const CLASS: u8 = 14;
    /// Identity, class.
    pub const OBJECT: u8 = 15;
    /// Identity, class, count of codes, codes.
    pub const PROFILED: u8 = 16;
    /// Identity, class, length, code, count of elements, elements.
    pub const ARRAY: u8 = 17;
    /// Nothing follows.
    pub const UNKNOWN_NUMBER: u8 = 18;
    /// The ints from [`SMALL_LOWEST`] on, one kind each.
    pub const SMALL_INT: u8 = 0x40;
    /// The int that is written as [`SMALL_INT`].
    pub const SMALL_LOWEST: i32 = -16;
    /// How many small ints there are.
    pub const SMALL_COUNT: i32 = 0xc0;
}
