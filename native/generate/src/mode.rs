//! How sequences are found: the whole of it, or a part for comparisons.
//!
//! Comes in: nothing. Goes out: [`Mode`], and what each leaves out.
//! The rows of the feature matrix of Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation",
//! ISSTA 2011, section 4: Randoop, `RecGen`, Palulu, random + model, random + model + constraints, Palus.
//! Does not know: how any of it is done.
//!
//! The modes of the matrix share one random phase: random generation that knows signatures, which sequences ran well, and
//! the paper's pool of constants with the recorded ones. `Full` and `Unguided` also take constants and classes from the
//! subject's code, call methods with what was recorded for them, and draw methods by what is left to cover.
//! Beyond the matrix, `Full` begins with the histories of the trace themselves (`replay.rs`). `Unguided` is `Full` where
//! nothing was traced: it tells what of `Full` is due to models, and what to the search beside them.
//! `Literal` is what the paper's figures 7 and 8 say and nothing else: `null` where no sequence yields a type, no object
//! used twice on purpose, sequences filed even when they threw, look-up by state only among what may still be extended,
//! dependent calls drawn by weight only and fed by type, the random phase for methods of no model alone, a new seed
//! after a worker died. (See `Blind` for what is left when even the pool of constants goes: the baseline of studies of the
//! search.) The paper's one pool for all classes is out of a unit's reach: a unit knows one class.

/// How sequences are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Feedback-directed random generation alone.
    Random,
    /// The search that `Full` does beside models, alone.
    Unguided,
    /// At random; before the tested method, methods are called by how many fields they share with it.
    Static,
    /// Half of the steps at random, then half by models whose object arguments are open.
    Palulu,
    /// By models whose object arguments are open, then at random.
    Model,
    /// By models, with what they say of arguments, then at random.
    Constraints,
    /// The same with dependent calls: what the paper adds to random generation, and nothing else.
    Palus,
    /// The histories of the trace, then by models with dependent calls, then at random.
    #[default]
    Full,
    /// What the paper's figures say, to the letter.
    Literal,
    /// `Random` without any constant that somebody thought of: numbers and texts are drawn blindly.
    Blind,
}

/// Where a dependent method is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependentPosition {
    /// After the call of the model.
    #[default]
    After,
    /// Before it.
    Before,
    /// Either, drawn each time.
    Random,
}

impl Mode {
    /// True where the random phase is that of the paper's matrix: nothing is taken from the subject's code, and coverage
    /// leads nothing.
    pub(crate) fn is_plain(self) -> bool {
        !matches!(self, Mode::Full | Mode::Unguided)
    }

    /// True where models lead.
    pub(crate) fn has_models(self) -> bool {
        !matches!(
            self,
            Mode::Random | Mode::Unguided | Mode::Static | Mode::Blind
        )
    }

    /// True where object arguments are looked up by state and profile.
    pub(crate) fn has_constraints(self) -> bool {
        matches!(
            self,
            Mode::Constraints | Mode::Palus | Mode::Full | Mode::Literal
        )
    }

    /// True where a dependent method is called beside the model's own.
    pub(crate) fn has_dependents(self) -> bool {
        matches!(self, Mode::Palus | Mode::Full | Mode::Literal)
    }

    /// True where the type of an argument is all that an object is chosen by, and none of the sequence itself is taken.
    pub(crate) fn is_bare(self) -> bool {
        matches!(self, Mode::Palulu | Mode::Literal)
    }

    /// Chance in percent that an object already in the sequence is preferred.
    pub(crate) fn reuse(self) -> usize {
        if self.is_bare() { 0 } else { 50 }
    }
}
