//! Requests and responses against the golden files, which the Java tests read too.
//!
//! A golden file has one line per frame body: a name, a blank, the bytes in hexadecimal. `UPDATE_EXPECT=1` writes it anew.

use expect_test::expect_file;
use palus_wire::WireError;
use palus_wire::request::{
    CallKind, FieldDefinition, MethodDefinition, Request, Setup, WireConstant, WireSequence,
    WireSites, WireStatement,
};
use palus_wire::response::{
    ExitCode, Operator, Response, WireApiCall, WireComparison, WireContent, WireEnd, WireFailure,
    WireFrame, WireMutant, WireNear, WireObservation, WireOutcome, WireRecording,
};
use std::fmt::Write;

#[expect(clippy::too_many_lines, reason = "one literal per kind of request")]
fn requests() -> Vec<(&'static str, Request)> {
    let constants = [
        WireConstant::Null,
        WireConstant::Boolean(true),
        WireConstant::Byte(-128),
        WireConstant::Char(0xd800),
        WireConstant::Short(-2),
        WireConstant::Int(i32::MIN),
        WireConstant::Long(i64::MAX),
        WireConstant::Float(f32::NAN.to_bits()),
        WireConstant::Double((-0.0_f64).to_bits()),
        WireConstant::Text("hé\u{1f600}\0".into()),
        WireConstant::EnumConstant("java/util/concurrent/TimeUnit".into(), "DAYS".into()),
        WireConstant::ClassLiteral("[I".into()),
    ];
    let setup = Setup {
        class_path: vec!["classes".into(), "lib/a b.jar".into()],
        subject_classes: vec![(0, "demo/Stack".into()), (300, "demo/Stack$Node".into())],
        fuel: 1_000_000,
        max_depth: 1000,
        time_limit_millis: 3000,
        work_folder: "work".into(),
    };
    let kinds = [
        (CallKind::Constructor, "<init>", "()V"),
        (
            CallKind::Static,
            "of",
            "(IJ[Ljava/lang/String;)Ldemo/Stack;",
        ),
        (CallKind::Virtual, "push", "(Ljava/lang/Object;)V"),
        (CallKind::Interface, "size", "()I"),
        (CallKind::InterfaceStatic, "empty", "()Ldemo/Stack;"),
    ];
    let methods = kinds.into_iter().zip(7..);
    let sequence = |statements| WireSequence { statements };
    vec![
        ("setup", Request::Setup(setup)),
        (
            "define-methods",
            Request::DefineMethods(
                methods
                    .map(|((kind, name, descriptor), id)| MethodDefinition {
                        id,
                        kind,
                        owner: "demo/Stack".into(),
                        name: name.into(),
                        descriptor: descriptor.into(),
                    })
                    .collect(),
            ),
        ),
        (
            "define-fields",
            Request::DefineFields(vec![
                FieldDefinition {
                    id: 0,
                    is_static: true,
                    owner: "demo/Stack".into(),
                    name: "LIMIT".into(),
                    descriptor: "J".into(),
                },
                FieldDefinition {
                    id: 1,
                    is_static: false,
                    owner: "demo/Stack".into(),
                    name: "top".into(),
                    descriptor: "Ldemo/Stack$Node;".into(),
                },
            ]),
        ),
        (
            "begin",
            Request::Begin {
                initialise: vec!["demo.Stack".into(), "demo.Stack$Node".into()],
                environment: 2,
            },
        ),
        (
            "execute-constants",
            Request::Execute(vec![
                sequence(Vec::new()),
                sequence(constants.map(WireStatement::Constant).to_vec()),
            ]),
        ),
        (
            "execute-statements",
            Request::Execute(vec![sequence(vec![
                WireStatement::Call {
                    method: 7,
                    receiver: None,
                    arguments: [].into_iter().collect(),
                },
                WireStatement::Call {
                    method: 200,
                    receiver: Some(0),
                    arguments: [0, 0].into_iter().collect(),
                },
                WireStatement::NewArray {
                    array_type: "[Ldemo/Stack;".into(),
                    elements: vec![0, 1],
                },
                WireStatement::GetField {
                    field: 0,
                    receiver: None,
                },
                WireStatement::SetField {
                    field: 1,
                    receiver: Some(0),
                    value: 3,
                },
                WireStatement::Stub {
                    class: "java/lang/Runnable".into(),
                    answers: vec![("run()V".into(), None)],
                },
                WireStatement::Stub {
                    class: "java/util/Enumeration".into(),
                    answers: vec![
                        ("hasMoreElements()Z".into(), None),
                        ("nextElement()Ljava/lang/Object;".into(), Some(2)),
                    ],
                },
            ])]),
        ),
        (
            "read-classes",
            Request::ReadClasses(vec!["java/lang/Object".into(), "no/Such".into()]),
        ),
        ("exit", Request::Exit),
        ("watch", Request::Watch(vec![(0, 5), (3, 2), (3, 130)])),
        ("watch-nothing", Request::Watch(Vec::new())),
        ("forget", Request::Forget),
        (
            "mutate",
            Request::Mutate(vec!["demo/Stack".into(), "demo/Stack$Node".into()]),
        ),
        (
            "turn-on",
            Request::TurnOn {
                mutant: 200,
                fuel: 5000,
            },
        ),
        (
            "define-sites",
            Request::DefineSites(WireSites {
                api: vec!["java/util/Iterator".into(), "java/util/Vector".into()],
                sites: vec![
                    ("demo/Stack".into(), vec![(0, 0), (200, 1)]),
                    ("demo/Stack$Node".into(), vec![(3, 300)]),
                ],
            }),
        ),
        ("record", Request::Record(true)),
    ]
}

