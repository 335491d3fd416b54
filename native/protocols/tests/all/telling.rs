//! Executions as text, so that a test reads like the calls that it is about.
//!
//! A line is a call, with the exception that ended it and where it stands; or an object that the program did not make;
//! or how the execution ended:
//!
//! ```text
//! v: Collection
//! s = new Stack() @ C.<init>:1
//! s.peek() ! EmptyStackException @ C.get:3
//! threw EmptyStackException at Stack.peek:101 C.get:3 C.report:2
//! ```
//!
//! Calls may stand in one line with `;` between them. Types without a package are the JDK's, classes around calls are in
//! no package.

use palus_protocols::{
    Call, CallSite, End, Execution, Failure, Frame, Miner, ObjectId, Protocols, Signature, Source,
    Vocabulary,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Methods by name and number of arguments: descriptor, and the type of what they return if that is of an API.
const METHODS: &[(&str, usize, &str, Option<&str>)] = &[
    ("<init>", 0, "()V", None),
    ("<init>", 1, "(Ljava/util/Collection;)V", None),
    ("push", 0, "(Ljava/lang/Object;)Ljava/lang/Object;", None),
    ("push", 1, "(Ljava/lang/Object;)Ljava/lang/Object;", None),
    ("pop", 0, "()Ljava/lang/Object;", None),
    ("peek", 0, "()Ljava/lang/Object;", None),
    ("removeAllElements", 0, "()V", None),
    (
        "elements",
        0,
        "()Ljava/util/Enumeration;",
        Some("Enumeration"),
    ),
    ("nextElement", 0, "()Ljava/lang/Object;", None),
    ("add", 0, "(Ljava/lang/Object;)Z", None),
    ("addAll", 1, "(Ljava/util/Collection;)Z", None),
    ("size", 0, "()I", None),
    ("get", 0, "(I)Ljava/lang/Object;", None),
    ("iterator", 0, "()Ljava/util/Iterator;", Some("Iterator")),
    ("hasNext", 0, "()Z", None),
    ("next", 0, "()Ljava/lang/Object;", None),
    ("remove", 0, "()V", None),
    (
        "list",
        1,
        "(Ljava/util/Enumeration;)Ljava/util/ArrayList;",
        Some("ArrayList"),
    ),
];

/// `java/util/Stack` for `Stack`; exceptions of `java.lang` by name, classes of the program as they are.
pub fn internal(name: &str) -> Arc<str> {
    let of_lang = name.ends_with("IndexOutOfBoundsException")
        || matches!(
            name,
            "Object"
                | "Throwable"
                | "Exception"
                | "RuntimeException"
                | "IllegalStateException"
                | "NullPointerException"
                | "UnsupportedOperationException"
        );
    if of_lang {
        format!("java/lang/{name}").into()
    } else {
        format!("java/util/{name}").into()
    }
}

/// The class and its superclasses, as far as the examples have them.
fn lineage(exception: &str) -> Vec<Arc<str>> {
    let runtime = ["RuntimeException", "Exception", "Throwable", "Object"];
    let middle =
        (exception == "ArrayIndexOutOfBoundsException").then_some("IndexOutOfBoundsException");
    let mut names = vec![exception];
    names.extend(middle);
    names.extend(runtime.into_iter().filter(|&name| name != exception));
    names.into_iter().map(internal).collect()
}

/// Reads a text.
pub fn execution(vocabulary: &mut Vocabulary, text: &str) -> Execution {
    let mut teller = Teller {
        vocabulary,
        objects: BTreeMap::new(),
        execution: Execution {
            objects: Vec::new(),
            calls: Vec::new(),
            end: End::Passed,
        },
    };
    for line in text.lines().flat_map(|line| line.split(';')).map(str::trim) {
        if !line.is_empty() {
            teller.line(line);
        }
    }
    teller.execution
}

struct Teller<'a> {
    vocabulary: &'a mut Vocabulary,
    objects: BTreeMap<String, (ObjectId, String)>,
    execution: Execution,
}

