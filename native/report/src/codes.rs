//! What each skip code and drop code means, why it happens and what to do: the one place for these texts.
//!
//! Goes out: [`SKIPS`] and [`DROPS`], shown by the report (which needs no network for it), by `explain`, and, word for
//! word, by the manual, which a test compares.

/// A code with its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `S04`, `times-out`
    pub code: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
    /// How it comes about.
    pub why: &'static str,
    /// What the user can do.
    pub cure: &'static str,
}

/// Why a method has no test.
pub const SKIPS: &[Code] = &[
    Code {
        code: "S02",
        meaning: "private or in a class that tests cannot name",
        why: "Palus never uses reflection, and no type that a test may name declares this method.",
        cure: "Nothing is wrong: it is tested through its callers. To have it tested itself, make it package-private.",
    },
    Code {
        code: "S04",
        meaning: "no instance of its class or of a parameter could be made",
        why: "No constructor, factory or traced call gave an object of a type that the call needs, or each of them ended with an exception.",
        cure: "Write one test that makes such an object: the trace shows Palus how.",
    },
    Code {
        code: "S05",
        meaning: "every try hung or recursed too deep",
        why: "Each call used up its fuel or the depth of its stack, so nothing it did can be asserted.",
        cure: "Check whether that is meant. A test of yours with good arguments shows which calls end.",
    },
    Code {
        code: "S06",
        meaning: "every try ended the JVM or took too much memory",
        why: "The worker JVM died in the call (a crash in native code, or a halt), or the call allocated more than a sixteenth of the worker's memory. Buffers outside of the heap may have a quarter of it; on Linux, a worker that uses 512 MiB beside its heap or has more than 500 threads is ended, too. The console and the method's row say which limit it was.",
        cure: "Where it allocates too much or fills the heap, and needs that, raise `workerMemory`; too many threads, memory beside the heap, and files of more than 512 MiB together, it must do without: give the class smaller inputs, or an executor.",
    },
    Code {
        code: "S07",
        meaning: "every try wanted to leave the sandbox (exit, files, network, processes)",
        why: "Palus lets no code under test exit the JVM, create, change or delete files other than temporary ones that it made itself (`File.createTempFile`, `Files.createTempFile`, `Files.createTempDirectory`), open connections or start processes. Calls that start threads count here too, for what such a test sees is a matter of luck, and so does every look at a file, or into a folder, that the user may have otherwise, which is all but its own temporary files, the class path and the JDK, everything that the kernel denied in the course of it, exceptions that tell of a limit of this system (a file longer than 64 MiB, a full disk, too many open files), and what is left behind and would go on in your test JVM: a timer that is not cancelled, work for an executor or a virtual thread, an action of a `Cleaner`. A timer whose task is due in ten seconds or later (a time limit) and that is cancelled in time does not. What would stay changed for all other tests counts as well: system properties, streams (closed ones too), locale, time zone, logging, security providers, MBeans, defaults of the network, the state of the test's thread. So does what your test JVM may have and Palus's has not: a screen (windows, dialogs, printers, the clipboard), a standard input, over which build tools talk to it; and what makes code that Palus cannot look into: scripts, foreign functions, tools of the JDK. To configure a library that writes logs (`setLevel` on a Logback logger, an appender) is denied as well: such a library begins once for all tests, so the change would stay for the others, and an appender may write anywhere; to make loggers and write logs is not.",
        cure: "Give the class its files or connections as arguments, so that a test can hand in harmless ones.",
    },
    Code {
        code: "S08",
        meaning: "its class could not be initialised or linked",
        why: "A static initialiser threw, or a class that it needs is absent.",
        cure: "Is a library missing on the test class path? A static initialiser should need no surroundings.",
    },
    Code {
        code: "S09",
        meaning: "the budget or the time was over before it had a test",
        why: "Other methods of the class used up the steps, or other classes the time.",
        cure: "Raise `budget` or `timeLimit`.",
    },
    Code {
        code: "S10",
        meaning: "Palus itself failed on its class",
        why: "A defect of Palus ended the work on this class; the run went on with the others.",
        cure: "Please report it with the warning that names the class. Until it is mended, `excludes` keeps the class out.",
    },
    Code {
        code: "S11",
        meaning: "what it does differs from run to run",
        why: "Each call ended otherwise when it ran once more: after itself in the same JVM, or after other tests. It rests on what stays from call to call, such as a counter, a cache or a registry in a static field, or on chance.",
        cure: "Give the class a method that sets its state back, or hand that state in as an argument.",
    },
    Code {
        code: "S12",
        meaning: "no source text can show how it ended",
        why: "Each call ended with an error of the JVM (`StackOverflowError`, a failed `assert`) or an exception whose class a test cannot name, or needed a type that it cannot name.",
        cure: "Make the type visible in its package, or write one test that calls the method with arguments for which it returns.",
    },
    Code {
        code: "S13",
        meaning: "its class has as many tests as are written for one",
        why: "No more than 100 tests are written for a class and those nested in it, those first that reach most.",
        cure: "Split the class: each part has as many tests of its own.",
    },
    Code {
        code: "S14",
        meaning: "the work on its class was given up",
        why: "Too many worker JVMs were lost in it, and what was found until then is gone with it.",
        cure: "The console's warning that names the class says how the last one ended. `excludes` keeps the class out, or those that it calls.",
    },
    Code {
        code: "S15",
        meaning: "it ran, but no test of it reaches anything that others do not",
        why: "A test stays only for a branch that no other test reaches, or a fault that no other would notice. What this method does is reached by tests of the methods that call it, or is done by the code that it inherits.",
        cure: "Nothing is wrong: where those tests assert what comes of it, they notice a change.",
    },
    Code {
        code: "S16",
        meaning: "a tool or the compiler made it",
        why: "Accessors, `equals`, `hashCode` and `toString` that the compiler gives a record, `values` and `valueOf` of an enum, and what is marked by an annotation whose name ends in `Generated` (Lombok's, where `lombok.addLombokGeneratedAnnotation = true` has it mark what it makes) are no code of yours. Tests call them, but none is about them.",
        cure: "Nothing is wrong.",
    },
    Code {
        code: "S17",
        meaning: "it ran, and a test could say nothing of what it did",
        why: "What it gave or changed cannot be asked for, or is another thing each time, as a hash code is, and no small fault of its code made any test fail. A test that only calls it would pass whatever it does.",
        cure: "A method that tells what it changed, which tests can call, lets them say so.",
    },
];

