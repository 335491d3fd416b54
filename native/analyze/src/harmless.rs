//! Which calls of the JDK do nothing outside of the JVM by what their package is for.
//!
//! Comes in: a call as code names it. Goes out: true where it may reach out although no list of guarded calls has it.
//! The lists (`guarded_calls.txt`) say which calls of packages that everybody uses reach out. Of all other packages nobody has
//! read each method, and the JDK grows: what is not known to be harmless counts as reaching out.
//! Does not know: what a call is made with.

use palus_bytecode::{MethodName, Origin, Program};

/// Classes: `*` stands for any part of a name, `**` for any part of a path.
const HARMLESS: [&str; 77] = [
    "java/awt/*",
    "java/awt/color/*",
    "java/awt/event/*",
    "java/awt/font/*",
    "java/awt/geom/*",
    "java/awt/image/**",
    "java/beans/**",
    "java/io/*",
    "java/lang/*",
    "java/lang/annotation/*",
    "java/lang/constant/*",
    "java/lang/invoke/*",
    "java/lang/ref/*",
    "java/lang/reflect/*",
    "java/lang/runtime/*",
    "java/math/*",
    "java/net/HttpCookie",
    "java/net/IDN",
    "java/net/Inet*Address",
    "java/net/Proxy",
    "java/net/Proxy$Type",
    "java/net/SocketAddress",
    "java/net/URI",
    "java/net/URL",
    "java/net/URLDecoder",
    "java/net/URLEncoder",
    "java/nio/*",
    "java/nio/channels/*ByteChannel",
    "java/nio/channels/Channel",
    "java/nio/channels/Channels",
    "java/nio/channels/FileChannel*",
    "java/nio/charset/**",
    "java/nio/file/*",
    "java/nio/file/attribute/*",
    "java/security/*",
    "java/security/interfaces/*",
    "java/security/spec/*",
    "java/sql/*",
    "java/text/**",
    "java/time/**",
    "java/util/*",
    "java/util/concurrent/**",
    "java/util/function/*",
    "java/util/jar/*",
    "java/util/logging/*",
    "java/util/random/*",
    "java/util/regex/*",
    "java/util/stream/*",
    "java/util/zip/*",
    "javax/accessibility/*",
    "javax/crypto/**",
    "javax/swing/*",
    "javax/swing/border/*",
    "javax/swing/event/*",
    "javax/swing/plaf/**",
    "javax/swing/table/*",
    "javax/swing/text/**",
    "javax/swing/tree/*",
    "javax/swing/undo/*",
    "javax/xml/*",
    "javax/xml/datatype/*",
    "javax/xml/namespace/*",
    "javax/xml/parsers/*",
    "javax/xml/stream/**",
    "javax/xml/transform/**",
    "javax/xml/validation/*",
    "javax/xml/xpath/*",
    "org/w3c/dom/*",
    "org/w3c/dom/bootstrap/*",
    "org/w3c/dom/css/*",
    "org/w3c/dom/events/*",
    "org/w3c/dom/html/*",
    "org/w3c/dom/ls/*",
    "org/w3c/dom/stylesheets/*",
    "org/w3c/dom/traversal/*",
    "org/w3c/dom/views/*",
    "org/xml/sax/**",
];

/// Classes of these packages that are made to reach out.
const REACHING: [&str; 16] = [
    "java/awt/Desktop",
    "java/awt/Robot",
    "java/awt/SplashScreen",
    "java/awt/SystemTray",
    "java/awt/Taskbar",
    "java/awt/Toolkit",
    "java/awt/TrayIcon",
    "java/io/Console",
    "java/io/FileDescriptor",
    "java/lang/IO",
    "java/lang/Process",
    "java/lang/ProcessBuilder*",
    "java/lang/ProcessHandle*",
    "java/util/logging/FileHandler",
    "java/util/logging/SocketHandler",
    "javax/swing/JFileChooser",
];

/// Where classes of the JDK are, though a library may have some below `javax` and `org`.
const OF_JDK: [&str; 9] = [
    "java/",
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "netscape/",
    "org/ietf/",
    "org/w3c/",
    "org/xml/",
];

/// True if a call comes to code of the JDK that nobody knows to be harmless.
pub(crate) fn is_beyond_what_is_known(program: &Program, named: &MethodName) -> bool {
    let is_unknown = |class: &str| !is_harmless(class);
    let is_of_jdk = |class: &str| OF_JDK.iter().any(|start| class.starts_with(start));
    let Some(class) = program.class_named(&named.owner) else {
        return is_of_jdk(&named.owner) && is_unknown(&named.owner);
    };
    if program.class(class).origin == Origin::Platform {
        return is_unknown(&named.owner);
    }
    if let Some(method) = program.resolve_method(named) {
        let class = program.class(program.method(method).class);
        return class.origin == Origin::Platform && is_unknown(&class.name);
    }
    // Those of the JDK that a library extends may not have been read.
    let above = program.supertypes(class).into_iter();
    let above = above.map(|class| program.class(class));
    let mut parents = above.flat_map(|class| class.super_name.iter().chain(&class.interface_names));
    parents.any(|name| program.class_named(name).is_none() && is_of_jdk(name) && is_unknown(name))
}

fn is_harmless(class: &str) -> bool {
    // To make or to ask an exception does nothing.
    let is_thrown = class.ends_with("Exception") || class.ends_with("Error");
    let fits = |patterns: &[&str]| patterns.iter().any(|pattern| fits(pattern, class));
    is_thrown || class.starts_with('[') || fits(&HARMLESS) && !fits(&REACHING)
}

