//! What is known of every setting, and the macro by which one declaration gives all of it.
//!
//! Comes in: the declarations of `config.rs`. Goes out: the fields of [`super::Settings`], the code that reads them, the
//! text by which two runs are compared, and one [`Setting`] each for the manual and the plugins.
//! Does not know: any setting.

/// Who gives a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Who uses a plugin: an option of the same name in both.
    User,
    /// The studies of `native/evaluate`, which measure.
    Study,
    /// A plugin, from what it knows of the build.
    Build,
}

/// What a setting decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Its value decides what is written.
    Decides,
    /// The content of the files that it names does; `state.rs` reads them.
    Content,
    /// It decides what is written where it cuts a run short, and such a run counts as not done.
    Cuts,
    /// What is written is the same with any value.
    Nothing,
}

/// How often a setting is given, and what holds where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(non_camel_case_types, reason = "the words of a declaration")]
pub(crate) enum Form {
    /// Once at most; else its default.
    one,
    /// Once at most; else there is none.
    optional,
    /// Once.
    required,
    /// Any number of times; else its default, or none.
    list,
}

/// One setting, as people and plugins see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub name: &'static str,
    pub who: Who,
    pub effect: Effect,
    pub form: Form,
    /// What holds where it is not given: a value, or a few words.
    pub default: Option<&'static str>,
    /// Which values there are, in words.
    pub allowed: String,
    /// What it is, in one sentence.
    pub text: &'static str,
}

/// Declares settings. One reads
///
/// ```text
/// /// What it is, in one sentence: the manual has it word for word.
/// User Decides "kTail" k_tail: u32 = whole(0, 10), one("0");
/// ```
///
/// that is who gives it, what it decides, its name, the field, the allowed values (`values.rs`) and its [`Form`] with the
/// default. Behind that, `or` computes a default, and the text in brackets is for people; `as` makes the field's value
/// of what was given. Both may use the fields above, and what is `given`.
macro_rules! settings {
    ($given:ident: $(
        $(#[doc = $text:literal])+
        $who:ident $effect:ident $name:literal $field:ident: $type:ty = $values:expr,
        $form:ident $(($default:literal))? $(, or $computed:expr)? $(, as $made:expr)?;
    )+) => {
        /// Everything one run needs to know.
        #[derive(Clone, Debug)]
        pub struct Settings {
            $( $(#[doc = $text])+ pub $field: $type, )+
        }

        impl Settings {
            /// What was given and, for the rest, defaults.
            fn read($given: &Given<'_>) -> Result<Settings, Error> {
                $(
                    let values = $values;
                    let $field = settings!(@read $given $name values $form $(($default))? $(or $computed)?);
                    $( let $field = ($made)($field); )?
                    let $field: $type = $field;
                )+
                Ok(Settings { $($field),+ })
            }

            /// The values that decide what is written, one line each.
            pub(crate) fn deciding(&self) -> String {
                let mut text = String::new();
                $(
                    if Effect::$effect == Effect::Decides {
                        let _ = writeln!(text, "{} {:?}", $name, self.$field);
                    }
                )+
                text
            }

            /// All settings, in the order of the manual.
            pub(crate) fn table() -> Vec<Setting> {
                vec![$(
                    Setting {
                        name: $name,
                        who: Who::$who,
                        effect: Effect::$effect,
                        form: Form::$form,
                        default: None$(.or(Some($default)))?,
                        allowed: $values.allowed(),
                        text: concat!($($text),+).trim_ascii(),
                    }
                ),+]
            }
        }
    };
    (@read $given:ident $name:literal $values:ident one($default:literal)) => {
        $given.one($name, &$values, $default)?
    };
    (@read $given:ident $name:literal $values:ident one($default:literal) or $computed:expr) => {
        match $given.optional($name, &$values)? {
            Some(value) => value,
            None => $computed,
        }
    };
    (@read $given:ident $name:literal $values:ident optional) => {
        $given.optional($name, &$values)?
    };
    (@read $given:ident $name:literal $values:ident required $(($default:literal))?) => {
        $given.required($name, &$values)?
    };
    (@read $given:ident $name:literal $values:ident list) => {
        $given.list($name, &$values, None)?
    };
    (@read $given:ident $name:literal $values:ident list($default:literal)) => {
        $given.list($name, &$values, Some($default))?
    };
}
pub(super) use settings;
