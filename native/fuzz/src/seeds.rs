//! Good inputs of each reader, small, with one of most things.
//!
//! Comes in: the corpus, and the golden files that Rust and Java share. Goes out: bytes.
//! Does not know: readers' answers.

use palus_bytecode::{Origin, Program, ProgramBuilder};
use palus_learn::Learner;
use palus_wire::frame::write_frame;
use palus_wire::models::{StoredModels, seal};
use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};
use std::io::{Cursor, Write as _};
use std::sync::LazyLock;
use zip::CompressionMethod::{Deflated, Stored};
use zip::write::SimpleFileOptions;

/// A class with generics, a loop, a switch, handlers, a lambda and annotations.
const SHAPES: &[u8] = include_bytes!("../corpus/Shapes.class");

/// A record with all kinds of switches, an enum with bodies, an annotation, a sealed interface, and one that no JVM loads, in
/// which a value comes from itself.
const OTHERS: [&[u8]; 5] = [
    include_bytes!("../corpus/Point.class"),
    include_bytes!("../corpus/Level.class"),
    include_bytes!("../corpus/Mark.class"),
    include_bytes!("../corpus/Visitor.class"),
    include_bytes!("../corpus/Money.class"),
];

/// The class that traces, caches and answers speak of.
pub(crate) static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let mut builder = ProgramBuilder::new();
    let read = builder.add(Origin::Subject, SHAPES);
    read.expect("the corpus has a whole class file");
    builder.finish()
});

pub(crate) fn classes() -> Vec<Vec<u8>> {
    let all = [SHAPES].into_iter().chain(OTHERS);
    all.map(<[u8]>::to_vec).collect()
}

/// Two classes each, packed and not.
pub(crate) fn jars() -> Vec<Vec<u8>> {
    let jar = |method| {
        let mut jar = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        for (name, bytes) in [
            (
                "META-INF/MANIFEST.MF",
                &b"Manifest-Version: 1.0\r\n\r\n"[..],
            ),
            ("road/A.class", &SHAPES[..200]),
            ("road/B.class", &[7; 300]),
        ] {
            jar.start_file(name, options).expect("a name like others");
            jar.write_all(bytes).expect("memory takes all");
        }
        let bytes = jar.finish().expect("memory takes all");
        bytes.into_inner()
    };
    vec![jar(Stored), jar(Deflated)]
}

pub(crate) fn traces() -> Vec<Vec<u8>> {
    vec![trace()]
}

pub(crate) fn requests() -> Vec<Vec<u8>> {
    golden(include_str!("../../wire/tests/golden/requests.txt"))
}

pub(crate) fn answers() -> Vec<Vec<u8>> {
    golden(include_str!("../../wire/tests/golden/responses.txt"))
}

pub(crate) fn frames() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let single = answers().into_iter().map(|answer| {
        let mut frame = Vec::new();
        write_frame(&mut frame, |bytes| bytes.extend_from_slice(&answer));
        all.extend_from_slice(&frame);
        frame
    });
    let mut frames: Vec<_> = single.collect();
    frames.push(all);
    frames
}

pub(crate) fn caches() -> Vec<Vec<u8>> {
    let trace = trace();
    let mut reader = TraceReader::new(&trace).expect("written above");
    let mut learner = Learner::new(&PROGRAM, &|_| false);
    learner.read(&mut reader).expect("written above");
    let models = learner.finish().store(&PROGRAM).encode();
    let bodies = [models, StoredModels::default().encode()];
    bodies.map(|body| seal(&[0; 32], &[0; 32], &body)).to_vec()
}

pub(crate) fn manifests() -> Vec<Vec<u8>> {
    let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    let other = hash.replace('9', "0");
    let files = format!("{hash} road/MapTest.java\n{other} road/MapTest.java\n{hash} T.java\n");
    let project = "project ./../..\nfolder ./build/tests\n";
    vec![format!("{project}{files}").into_bytes(), files.into_bytes()]
}

