//! Values across the border: `String[]` of names and values in turn, both ways.
//!
//! Comes in: Java arrays, a [`Summary`]. Goes out: Rust pairs, Java arrays. Does not know: any setting's meaning.

use jni::Env;
use jni::errors::Result;
use jni::objects::{JObjectArray, JString};
use palus_engine::Summary;

/// Reads `{name, value, name, value}`; a name without value is left out.
pub(crate) fn pairs<'local>(
    env: &mut Env<'local>,
    array: &JObjectArray<'local, JString<'local>>,
) -> Result<Vec<(String, String)>> {
    let length = array.len(env)?;
    let mut pairs = Vec::with_capacity(length / 2);
    for index in (0..length.saturating_sub(1)).step_by(2) {
        // A frame per pair: a class path may have thousands of entries, and local references are few.
        let pair = env.with_local_frame(4, |env| -> Result<_> {
            let name = array.get_element(env, index)?.try_to_string(env)?;
            let value = array.get_element(env, index + 1)?.try_to_string(env)?;
            Ok((name, value))
        })?;
        pairs.push(pair);
    }
    Ok(pairs)
}

/// Writes the summary as `{name, value, name, value}`.
pub(crate) fn summary<'local>(
    env: &mut Env<'local>,
    summary: &Summary,
) -> Result<JObjectArray<'local, JString<'local>>> {
    let texts = [
        ("tests", summary.tests.to_string()),
        ("files", summary.files.to_string()),
        ("report", summary.report.clone()),
        ("upToDate", summary.up_to_date.to_string()),
    ];
    let array = JObjectArray::<JString>::new(env, texts.len() * 2, JString::null())?;
    for (index, (name, value)) in texts.iter().enumerate() {
        let name = env.new_string(name)?;
        array.set_element(env, index * 2, &name)?;
        let value = env.new_string(value)?;
        array.set_element(env, index * 2 + 1, &value)?;
    }
    Ok(array)
}