/// The code of a method that ran and needs no test of its own.
pub const NOTHING_NEW: &str = "S15";

/// The code of a method that a tool or the compiler made.
pub const GENERATED: &str = "S16";

/// Why a candidate was dropped while verifying.
pub const DROPS: &[Code] = &[
    Code {
        code: "does-not-compile",
        meaning: "the project's compiler refuses it",
        why: "The compiler ran with the settings of your tests, and some of them are stricter than the language.",
        cure: "Nothing, as a rule. Where many are dropped, look at the compiler's words in the log (`-X` or `--info`).",
    },
    Code {
        code: "fails-when-run-again",
        meaning: "it fails when run again in a fresh JVM",
        why: "What it asserts depends on something that differs between two runs: time, random numbers, addresses, surroundings.",
        cure: "Make the clock, the source of random numbers, or what the code reads from variables and properties, an argument of the class; a count in a static field differs by what ran before, too.",
    },
    Code {
        code: "fails-in-other-order-zone-or-locale",
        meaning: "it fails in another order, time zone or locale, or with other hash codes",
        why: "State is left behind in static fields, text is made with the default zone or locale, what is asserted follows from the date (also by comparing it with the time of a file; code that asks for the time runs on up to twenty dates more, as many as 0.3 s allow, in every month, on every weekday, on the first, the last and the leap day), from random numbers (code that draws some runs 300 times more, or as often as 0.1 s allow), from how soon the code asks for the time again (three seconds go by between two questions there), a property that the command line of this run sets, the user's name, the size of the heap, the processors, or the version, vendor and folders of the system and the JDK, the order in which a folder is listed, where the folder of a test lies, the rights of new files (`umask`), what the file system says of a folder's size, of owners and of its kind, whether there is a screen, how many locales, zones and charsets there are, where a resource lies, or objects whose class has no hashCode are in a hash table, where their order is another one in each JVM.",
        cure: "Name the locale and zone in the code, hand over what it reads from variables and properties, and reset static state.",
    },
    Code {
        code: "denied-when-run-again",
        meaning: "it is denied something when run again, or leaves something behind",
        why: "In the JVM that runs it again it wanted to leave the sandbox, or left something that all code of a JVM shares as it was not before: what that may be is listed at S07.",
        cure: "Give the class its files or connections as arguments; let it put back what it changes for all.",
    },
    Code {
        code: "breaks-other-tests",
        meaning: "it leaves state behind with which other tests fail",
        why: "It passes, but what it changes in static fields, system properties or the like stays for the tests that run after it in the same JVM, and more of them fail than such tests are dropped, or one of them is of an earlier run that stays.",
        cure: "Keep less state in static fields, or give the class a method that sets it back.",
    },
    Code {
        code: "times-out",
        meaning: "it takes too long",
        why: "It ran much longer than while searching, where loops are cut short by count.",
        cure: "Check the loops and waits of the methods it calls.",
    },
    Code {
        code: "kills-the-jvm",
        meaning: "the JVM ends while it runs",
        why: "Memory ran out, or native code crashed.",
        cure: "Look at the report's warnings.",
    },
    Code {
        code: "not-verified",
        meaning: "the run ended before it was verified",
        why: "The time limit came first, and nothing is written that has not passed.",
        cure: "Raise `timeLimit` or lower `budget`.",
    },
    Code {
        code: "file-name-refused",
        meaning: "the file system refuses the name of its file",
        why: "The test class is named after the class it is for, and that name, or the path with it, is longer than the file system takes or has a character that it does not.",
        cure: "Give the class a shorter name, or the output folder a shorter path.",
    },
    Code {
        code: "file-is-not-ours",
        meaning: "its file was changed or made by somebody else",
        why: "A file of that name stands in the output folder that Palus did not write, or that somebody edited since; it is left alone, and is none of the written tests. One that Palus wrote and somebody edited counts in coverage, as a test of your own does.",
        cure: "Move the edited tests to your own test sources, under another name, and delete the file to get Palus's own.",
    },
    Code {
        code: "promoted",
        meaning: "a test that you promoted does the same",
        why: "A test with this body stands among your own test sources, where `promote` put it; it runs with your own tests, and counts as one of them.",
        cure: "Nothing. Delete the promoted one to have it written again.",
    },
    Code {
        code: "harms-elsewhere",
        meaning: "it may do elsewhere what the sandbox denies",
        why: "A method that it runs looks at the date, a random number, a variable, a property, what other tests left in a static field or another fact of the machine, and a method that it runs has code which may change files, end the JVM or the like. Here it decides against that; where the test runs later it may not. The text beside the code names both methods, or the class whose initialiser does it.",
        cure: "Give the class its clock, its source of random numbers and its settings as arguments.",
    },
    Code {
        code: "holds-a-secret",
        meaning: "it holds a value of the build's environment or another secret",
        why: "Its source shows a value of the build's environment, of a property like a password, as text or number, a piece of one, or a known form of token; nothing that holds one is written, compiled or run.",
        cure: "Nothing: another value is tried. Where it is no secret, give the variable or property another name or value in the build that generates.",
    },
];

/// The page of a skip or drop code.
pub fn code(code: &str) -> Option<&'static Code> {
    SKIPS.iter().chain(DROPS).find(|known| known.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_there_once_and_says_what_to_do() {
        let all: Vec<&Code> = SKIPS.iter().chain(DROPS).collect();
        let codes: BTreeSet<&str> = all.iter().map(|code| code.code).collect();
        assert_eq!(codes.len(), all.len());
        for code in all {
            for sentence in [code.why, code.cure] {
                assert!(sentence.ends_with('.'), "{sentence}");
            }
        }
        assert_eq!(code("S04").map(|code| code.meaning), Some(SKIPS[1].meaning));
        assert_eq!(code("S99"), None);
    }

    #[test]
    fn the_manual_has_a_section_for_every_code_with_the_same_words() {
        let manual = include_str!("../../../docs/manual.md");
        for code in SKIPS.iter().chain(DROPS) {
            let section = format!(
                "### {}: {}\n\n{}\n{}\n",
                code.code, code.meaning, code.why, code.cure
            );
            assert!(manual.contains(&section), "the manual lacks:\n{section}");
        }
    }
}
