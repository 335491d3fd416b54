//! Methods that reach out with, on or by what static fields hold at that time.
//!
//! Comes in: a program, and what its bodies call. Goes out: per method, whether it calls what reaches out with, on or by what
//! a static field holds that is written later than by its class's initialiser, or whose content may change, or by a field of an
//! object that was given such a value.
//! A test finds there what it left itself. Where the user's own tests run before it in the same JVM, they left something else:
//! that is as if it asked.
//! The content of an array, a collection or an atomic number may change where others than the class can reach it, and where a
//! body does more with it than read it: unknown means that it may.
//! Does not know: which test writes the field; fields of other objects that a static field holds.
//!
//! ```text
//! static Path folder;  static final List<File> OPEN = new ArrayList<>();
//! static void clear() { if (folder != null) Files.delete(folder); }     // decides by a field
//! static void close() { for (File one : OPEN) one.delete(); }          // and so does this
//! ```

use crate::asked_fields::{answers, depend, dependent, reads};
use crate::call_sites::Calls;
use crate::control_flow::ControlFlow;
use crate::data_dependence::{DataDependence, Source};
use crate::guarded::Guarded;
use crate::platform::{PlatformEffect, effect};
use palus_bytecode::{
    Code, Field, FieldId, InvokeKind, Method, MethodName, Operation, Origin, Program, Type,
};
use std::collections::{BTreeMap, BTreeSet};

impl Calls {
    /// Per method: true if it decides so.
    pub(crate) fn deciding_by_state(&self, program: &Program, reaching: &[bool]) -> Vec<bool> {
        let mut fields = changing(program);
        let mut deciding = vec![false; self.sites.len()];
        if fields.is_empty() {
            return deciding;
        }
        let mut giving = self.giving(program, &fields);
        loop {
            let before = fields.len();
            for (method, code) in bodies(program) {
                let given = self.given(program, method, code, (&giving, &fields));
                if !given.is_empty() {
                    copied(program, method, code, &given, &mut fields);
                }
            }
            if fields.len() == before {
                break;
            }
            giving = self.giving(program, &fields);
        }
        for (method, code) in bodies(program) {
            let sites = self.sites[method.id.index()].iter();
            let sites = sites.filter(|site| site.reaches(reaching));
            let sites: Vec<u32> = sites.map(|site| site.instruction).collect();
            if sites.is_empty() {
                continue;
            }
            let given = self.given(program, method, code, (&giving, &fields));
            deciding[method.id.index()] = !given.is_empty()
                && (may_be_caught(code, &given, &sites)
                    || depend(method, code, &given, with_takers(method, code, sites)));
        }
        deciding
    }

    /// Per method: true if what it returns depends on what such a field holds.
    fn giving(&self, program: &Program, fields: &BTreeSet<FieldId>) -> Vec<bool> {
        let mut giving = vec![false; self.sites.len()];
        // So much was given when a body was looked at last: as long as that is all, it answers the same.
        let mut looked_at = vec![0; self.sites.len()];
        loop {
            let mut is_more = false;
            for (method, code) in bodies(program) {
                let at = method.id.index();
                if giving[at] {
                    continue;
                }
                let given = self.given(program, method, code, (&giving, fields));
                let before = std::mem::replace(&mut looked_at[at], given.len());
                if given.len() > before && answers(method, code, &given) {
                    giving[at] = true;
                    is_more = true;
                }
            }
            if !is_more {
                return giving;
            }
        }
    }

    /// Instructions that give what such a field holds, by themselves or by a call.
    fn given(
        &self,
        program: &Program,
        method: &Method,
        code: &Code,
        (giving, fields): (&[bool], &BTreeSet<FieldId>),
    ) -> BTreeSet<u32> {
        let sites = self.sites[method.id.index()].iter();
        let sites = sites.filter(|site| {
            site.is_sure() && site.targets.iter().any(|target| giving[target.index()])
        });
        let called = sites.map(|site| site.instruction);
        called.chain(reads(program, code, fields)).collect()
    }
}

/// Whether what a field holds may end what is tried, and something reaches out there or later.
fn may_be_caught(code: &Code, given: &BTreeSet<u32>, sites: &[u32]) -> bool {
    code.handlers.iter().any(|handler| {
        given.range(handler.start..handler.end).next().is_some()
            && sites.iter().any(|&site| site >= handler.start)
    })
}

/// These instructions, and the calls that are given what they make: a function reaches out where it is called with an element.
fn with_takers(method: &Method, code: &Code, mut sites: Vec<u32>) -> Vec<u32> {
    let is_function = |site: &u32| {
        let operation = &code.instructions[*site as usize].operation;
        matches!(operation, Operation::InvokeDynamic(_))
    };
    let functions: Vec<u32> = sites.iter().copied().filter(is_function).collect();
    if functions.is_empty() {
        return sites;
    }
    // Where nobody knows, `depend` says so.
    if let Some(users) = Users::of(method, code) {
        for function in functions {
            let takers = users.of.get(&function).into_iter().flatten();
            sites.extend(takers.map(|&(taker, _)| taker));
        }
    }
    sites
}

