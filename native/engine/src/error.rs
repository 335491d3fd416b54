//! The engine's one error: what went wrong and what the user can do next.

/// Who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The user: a setting, the project, the machine's permissions.
    Configuration,
    /// The user: code behaves in another way than when tests were written, and nobody accepted that.
    BehaviourChange,
    /// Workers kept failing.
    Worker,
    /// A file or stream of another version.
    Format,
    /// Cancelled by the user or the build tool.
    Cancelled,
    /// A defect of Palus.
    Internal,
}

/// An error with a cause and a next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// Who has to act.
    pub kind: ErrorKind,
    /// What is wrong, naming the thing; lower case, no final dot.
    pub message: String,
    /// What to do next; may be empty.
    pub hint: String,
}

impl Error {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Something the user must act on.
    pub fn configuration(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorKind::Configuration, message, hint)
    }

    /// Workers kept failing.
    pub fn worker(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorKind::Worker, message, hint)
    }

    /// A defect of Palus.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(
            ErrorKind::Internal,
            message,
            "please report this with the log of the build",
        )
    }
}