fn near() -> WireOutcome {
    let distance = |distance: f64| distance.to_bits();
    let pair = |place, relation, left, right| WireComparison {
        place,
        relation,
        left,
        right,
    };
    WireOutcome {
        end: WireEnd::Completed,
        observations: Vec::new(),
        probes: Vec::new(),
        cost: 70_000,
        leaves_thread_locals: true,
        repeats: true,
        near: Some(Box::new(WireNear {
            distances: vec![
                (0, distance(0.0)),
                (1, distance(3.0)),
                (200, distance(0.5)),
                (201, distance(4_294_967_295.0)),
                (202, distance(f64::MAX)),
            ],
            comparisons: vec![
                pair(1, 0, WireConstant::Int(-2), WireConstant::Int(1)),
                pair(
                    200,
                    1,
                    WireConstant::Text("a".into()),
                    WireConstant::Text("b".into()),
                ),
            ],
        })),
        reached: None,
        recording: None,
    }
}

fn boxed(number: i32) -> WireObservation {
    WireObservation::Value {
        value: WireConstant::Int(number),
        boxed: true,
    }
}

/// Every kind of observation before an exception.
fn threw() -> WireOutcome {
    WireOutcome {
        end: WireEnd::Threw {
            statement: 9,
            class: "demo/Jam".into(),
            message: Some("full: é".into()),
            top_frame: Some(("demo/Stack".into(), "push".into())),
            fields: vec![("at".into(), boxed(4))],
        },
        observations: vec![
            WireObservation::Nothing,
            WireObservation::Null,
            WireObservation::Value {
                value: WireConstant::Int(-3),
                boxed: false,
            },
            WireObservation::Value {
                value: WireConstant::Text("a".into()),
                boxed: true,
            },
            WireObservation::EnumConstant("demo/Colour".into(), "RED".into()),
            WireObservation::Object {
                class: "demo/Stack".into(),
                profile: Some(vec![0, 1, 17, 3]),
                same_as: None,
                content: None,
            },
            WireObservation::Object {
                class: "demo/Stack".into(),
                profile: Some(vec![0, 1, 17, 3]),
                same_as: Some(5),
                content: None,
            },
            WireObservation::Object {
                class: "[I".into(),
                profile: Some(vec![6]),
                same_as: None,
                content: Some(WireContent::Elements(Vec::new())),
            },
            WireObservation::Object {
                class: "java/lang/Object".into(),
                profile: None,
                same_as: None,
                content: None,
            },
            WireObservation::LongText,
            WireObservation::Object {
                class: "java/math/BigDecimal".into(),
                profile: None,
                same_as: None,
                content: Some(WireContent::Text("3.10".into())),
            },
            WireObservation::Object {
                class: "java/util/Arrays$ArrayList".into(),
                profile: None,
                same_as: None,
                content: Some(WireContent::Elements(vec![
                    WireObservation::Null,
                    WireObservation::EnumConstant("demo/Colour".into(), "RED".into()),
                    WireObservation::Object {
                        class: "[I".into(),
                        profile: Some(vec![8]),
                        same_as: None,
                        content: Some(WireContent::Elements(vec![boxed(7)])),
                    },
                ])),
            },
        ],
        probes: vec![(0, 0), (0, 5), (3, 2), (3, 130), (200, 0)],
        cost: 0,
        leaves_thread_locals: false,
        repeats: false,
        near: None,
        reached: None,
        recording: None,
    }
}