/// Adds the fields of objects that a body gives one of these values, also by a constructor, or by that of its superclass.
fn copied(
    program: &Program,
    method: &Method,
    code: &Code,
    given: &BTreeSet<u32>,
    fields: &mut BTreeSet<FieldId>,
) {
    let operations = (0..).zip(code.instructions.iter().map(|one| &one.operation));
    let storing = operations.filter_map(|(at, operation)| {
        let mut stored = match operation {
            Operation::PutField {
                field,
                is_static: false,
            } => program.resolve_field(field).into_iter().collect(),
            Operation::Invoke { method, .. } if method.is_constructor() => {
                stored_by(program, method)
            }
            _ => return None,
        };
        stored.retain(|field| !fields.contains(field));
        (!stored.is_empty()).then_some((at, stored))
    });
    let mut storing: BTreeMap<u32, Vec<FieldId>> = storing.collect();
    let places = storing.keys().copied().collect();
    for at in dependent(method, code, given, places) {
        fields.extend(storing.remove(&at).into_iter().flatten());
    }
}

/// Fields of its object that a constructor of the subject stores.
fn stored_by(program: &Program, constructor: &MethodName) -> Vec<FieldId> {
    let called = program.resolve_method(constructor);
    let called = called.map(|called| program.method(called));
    let called = called.filter(|one| program.class(one.class).origin == Origin::Subject);
    let code = called.and_then(|called| called.code.as_deref());
    let operations = code.into_iter().flat_map(|code| &code.instructions);
    let stored = operations.filter_map(|one| match &one.operation {
        Operation::PutField {
            field,
            is_static: false,
        } => program.resolve_field(field),
        _ => None,
    });
    stored.collect()
}

/// Static fields of the subject that hold something else at another time: those that are written later or that tests may
/// write, and those whose content may change; loggers aside, which nobody decides by.
fn changing(program: &Program) -> BTreeSet<FieldId> {
    let mut found = BTreeSet::new();
    for class in program.classes() {
        let fields = class.fields.iter().map(|&field| program.field(field));
        let open = fields.filter(|field| is_open(field)).map(|field| field.id);
        found.extend(open);
    }
    for (method, code) in bodies(program).filter(|(method, _)| !method.is_initializer()) {
        let operations = code.instructions.iter().map(|one| &one.operation);
        let written = operations.filter_map(|operation| match operation {
            Operation::PutField {
                field,
                is_static: true,
            } => program.resolve_field(field),
            _ => None,
        });
        found.extend(written);
        let read = (0..).zip(&code.instructions);
        let read = read.filter_map(|(at, one)| match &one.operation {
            Operation::GetField {
                field,
                is_static: true,
            } => {
                let field = program.resolve_field(field)?;
                let may_hold = has_content(&program.field(field).field_type);
                (may_hold && !found.contains(&field)).then_some((at, field))
            }
            _ => None,
        });
        let read: Vec<(u32, FieldId)> = read.collect();
        if !read.is_empty() {
            let users = Users::of(method, code);
            let changed = read.into_iter().filter(|&(at, field)| {
                let of = &program.field(field).field_type;
                users.as_ref().is_none_or(|users| users.change(at, of))
            });
            let changed: Vec<FieldId> = changed.map(|(_, field)| field).collect();
            found.extend(changed);
        }
    }
    found.retain(|&field| {
        let field = program.field(field);
        let is_logger = |class: &str| {
            class.starts_with("java/util/logging/") || Guarded::read().logging.has(class)
        };
        let is_subject = program.class(field.class).origin == Origin::Subject;
        is_subject && !field.field_type.class_name().is_some_and(is_logger)
    });
    found
}

/// Whether others than its class can write a static field, or change what it holds. A table that nobody of the project
/// writes into is one.
fn is_open(field: &Field) -> bool {
    let access = field.access;
    let is_filled = field.field_type.class_name().is_some_and(may_be_filled);
    access.is_static() && !access.is_private() && (!access.is_final() || is_filled)
}

/// What a body does with the values that its instructions make.
struct Users<'a> {
    code: &'a Code,
    /// Per instruction: who takes what it made, as which operand.
    of: BTreeMap<u32, Vec<(u32, usize)>>,
}