pub(crate) fn explanations() -> Vec<Vec<u8>> {
    let text = r#"{"schema_version":3,"palus_version":"1","command_line":"mvn palus:generate",
"names":["MapTest#adds","road.Map","the receiver"],"classes":[{"name":"road.Map","methods":[
{"method":"add(City, int)","tests":[0],"more_tests":3,"skip":"S04","missing":["Connection"],
"dependences":[[1,0.25]],"calls":[{"model":1,"source":1,"target":2,"roles":2,"count":7,
"is_nested":true,"is_covered":true,"examples":["(City in state 1)"]}],"more_calls":1}]}]}"#;
    vec![text.as_bytes().to_vec()]
}

pub(crate) fn notes() -> Vec<Vec<u8>> {
    let first = r#"{"version":3,"classes":[{"name":"road.Map","key":"9f86","code":"a1","file":"d081","steps":7,"best":[{"name":"a_isOne","body":"9abc","kills":[0,2]}],"reach":{"a_isOne":{"road.Map":{"lines":"3-7,9","methods":["a"]}}},"skipped":[
{"method":"add(City, int)","code":"S04","text":"it is private"}],"mutants":{"made":3,"covered":2,"killed":1,"survivors":[
{"class":"road.Map","method":"add(City, int)","line":7,"operator":"MATH"}]},"drops":{"times-out":2},"suppressed":1,"unverified":0,"suspects":["java/util/Stack"]}],"findings":[{"row":{"id":"P101 road.Map#equals",
"code":"P101","class":"road.Map","method":"equals","place":{"file":"Map.java","line":7},"broken":"is not reflexive","text":"a",
"is_new":true,"file":"road/MapFindingsPalusTest.java","test":"equals_isReflexive"},"source":"@Test","units":["road.Map"],
"file":"56ef"}],"protocols":"78ab"}"#;
    let explanations = String::from_utf8(explanations().concat()).expect("written above");
    let lines = [first, &explanations].map(|line| line.replace('\n', ""));
    vec![(lines.join("\n") + "\n").into_bytes()]
}

/// What stands behind the digest: one with tests, whose hash is in the note, and one without.
pub(crate) fn staged() -> Vec<Vec<u8>> {
    let note = |file: &str| {
        let first = format!(
            r#"{{"version":3,"classes":[{{"name":"road.Map","key":"9f86","file":{file},"steps":7,"skipped":[],
"mutants":null,"drops":{{"times-out":2}},"suppressed":0,"unverified":0,"suspects":[]}}],"findings":[],"protocols":null}}"#
        );
        let explanations = String::from_utf8(explanations().concat()).expect("written above");
        [first, explanations]
            .map(|line| line.replace('\n', "") + "\n")
            .concat()
    };
    let hash = r#""81fba2c4e25aceada2b476f46dbab6526807ff35cc0f981e2417993133dda861""#;
    let texts = [
        format!("done\n{}class A {{ }}\n", note(hash)),
        format!("begun\n{}", note("null")),
    ];
    texts.map(String::into_bytes).to_vec()
}

pub(crate) fn baselines() -> Vec<Vec<u8>> {
    let text = r#"{"version":1,"findings":["P101 road.Map#equals","P106 road.City#hashCode x"]}"#;
    vec![text.as_bytes().to_vec()]
}

/// A stack, and a list with its iterator.
pub(crate) fn protocols() -> Vec<Vec<u8>> {
    let text = r#"{"format":"palus-protocols","version":1,"protocols":[
{"types":["java/util/ArrayList","java/util/Iterator"],
"support":{"generated_sequences":1,"project_tests":2,"subtraces":3},"labels":[
{"method":"iterator","descriptor":"()Ljava/util/Iterator;","receiver":1,"result":2},
{"method":"next","descriptor":"()Ljava/lang/Object;","receiver":2}],"states":[
{"bound":[],"next":[0]},{"bound":[1,2],"last":0,"next":[1]},{"bound":[1,2],"last":1,"next":[0,1]}]},
{"types":["java/util/Stack"],
"support":{"generated_sequences":2,"project_tests":0,"subtraces":2},"labels":[
{"method":"<init>","descriptor":"()V","result":1},
{"method":"addAll","descriptor":"([[ILjava/util/Collection;)Z","receiver":1,"arguments":[[1,1]]}],"states":[
{"bound":[],"next":[0]},{"bound":[1],"last":0,"next":[1]}]}]}"#;
    vec![text.as_bytes().to_vec()]
}