fn recording() -> WireRecording {
    let call = |site, receiver| WireApiCall {
        site,
        receiver,
        arguments: Vec::new(),
        result: None,
        thrown: None,
    };
    let frame = |class: &str, method: &str, line| WireFrame {
        class: class.into(),
        method: method.into(),
        line,
    };
    WireRecording {
        objects: vec!["java/util/Stack".into(), "java/util/Iterator".into()],
        calls: vec![
            WireApiCall {
                result: Some(0),
                ..call(0, None)
            },
            WireApiCall {
                arguments: vec![(0, 0), (2, 1)],
                ..call(300, Some(1))
            },
            WireApiCall {
                thrown: Some("java/util/EmptyStackException".into()),
                ..call(1, Some(0))
            },
        ],
        failure: Some(WireFailure {
            lineage: vec![
                "java/util/EmptyStackException".into(),
                "java/lang/RuntimeException".into(),
                "java/lang/Exception".into(),
                "java/lang/Throwable".into(),
            ],
            stack: vec![
                frame("java/util/Stack", "peek", 0),
                frame("demo/Stack", "top", 300),
            ],
        }),
    }
}

fn mutants() -> Vec<WireMutant> {
    let mutant = |class, operator, line, detail: &str| WireMutant {
        class,
        operator,
        method: "push".into(),
        descriptor: "(Ljava/lang/Object;)V".into(),
        line,
        detail: detail.into(),
    };
    vec![
        mutant(0, Operator::RemoveConditionals, 300, ""),
        mutant(1, Operator::PrimitiveReturns, 0, ""),
        mutant(1, Operator::MemberVariable, 7, "top"),
        mutant(0, Operator::NakedReceiver, 8, "reversed"),
        mutant(0, Operator::ArgumentPropagation, 9, "max"),
    ]
}