impl Users<'_> {
    /// None where that cannot be told.
    fn of<'a>(method: &Method, code: &'a Code) -> Option<Users<'a>> {
        let data = DataDependence::of(method, code, &ControlFlow::of(code))?;
        let mut of: BTreeMap<u32, Vec<(u32, usize)>> = BTreeMap::new();
        for at in 0..code.instructions.len() as u32 {
            for (position, sources) in data.operands(at).iter().enumerate() {
                for source in sources {
                    if let Source::Instruction(maker) = source {
                        of.entry(*maker).or_default().push((at, position));
                    }
                }
            }
        }
        Some(Users { code, of })
    }

    /// Whether what an instruction made, of this type, may be changed here, or where it is handed on to.
    fn change(&self, maker: u32, made: &Type) -> bool {
        let is_nested = matches!(made, Type::Array(element) if matches!(**element, Type::Array(_)));
        let mut open = vec![maker];
        let mut seen = BTreeSet::from([maker]);
        while let Some(at) = open.pop() {
            for &(user, position) in self.of.get(&at).into_iter().flatten() {
                let is_same = match &self.code.instructions[user as usize].operation {
                    Operation::Load { .. } | Operation::Store { .. } | Operation::Cast(_) => true,
                    Operation::ArrayLoad { .. } => is_nested,
                    Operation::ArrayLength
                    | Operation::InstanceOf(_)
                    | Operation::Monitor
                    | Operation::JumpIf { .. }
                    | Operation::JumpIfReferences { .. } => false,
                    Operation::Invoke { kind, method } if reads_only(*kind, method, position) => {
                        false
                    }
                    _ => return true,
                };
                if is_same && seen.insert(user) {
                    open.push(user);
                }
            }
        }
        false
    }
}

/// Whether a call leaves an operand of it as it is.
fn reads_only(kind: InvokeKind, method: &MethodName, position: usize) -> bool {
    const ATOMIC: [&str; 7] = [
        "get",
        "getAcquire",
        "getOpaque",
        "getPlain",
        "intValue",
        "longValue",
        "sum",
    ];
    let owner = &*method.owner;
    let is_receiver = position == 0 && kind != InvokeKind::Static;
    if is_receiver && (owner.starts_with(ATOMICS) || owner == THREAD_LOCAL) {
        return ATOMIC.contains(&&*method.name);
    }
    // Reflection takes the elements of an array of arguments.
    if !is_receiver && (owner.starts_with("java/lang/reflect/") || owner == "java/lang/Class") {
        return true;
    }
    let argument = position - usize::from(kind != InvokeKind::Static && position > 0);
    match effect(owner, &method.name, &method.descriptor) {
        PlatformEffect::Pure => true,
        PlatformEffect::ChangesReceiver => !is_receiver,
        PlatformEffect::ChangesArgument(changed) => is_receiver || changed != argument,
        PlatformEffect::Unknown => false,
    }
}

const ATOMICS: &str = "java/util/concurrent/atomic/";
const THREAD_LOCAL: &str = "java/lang/ThreadLocal";

/// Whether what a field of this type holds has content that changes while the field does not.
fn has_content(of: &Type) -> bool {
    matches!(of, Type::Array(_)) || of.class_name().is_some_and(may_be_filled)
}

/// Whether objects of a class of the JDK hold what somebody puts in.
fn may_be_filled(class: &str) -> bool {
    const HOLDING: [&str; 11] = [
        "BitSet",
        "Collection",
        "Deque",
        "Hashtable",
        "List",
        "Map",
        "Properties",
        "Queue",
        "Set",
        "Stack",
        "Vector",
    ];
    const TEXTS: [&str; 3] = [
        "java/lang/StringBuilder",
        "java/lang/StringBuffer",
        THREAD_LOCAL,
    ];
    let of = class.strip_prefix("java/util/");
    TEXTS.contains(&class)
        || of.is_some_and(|rest| {
            class.starts_with(ATOMICS) || HOLDING.iter().any(|part| rest.ends_with(part))
        })
}

/// Bodies of the subject.
fn bodies(program: &Program) -> impl Iterator<Item = (&Method, &Code)> {
    let methods = program.methods().iter();
    let methods = methods.filter(|method| program.class(method.class).origin == Origin::Subject);
    methods.filter_map(|method| Some((method, method.code.as_deref()?)))
}

#[cfg(test)]
mod tests {
    use crate::fixture::{named, program};
    use crate::outside::Outside;

    /// Methods that ask, of a class `A`.
    fn asking(body: &str) -> String {
        let text = format!(
            "import java.io.*; import java.util.*; import java.util.concurrent.atomic.*; class A {{ {body} }}"
        );
        let program = program(&[("A.java", &text)]);
        let outside = Outside::of(&program, program.classes().len());
        named(&program, outside.asking())
    }