/// Doc comments, generics, literals, nested types.
pub(crate) fn source_texts() -> Vec<Vec<u8>> {
    let text = r#"package p; import q.*; import s.T; @A(b = {1}) class C<V extends Comparable<V>> {
/** Asks.
 * @throws NoSuchElementException if there is none
 * @exception T.U . */
public <X extends Error> V[] next(final V v, java.util.List<? extends X>... x) throws X, q.W { return f("}", '''); }
enum E { A(1) { }, B; /** @throws F */ E(int i) {} } record R(int i) { R { } } @interface Z { int x() default 1; } }"#;
    vec![text.as_bytes().to_vec()]
}

/// Of a method that gave another value, and of one that is gone.
pub(crate) fn changes() -> Vec<Vec<u8>> {
    let text = r#"[{"class":"road.Map","method":"fee","place":{"file":"Map.java","line":7},"before":"5","now":"6",
"test":"road.MapPalusTest#fee_isFive","file":"road/MapPalusTest.java","line":12,"source":"assertEquals(5, fee);",
"is_broken":false,"is_edited":true}]"#;
    vec![text.as_bytes().to_vec()]
}

/// Tests with all kinds of statements and expressions, laid out by several hands.
pub(crate) fn edited_tests() -> Vec<Vec<u8>> {
    let text = r#"package demo; import static org.junit.Assert.*; import road.Map;
class APalusTest {
  @Test
  public void add_onMap_isFive() throws Exception {
    Map<String, int[]> map = new Map<>(a -> { return -a; }, (int) 'x', "}"");
    var size = map.add(new Größe[] {1, 2}).ways[0];
    try { map.<String>pay(size, !b, c == d ? e : f); fail("no"); } catch (Error caught) { assertNull(caught.it()); }
    assertEquals(5, ((Map) map).size(), 0.1); // (
    assertThrows(Error.class, () -> { map.go(); map.<A>of(new B() { }); });
  }
	@org.junit.Test(timeout = 10)
	void b()
	{
		int held; held = C.d(held, e());
	}
}
"#;
    vec![text.as_bytes().to_vec()]
}

/// The launcher's line, the compiler's, what a JVM that verifies tests says, and the measured coverage.
pub(crate) fn lines() -> Vec<Vec<u8>> {
    let texts = [
        "palus-launcher landlock=full seccomp=on\n/p/src/road/A.java:12: error: cannot find symbol\n\
         start 0\npass 0\nstart 1\nfail 1 expected <1>\nslow 2\nbreaks 3\npass 4\npass 5\n",
        "start 0\npass 0\npass 1\npass 2\npass 3\npass 4\npass 5\n\
         palus-launcher landlock=partial seccomp=off\n",
        "C\troad/Map\t3\t4\t1\t2\nC\troad/A\t3\t4\t1\t2\nC\tB\t0\t0\t0\t0\nC\tC\t0\t0\t0\t0\n\
         C\tD\t0\t0\t0\t0\nC\tE\t0\t0\t0\t0\nL\troad/Map.java\t12\t3\nT\t3\t4\t1\t2\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Files of the launcher's arguments and of the JVM's options.
pub(crate) fn argument_files() -> Vec<Vec<u8>> {
    let text = "# for all\n-Xmx1g \"-Dname=a b\"  -Ddb.password='s3 cr#t' # more\n-Dpath=\"C:\\\\x\\\n   y\\t\"\n@other -ea";
    vec![text.as_bytes().to_vec()]
}

/// What the last run's `report.json` may hold.
pub(crate) fn reports() -> Vec<Vec<u8>> {
    let text = r#"{"schema_version":3,"findings":[{"id":"P101 road.Map#equals","code":"P101","class":"road.Map",
"method":"equals","place":{"file":"Map.java","line":7},"broken":"is not reflexive","text":"a","is_new":true,
"file":"road/MapFindingsPalusTest.java","test":"equals_isReflexive"}],"behaviour_changes":[]}"#;
    vec![text.as_bytes().to_vec()]
}

/// A program of 64 bits for Linux that names what loads it, as `java` does.
pub(crate) fn programs() -> Vec<Vec<u8>> {
    let mut bytes = vec![0; 64];
    bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
    let mut put = |at: usize, value: u8| bytes[at] = value;
    put(32, 64); // where the table of program headers begins
    put(54, 56); // how long each is
    put(56, 2); // how many there are
    for (kind, start) in [(1, 0), (3, 176)] {
        let mut header = [0; 56];
        header[0] = kind;
        header[8] = start;
        bytes.extend_from_slice(&header);
    }
    bytes.extend_from_slice(b"/lib64/ld-linux-x86-64.so.2\0");
    vec![bytes]
}

pub(crate) fn settings() -> Vec<Vec<u8>> {
    let text = "classes=road.**\nexcludes=**.Map?\nbudget=100\nworkers=2\nseed=7\nmode=FULL\nkTail=2\n\
                outputDirectory=/p/out\nprojectDirectory=/p\nworkDirectory=/p/work\n\
                reportDirectory=/p/report\nclassesDirectory=/p/classes\ntraceDirectory=/p/traces\n\
                javaHome=/j\nworkerJar=/w.jar\njvmArgument=-Dpassword=tiger\n";
    vec![text.as_bytes().to_vec()]
}

pub(crate) fn secrets() -> Vec<Vec<u8>> {
    let texts = [
        "logged in with correct horse battery, then failed",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789 dGlnZXItbGlseS00NzEx",
        "assertEquals(\"tiger-lily-4711\", token); // Zürich",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Frames' bodies: a line of a golden file is a name and the bytes in hexadecimal.
fn golden(text: &str) -> Vec<Vec<u8>> {
    let hex = text.lines().filter_map(|line| line.split_once(' '));
    let byte = |pair: &[u8]| {
        let pair = str::from_utf8(pair).expect("golden files are ASCII");
        u8::from_str_radix(pair, 16).expect("golden files are hexadecimal")
    };
    hex.map(|(_, hex)| hex.as_bytes().chunks(2).map(byte).collect())
        .collect()
}

/// A trace of the class of the corpus with one of most things.
fn trace() -> Vec<u8> {
    let method = |name: &str, descriptor: &str| TraceMethod {
        class: "Shapes".into(),
        name: name.into(),
        descriptor: descriptor.into(),
        access: 0,
    };
    let methods = vec![
        method("<init>", "()V"),
        method("sum", "(Ljava/util/List;I)I"),
    ];
    let shapes = || TraceValue::Object {
        id: 1,
        class: "Shapes".into(),
        profile: Some(vec![]),
    };
    let list = || TraceValue::Array {
        id: 2,
        class: "[Ljava/lang/Object;".into(),
        length: 2,
        profile: 8,
        elements: vec![TraceValue::Text("Zürich".into()), TraceValue::Null],
    };
    let mut writer = TraceWriter::new(1, 1 << 10, methods);
    writer.event(&TraceEvent::TestStart {
        thread: 0,
        class: "ShapesTest".into(),
        method: "sums".into(),
    });
    for (thread, method, number) in [(0, 0, 0), (1, 1, 7), (0, 1, -1)] {
        let is_sum = method == 1;
        writer.event(&TraceEvent::Enter {
            thread,
            method,
            receiver: is_sum.then(shapes),
            arguments: if is_sum {
                vec![list(), TraceValue::Int(number)]
            } else {
                vec![]
            },
        });
        writer.event(&if number < 0 {
            TraceEvent::Throw {
                thread,
                class: "java/io/IOException".into(),
            }
        } else {
            TraceEvent::Exit {
                thread,
                result: Some(if is_sum {
                    TraceValue::Int(number)
                } else {
                    shapes()
                }),
            }
        });
    }
    writer.event(&TraceEvent::Capped { objects: vec![9] });
    writer.event(&TraceEvent::TestEnd {
        thread: 0,
        failed: false,
    });
    writer.finish()
}
