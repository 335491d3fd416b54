//! What a failure becomes in Java: a `PalusException` with kind, message and hint.
//!
//! Comes in: the engine's error, an error of JNI, a panic. Goes out: a pending Java exception.
//! The exception is made by a static method of the class that called, so that it is of that class's own loader however
//! many copies of Palus a build has loaded. jni's own policies lose the message of a formatted panic, hence this one.

use jni::errors::ErrorPolicy;
use jni::objects::{JClass, JObjectArray, JString, JThrowable};
use jni::{Env, jni_sig, jni_str};
use palus_engine::{Error, ErrorKind};
use std::any::Any;

/// Why a native method did not return a value.
pub(crate) enum Failure {
    /// The engine says so.
    Engine(Error),
    /// Talking to the JVM failed.
    Jni(jni::errors::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Engine(error)
    }
}

impl From<jni::errors::Error> for Failure {
    fn from(error: jni::errors::Error) -> Self {
        Failure::Jni(error)
    }
}

/// Throws a `PalusException`; the capture is the class `io.palus.host.Palus` that called.
pub(crate) struct ThrowPalusException;

type Returned<'local> = JObjectArray<'local, JString<'local>>;

impl<'local> ErrorPolicy<Returned<'local>, Failure> for ThrowPalusException {
    type Captures<'unowned: 'method, 'method> = &'method JClass<'unowned>;

    fn on_error<'unowned: 'method, 'method>(
        env: &mut Env<'unowned>,
        class: &mut Self::Captures<'unowned, 'method>,
        failure: Failure,
    ) -> jni::errors::Result<Returned<'local>> {
        match failure {
            Failure::Engine(error) => throw(env, class, &error)?,
            // Java code beneath us threw: its exception is pending and says more than we can.
            Failure::Jni(jni::errors::Error::JavaException) => {}
            Failure::Jni(error) => throw(
                env,
                class,
                &Error::internal(format!(
                    "the native library could not talk to the JVM: {error}"
                )),
            )?,
        }
        Ok(Returned::default())
    }

    fn on_panic<'unowned: 'method, 'method>(
        env: &mut Env<'unowned>,
        class: &mut Self::Captures<'unowned, 'method>,
        payload: Box<dyn Any + Send + 'static>,
    ) -> jni::errors::Result<Returned<'local>> {
        throw(env, class, &from_panic(payload.as_ref()))?;
        Ok(Returned::default())
    }
}

/// The error that a panic becomes, with its message.
pub(crate) fn from_panic(payload: &(dyn Any + Send)) -> Error {
    Error::internal(format!("internal error: {}", panic_message(payload)))
}

/// The message of a panic, formatted or not.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        "a panic without a message"
    }
}

fn throw(env: &mut Env<'_>, class: &JClass<'_>, error: &Error) -> jni::errors::Result<()> {
    let kind = env.new_string(kind_name(error.kind))?;
    let message = env.new_string(&error.message)?;
    let hint = env.new_string(&error.hint)?;
    let exception = env
        .call_static_method(
            class,
            jni_str!("exception"),
            jni_sig!(
                "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Throwable;"
            ),
            &[(&kind).into(), (&message).into(), (&hint).into()],
        )?
        .l()?;
    let exception = env.cast_local::<JThrowable>(exception)?;
    match env.throw(exception) {
        // That is how a successful throw is told.
        Err(jni::errors::Error::JavaException) => Ok(()),
        other => other,
    }
}

/// The constant of `io.palus.host.PalusException.Kind`.
fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Configuration => "CONFIGURATION",
        ErrorKind::BehaviourChange => "BEHAVIOUR_CHANGE",
        ErrorKind::Worker => "WORKER",
        ErrorKind::Format => "FORMAT",
        ErrorKind::Cancelled => "CANCELLED",
        ErrorKind::Internal => "INTERNAL",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatted_panic_keeps_its_message() {
        let number = 7;
        let payload = std::panic::catch_unwind(|| panic!("state {number} is gone")).unwrap_err();
        assert_eq!(panic_message(payload.as_ref()), "state 7 is gone");
    }

    #[test]
    fn a_panic_with_any_other_payload_still_becomes_an_error() {
        let payload = std::panic::catch_unwind(|| std::panic::panic_any(7_u8)).unwrap_err();
        assert_eq!(
            from_panic(payload.as_ref()).message,
            "internal error: a panic without a message"
        );
    }
}
