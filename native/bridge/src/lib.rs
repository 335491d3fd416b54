//! The cdylib: JNI in, JNI out, for `io.palus.host.Palus`.
//!
//! Comes in: settings as (name, value) pairs and a console object. Goes out: the summary as (name, value) pairs, or a
//! `PalusException`. The engine works on a thread of its own with a large stack; what it says reaches the console on
//! the thread that called, which meanwhile watches for its interrupt. Every thread has ended before the call returns, those
//! of the pool for work side by side too: it is the call's own.
//! Does not know: what the engine does; any class of the subject.

mod call;
mod convert;
mod policy;
#[cfg(feature = "self-test")]
mod self_test;

use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JObjectArray, JString};
use palus_engine::{Cancel, Error, ExplainSettings, Listener, Settings, Summary};
use policy::{Failure, ThrowPalusException};

/// `private static native String[] generate0(String[] settings, Console console)` of `io.palus.host.Palus`.
// The C convention is JNI's on every 64-bit platform, and it is the one that cbindgen reads.
// SAFETY: the name is that of the Java method and nobody else defines it; a test compares it with `javac -h`.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn Java_io_palus_host_Palus_generate0<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JObjectArray<'local, JString<'local>>,
    console: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    answered(env, &class, &settings, &console, generate)
}

/// `private static native String[] explain0(String[] settings, Console console)` of `io.palus.host.Palus`.
// SAFETY: as above.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn Java_io_palus_host_Palus_explain0<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JObjectArray<'local, JString<'local>>,
    console: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    answered(env, &class, &settings, &console, explain)
}

/// `private static native String[] compare0(String[] settings, Console console)` of `io.palus.host.Palus`.
// SAFETY: as above.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn Java_io_palus_host_Palus_compare0<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JObjectArray<'local, JString<'local>>,
    console: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    answered(env, &class, &settings, &console, compare)
}

/// `private static native String[] accept0(String[] settings, Console console)` of `io.palus.host.Palus`.
// SAFETY: as above.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn Java_io_palus_host_Palus_accept0<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JObjectArray<'local, JString<'local>>,
    console: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    answered(env, &class, &settings, &console, accept)
}

/// `private static native String[] differences0(String[] settings, Console console)` of `io.palus.host.Palus`.
// SAFETY: as above.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn Java_io_palus_host_Palus_differences0<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JObjectArray<'local, JString<'local>>,
    console: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    answered(env, &class, &settings, &console, differences)
}

/// `private static native String[] promote0(String[] settings, Console console)` of `io.palus.host.Palus`.
// SAFETY: as above.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn Java_io_palus_host_Palus_promote0<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JObjectArray<'local, JString<'local>>,
    console: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    answered(env, &class, &settings, &console, promote)
}

/// `private static native String[] check0(String[] settings, Console console)` of `io.palus.host.Palus`.
// SAFETY: as above.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn Java_io_palus_host_Palus_check0<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JObjectArray<'local, JString<'local>>,
    console: JObject<'local>,
) -> JObjectArray<'local, JString<'local>> {
    answered(env, &class, &settings, &console, check)
}

/// What the engine does with settings.
type Engine = fn(&[(String, String)], &dyn Listener, &Cancel) -> Result<Summary, Error>;

/// Calls the engine with the settings that Java gave; an error becomes an exception.
fn answered<'local>(
    mut env: EnvUnowned<'local>,
    class: &JClass<'local>,
    settings: &JObjectArray<'local, JString<'local>>,
    console: &JObject<'local>,
    engine: Engine,
) -> JObjectArray<'local, JString<'local>> {
    env.with_env(|env| -> Result<_, Failure> {
        let pairs = convert::pairs(env, settings)?;
        let summary = call::run(env, console, pairs, engine)?;
        Ok(convert::summary(env, &summary)?)
    })
    .resolve_with::<ThrowPalusException, _>(|| class)
}

fn generate(
    pairs: &[(String, String)],
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    #[cfg(feature = "self-test")]
    if let Some(result) = self_test::run(pairs, listener, cancel) {
        return result;
    }
    palus_engine::generate(&Settings::from_pairs(pairs)?, listener, cancel)
}

fn compare(
    pairs: &[(String, String)],
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    palus_engine::compare(&Settings::from_pairs(pairs)?, listener, cancel)
}

fn accept(
    pairs: &[(String, String)],
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    palus_engine::accept(&Settings::from_pairs(pairs)?, listener, cancel)
}

fn differences(
    pairs: &[(String, String)],
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    palus_engine::differences(&Settings::from_pairs(pairs)?, listener, cancel)
}

fn promote(
    pairs: &[(String, String)],
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    palus_engine::promote(&Settings::from_pairs(pairs)?, listener, cancel)
}

fn explain(
    pairs: &[(String, String)],
    listener: &dyn Listener,
    _: &Cancel,
) -> Result<Summary, Error> {
    palus_engine::explain(&ExplainSettings::from_pairs(pairs)?, listener)?;
    Ok(Summary::default())
}

fn check(pairs: &[(String, String)], _: &dyn Listener, _: &Cancel) -> Result<Summary, Error> {
    Settings::check(pairs)?;
    Ok(Summary::default())
}