fn fits(pattern: &str, class: &str) -> bool {
    if let Some(start) = pattern.strip_suffix("**") {
        return class.starts_with(start);
    }
    match pattern.split_once('*') {
        Some((start, end)) => {
            let rest = class.strip_prefix(start);
            let rest = rest.and_then(|rest| rest.strip_suffix(end));
            rest.is_some_and(|rest| !rest.contains('/'))
        }
        None => pattern == class,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{named, program};
    use crate::outside::Outside;

    #[test]
    fn a_package_stands_for_its_classes_and_not_for_those_below() {
        for known in [
            "java/util/ArrayList",
            "java/util/Map$Entry",
            "java/time/chrono/JapaneseDate",
            "java/net/InetAddress",
            "java/nio/channels/WritableByteChannel",
            "javax/naming/NamingException",
            "[Ljavax/tools/Tool;",
        ] {
            assert!(is_harmless(known), "{known}");
        }
        for unknown in [
            "java/util/prefs/Preferences",
            "java/net/Socket",
            "java/nio/channels/SocketChannel",
            "java/nio/file/spi/FileSystemProvider",
            "java/lang/ProcessBuilder$Redirect",
            "java/lang/management/ManagementFactory",
            "javax/tools/JavaFileObject",
            "javax/xml/catalog/CatalogManager",
            "javax/xml/bind/JAXB",
            "javax/sql/DataSource",
            "java/lang/IO",
            "com/sun/tools/javac/Main",
            "javax/imageio/stream/FileCacheImageOutputStream",
        ] {
            assert!(!is_harmless(unknown), "{unknown}");
        }
    }

    /// Names of the methods of a class `A` that may reach out.
    fn reaching(program: &Program) -> String {
        named(
            program,
            Outside::of(program, program.classes().len()).reaching(),
        )
    }

    #[test]
    fn what_no_list_has_reaches_out_unless_its_package_is_known() {
        let text = "import java.io.*; import java.nio.file.*; import javax.tools.*; class A {
            void writer(JavaFileObject o) throws Exception { o.openWriter(); }
            void compiler(String[] all) { com.sun.tools.javac.Main.compile(all); }
            void attaches() throws Exception { new java.util.logging.SocketHandler(\"a\", 1); }
            void caches(OutputStream o, File f) throws Exception { new javax.imageio.stream.FileCacheImageOutputStream(o, f); }
            void opens(Path p) throws Exception { p.getFileSystem().provider().newInputStream(p); }
            void jars(File f) throws Exception { new java.util.jar.JarFile(f, false, 5, Runtime.version()); }
            void here(Path p) throws Exception { Files.createTempFile(p, \"a\", \"b\"); }
            void keyboard() throws Exception { System.in.read(); } void ends() { System.out.close(); }
            void sets(java.lang.reflect.Field f) throws Exception { f.set(null, 1); }
            void prefers() { java.util.prefs.Preferences.userRoot().put(\"a\", \"b\"); }
            void temporary() throws Exception { Files.createTempFile(\"a\", \"b\"); }
            void plain(StringBuilder b, OutputStream o) throws Exception { b.append(java.time.LocalDate.EPOCH); o.close(); }
            void throwing() throws Exception { throw new javax.naming.NamingException(\"a\"); }
            void prints() { System.out.println(new java.math.BigDecimal(\"1\")); } }";
        let program = program(&[("A.java", text)]);
        assert_eq!(
            reaching(&program),
            "writer compiler attaches caches opens jars here keyboard ends sets prefers"
        );
    }

    #[test]
    fn code_that_a_handle_or_an_unknown_bootstrap_runs_may_ask_and_reach_out() {
        let text = "class A { Object m() { return \"handle\"; } Runnable r() { return A::new; } int plain() { return 1; } }";
        let bytes = palus_fixture::compile(&[("A.java", text)])
            .bytes("A")
            .to_vec();
        let reached = |bytes: &[u8]| {
            let mut builder = palus_bytecode::ProgramBuilder::new();
            builder.add(Origin::Subject, bytes).unwrap();
            reaching(&builder.finish())
        };
        assert_eq!(reached(&bytes), "");
        let known = b"java/lang/invoke/LambdaMetafactory";
        let at = bytes.windows(known.len()).position(|one| one == known);
        let at = at.unwrap() + known.len() - 1;
        let mut unknown = bytes.clone();
        unknown[at] = b'z';
        assert_eq!(reached(&unknown), "r");
        // `ldc` of the text becomes that of the handle behind the lambda.
        let text = bytes
            .windows(3)
            .position(|one| one[0] == 0x12 && one[2] == 0xb0);
        let mut handled = bytes.clone();
        handled[text.unwrap() + 1] = u8::try_from(handle(&bytes)).unwrap();
        assert_eq!(reached(&handled), "m");
    }

    #[test]
    fn what_a_module_decides_is_asked() {
        let text = "class A { Object modules(Class<?> c) { return c.getModule(); } int plain() { return 1; }
            Object services() { return java.util.ServiceLoader.load(Runnable.class); } }";
        let program = program(&[("A.java", text)]);
        let outside = Outside::of(&program, program.classes().len());
        assert_eq!(named(&program, outside.asking()), "modules services");
    }

    /// The place of the first method handle in the constant pool.
    fn handle(bytes: &[u8]) -> usize {
        let (mut at, mut index) = (10, 1);
        while bytes[at] != 15 {
            at += match bytes[at] {
                1 => 3 + usize::from(u16::from_be_bytes([bytes[at + 1], bytes[at + 2]])),
                7 | 8 | 16 => 3,
                _ => 5,
            };
            index += 1;
        }
        index
    }
}