fn responses() -> Vec<(&'static str, Response)> {
    let outcome = |end| WireOutcome {
        end,
        observations: Vec::new(),
        probes: Vec::new(),
        cost: 0,
        leaves_thread_locals: false,
        repeats: true,
        near: None,
        reached: None,
        recording: None,
    };
    let bare = WireEnd::Threw {
        statement: 0,
        class: "java/lang/IllegalStateException".into(),
        message: None,
        top_frame: None,
        fields: Vec::new(),
    };
    let ends = [
        WireEnd::Completed,
        bare,
        WireEnd::OutOfFuel,
        WireEnd::TooDeep,
        WireEnd::TimedOut,
        WireEnd::Denied("System.exit".into()),
        WireEnd::StartedThread,
        WireEnd::Unusable("no such class".into()),
        WireEnd::OutOfMemory,
    ];
    let nothing_near = WireOutcome {
        near: Some(Box::default()),
        ..outcome(WireEnd::OutOfFuel)
    };
    let reached = vec![
        WireOutcome {
            reached: Some(vec![(0, true), (63, false)]),
            ..outcome(WireEnd::Completed)
        },
        WireOutcome {
            reached: Some(Vec::new()),
            ..outcome(WireEnd::OutOfFuel)
        },
    ];
    let recorded = vec![
        WireOutcome {
            recording: Some(Box::new(recording())),
            ..outcome(WireEnd::Completed)
        },
        WireOutcome {
            recording: Some(Box::default()),
            ..outcome(WireEnd::OutOfFuel)
        },
    ];
    let mut outcomes = vec![threw()];
    outcomes.extend(ends.map(outcome));
    vec![
        (
            "ready",
            Response::Ready {
                java_version: "17".into(),
            },
        ),
        (
            "begun",
            Response::Begun {
                failed: vec![(
                    "demo/Bad".into(),
                    "java.lang.ArithmeticException: / by zero".into(),
                )],
            },
        ),
        ("outcomes", Response::Outcomes(outcomes)),
        (
            "near-outcomes",
            Response::Outcomes(vec![near(), nothing_near]),
        ),
        (
            "class-files",
            Response::ClassFiles(vec![Some(vec![0xca, 0xfe]), None]),
        ),
        ("failure", Response::Failure("no work folder".into())),
        ("mutants", Response::Mutants(mutants())),
        ("mutant-outcomes", Response::Outcomes(reached)),
        ("recorded-outcomes", Response::Outcomes(recorded)),
    ]
}

fn line(text: &mut String, name: &str, bytes: &[u8]) {
    write!(text, "{name} ").expect("a String takes all");
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a String takes all");
    }
    text.push('\n');
}

#[test]
fn requests_go_both_ways_in_the_bytes_java_reads() {
    let mut text = String::new();
    for (name, request) in requests() {
        let mut bytes = Vec::new();
        request.encode(&mut bytes);
        assert_eq!(Request::decode(&bytes), Ok(request), "{name}");
        line(&mut text, name, &bytes);
    }
    expect_file!["golden/requests.txt"].assert_eq(&text);
}

#[test]
fn responses_go_both_ways_in_the_bytes_java_writes() {
    let mut text = String::new();
    for (name, response) in responses() {
        let mut bytes = Vec::new();
        response.encode(&mut bytes);
        assert_eq!(Response::decode(&bytes), Ok(response), "{name}");
        line(&mut text, name, &bytes);
    }
    expect_file!["golden/responses.txt"].assert_eq(&text);
}

#[test]
fn exit_codes_are_those_of_java() {
    let mut text = String::new();
    for code in ExitCode::ALL {
        assert_eq!(ExitCode::of(code.number()), Some(code));
        writeln!(text, "{code:?} {}", code.number()).expect("a String takes all");
    }
    assert_eq!(ExitCode::of(137), None);
    expect_file!["golden/exit-codes.txt"].assert_eq(&text);
}

#[test]
fn cut_or_changed_bytes_are_errors_and_never_a_panic() {
    let mut bodies = Vec::new();
    for (_, request) in requests() {
        let mut bytes = Vec::new();
        request.encode(&mut bytes);
        for length in 0..bytes.len() {
            assert!(Request::decode(&bytes[..length]).is_err());
        }
        bodies.push(bytes);
    }
    for (_, response) in responses() {
        let mut bytes = Vec::new();
        response.encode(&mut bytes);
        for length in 0..bytes.len() {
            assert!(Response::decode(&bytes[..length]).is_err());
        }
        bodies.push(bytes);
    }
    for body in bodies {
        for place in 0..body.len() {
            for bit in 0..8 {
                let mut changed = body.clone();
                changed[place] ^= 1 << bit;
                let _ = (Request::decode(&changed), Response::decode(&changed));
            }
        }
    }
}

#[test]
fn a_worker_of_another_version_is_told_apart() {
    let mut bytes = Vec::new();
    responses()[0].1.encode(&mut bytes);
    bytes[5] = 9;
    assert_eq!(
        Response::decode(&bytes),
        Err(WireError::Version {
            found: 9,
            expected: 8
        })
    );
}
