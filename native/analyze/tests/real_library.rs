//! Of a library as users have them, the analysis of harm holds back little: what it cannot follow must not count as harm.
//!
//! Rules of this analysis are tried on small classes; where one of them says too much, nearly every test of a real library is
//! held back, and no small class shows it.

use palus_analyze::Facts;
use palus_bytecode::{Method, Origin, Program, ProgramBuilder};
use palus_fixture::{platform_class, real_library};
use std::fs::File;
use std::io::Read;

/// The library as a subject, with what its declarations name of the JDK.
fn library() -> Program {
    let mut jar = zip::ZipArchive::new(File::open(real_library()).unwrap()).unwrap();
    let mut builder = ProgramBuilder::new();
    for index in 0..jar.len() {
        let mut member = jar.by_index(index).unwrap();
        if member.name().unwrap().ends_with(".class") {
            let mut bytes = Vec::new();
            member.read_to_end(&mut bytes).unwrap();
            builder.add(Origin::Subject, &bytes).unwrap();
        }
    }
    loop {
        let missing = builder.missing();
        let found = missing.iter().filter_map(|name| platform_class(name));
        let found: Vec<Vec<u8>> = found.collect();
        if found.is_empty() {
            return builder.finish();
        }
        for bytes in found {
            builder.add(Origin::Platform, &bytes).unwrap();
        }
    }
}

#[test]
fn few_methods_of_a_real_library_are_held_back() {
    let program = library();
    let facts = Facts::of(&program);
    let outside = facts.outside();
    let is_public = |method: &&Method| {
        let class = program.class(method.class);
        class.origin == Origin::Subject && class.access.is_public() && method.access.is_public()
    };
    let public: Vec<&Method> = program.methods().iter().filter(is_public).collect();
    assert!(public.len() > 1500, "{} public methods", public.len());
    let may_harm = |method: &&&Method| {
        outside.may_initialize_harm(method.id) || outside.may_harm_at_first_use(method.class)
    };
    let held = public.iter().filter(may_harm).count();
    assert!(
        held * 50 < public.len(),
        "{held} of {} may be the first to do harm",
        public.len()
    );
    // A test is held back where it asks and may reach out. Most methods of this library may, through an interface, so few
    // may ask.
    let is_own = |class| program.class(class).origin == Origin::Subject;
    let asking = outside.asking().iter().filter(|(class, _)| is_own(*class));
    let asking = asking.count();
    assert!(
        asking * 20 < public.len(),
        "{asking} ask, of {}",
        public.len()
    );
}