    #[test]
    fn content_changes_unless_it_is_only_read() {
        for (body, expected) in [
            ("private static final boolean[] WET = new boolean[1]; static void set() { WET[0] = true; }
              static void drop(File f) { if (WET[0]) f.delete(); }", "drop"),
            ("private static final Object[] NONE = {}; static void call(java.lang.reflect.Method m) throws Exception { m.invoke(null, NONE); }", ""),
            ("private static final File[][] SLOTS = new File[2][2]; static void set(File f) { SLOTS[0][1] = f; }
              static void drop(int i) { SLOTS[i][i].delete(); }", "drop"),
            ("private static final int[] DAYS = {1, 2}; static int days(int at) { return DAYS[at] + DAYS.length; }
              static void drop(File f, int at) { if (days(at) == 1) f.delete(); }", ""),
            ("private static final AtomicInteger USES = new AtomicInteger();
              static void use(File f) { if (USES.getAndIncrement() > 100) f.delete(); }", "use"),
            ("private static final AtomicInteger USES = new AtomicInteger();
              static void use(File f) { if (USES.get() > 100) f.delete(); }", ""),
            ("private static final Properties ALL = new Properties(); static void load(InputStream in) throws IOException { ALL.load(in); }
              static void purge() { new File(ALL.getProperty(\"x\")).delete(); }", "purge"),
            ("private static final List<File> BINS = new ArrayList<>(); static List<File> all() { return BINS; }
              static void empty() { for (File bin : BINS) bin.delete(); }", "empty"),
            ("private static final List<File> BINS = new ArrayList<>(); static List<File> all() { return Collections.unmodifiableList(BINS); }
              static void empty() { for (File bin : all()) bin.delete(); }", ""),
            ("private static final List<File> BINS = new ArrayList<>(); static void all() { fill(BINS); } static void fill(List<File> l) { }
              static void empty() { for (File bin : BINS) bin.delete(); }", "empty"),
            ("static final List<File> BINS = new ArrayList<>();
              static void empty() { for (File bin : BINS) bin.delete(); }", "empty"),
        ] {
            assert_eq!(asking(body), expected, "{body}");
        }
    }

    #[test]
    fn what_a_field_held_may_be_in_an_object() {
        let text = "static File dir; final File own; final int size; A() { own = dir; size = 3; }
            void sweep(int n) { if (n > 0) own.delete(); } void other(File f) { if (size > 2) f.delete(); }";
        assert_eq!(asking(text), "sweep");
        let text =
            "static File dir; static class Up { final File own; Up(File own) { this.own = own; } }
            static class Low extends Up { Low() { super(dir); } void wipe() { own.delete(); } }";
        assert_eq!(asking(text), "wipe");
        let text = "int size; void sets() { if (System.currentTimeMillis() > 9) size++; }
            void wipe(File f) { if (size > 0) f.delete(); }";
        assert_eq!(
            asking(text),
            "sets",
            "what was asked is no state of a test's"
        );
    }

    #[test]
    fn functions_and_what_is_caught_reach_out_by_a_field_too() {
        let text = "private static List<File> all; static void set(List<File> l) { all = l; }
            static void each() { all.forEach(f -> f.delete()); } static void one(File f) { Runnable r = () -> f.delete(); r.run(); }
            static void tries(File f) { try { all.size(); f.delete(); } catch (NullPointerException e) { } }";
        assert_eq!(asking(text), "each tries");
    }

    #[test]
    fn who_decides_by_what_a_static_field_holds_asks() {
        let text = "import java.io.*; import java.util.*; class A {
            static File folder; static final List<File> OPEN = new ArrayList<>(); static boolean on;
            static final File FIXED = new File(\"a\"); static int count; boolean own;
            static void open(File f) { folder = f; on = true; OPEN.add(f); }
            static void clears() { if (folder != null) folder.delete(); }
            static void closes() { for (File one : OPEN) one.delete(); }
            static boolean is() { return on; } static void far(File f) { if (is()) f.delete(); }
            static int counts(File f) { count++; return f.delete() ? 1 : 0; }
            static final Iterator<File> NONE = OPEN.iterator(); private static final List<File> ALL = Arrays.asList(FIXED);
            static void none(Object o) { if (NONE != o) FIXED.delete(); } static void all() { for (File one : ALL) one.delete(); }
            public static boolean dry = true; static void wet(File f) { if (!dry) f.delete(); }
            static void wipes() { folder.delete(); }
            static boolean beside(File f, int n) { OPEN.add(f); if (n == 1) f.delete(); return on; }
            void owns(File f) { if (own) f.delete(); }
            static void fixed() { if (FIXED != null) FIXED.delete(); }
            static int reads() { return on ? 1 : 0; } }";
        let program = program(&[("A.java", text)]);
        let outside = Outside::of(&program, program.classes().len());
        assert_eq!(
            named(&program, outside.asking()),
            "clears closes far wet wipes"
        );
    }
}