impl Teller<'_> {
    fn line(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("threw ") {
            let (exception, frames) = rest.split_once(" at ").expect("threw X at FRAMES");
            self.execution.end = End::Threw(Failure {
                lineage: lineage(exception),
                stack: frames.split(' ').map(frame).collect(),
            });
            return;
        }
        if line == "violated" {
            self.execution.end = End::Violated;
            return;
        }
        if let Some((name, kind)) = line.split_once(": ") {
            self.object(name, kind);
            return;
        }
        let (line, place) = line.split_once(" @ ").unwrap_or((line, "P.m:1"));
        let (line, thrown) = match line.split_once(" ! ") {
            Some((line, thrown)) => (line, Some(thrown)),
            None => (line, None),
        };
        let (result, call) = match line.split_once(" = ") {
            Some((result, call)) => (Some(result), call),
            None => (None, line),
        };
        let (callee, arguments) = call.split_once('(').expect("a call has parentheses");
        let arguments = arguments.trim_end_matches(')');
        let arguments: Vec<&str> = arguments
            .split(", ")
            .filter(|name| !name.is_empty())
            .collect();
        let known = |objects: &BTreeMap<String, (ObjectId, String)>, name: &str| {
            objects
                .get(name)
                .unwrap_or_else(|| panic!("{name} is unknown"))
                .clone()
        };
        let (receiver, owner, name) = match callee.split_once('.') {
            _ if callee.starts_with("new ") => (None, callee[4..].to_owned(), "<init>"),
            Some((owner, name)) if owner.starts_with(char::is_uppercase) => {
                (None, owner.to_owned(), name)
            }
            Some((receiver, name)) => {
                let (object, of) = known(&self.objects, receiver);
                (Some(object), of, name)
            }
            None => panic!("{callee} is no call"),
        };
        let method = METHODS
            .iter()
            .find(|method| (method.0, method.1) == (name, arguments.len()));
        let (_, _, descriptor, returns) =
            *method.unwrap_or_else(|| panic!("{name} is no method of the examples"));
        let ids = (0..).zip(&arguments);
        let arguments: Vec<_> = ids
            .map(|(at, name)| (at, known(&self.objects, name).0))
            .collect();
        let result = result.map(|result| {
            let of = returns.map_or_else(|| owner.clone(), str::to_owned);
            self.object(result, &of)
        });
        let site = site(place, &owner, &Signature::new(name, descriptor));
        let call = Call {
            site: self.vocabulary.site_id(&site),
            receiver,
            arguments,
            result,
            thrown: thrown.map(|name| self.vocabulary.name_id(&internal(name))),
        };
        self.execution.calls.push(call);
    }

    /// A variable's object: the known one, or a new one.
    fn object(&mut self, name: &str, of: &str) -> ObjectId {
        let next = ObjectId(self.execution.objects.len() as u32);
        let (object, _) = *self
            .objects
            .entry(name.to_owned())
            .or_insert((next, of.to_owned()));
        if object == next {
            let of = self.vocabulary.name_id(&internal(of));
            self.execution.objects.push(of);
        }
        object
    }
}

/// `C.get:3`, where the method has no arguments, or `C.get(I):3`.
pub fn site(place: &str, owner: &str, called: &Signature) -> CallSite {
    let frame = frame(place);
    let (method, parameters) = frame
        .method
        .split_once('(')
        .unwrap_or((&*frame.method, ")"));
    CallSite {
        class: frame.class,
        method: Signature::new(method, &format!("({parameters}V")),
        line: frame.line,
        bytecode_index: None,
        owner: internal(owner),
        called: called.clone(),
    }
}

/// `C.get:3`
pub fn frame(text: &str) -> Frame {
    let (place, line) = text.rsplit_once(':').expect("a frame has a line");
    let (class, method) = place.split_once('.').expect("a frame has a class");
    Frame {
        class: class.into(),
        method: method.into(),
        line: line.parse().ok(),
        bytecode_index: None,
    }
}

/// What generated sequences teach.
pub fn mine(vocabulary: &mut Vocabulary, texts: &[&str]) -> Protocols {
    let mut miner = Miner::default();
    for text in texts {
        let execution = execution(vocabulary, text);
        miner.learn(vocabulary, &execution, Source::GeneratedSequence);
    }
    miner.finish(vocabulary)
}

/// The state machine of some types of the JDK.
pub fn machine(protocols: &Protocols, types: &[&str]) -> String {
    let types: Vec<Arc<str>> = types.iter().map(|name| internal(name)).collect();
    let types: Vec<&str> = types.iter().map(|name| &**name).collect();
    let protocol = protocols.get(&types).expect("these types have a protocol");
    protocol.machine().to_string()
}
