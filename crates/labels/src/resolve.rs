//! Runs a label and tells the values of its variables.

use std::collections::BTreeMap;

use crate::{
    Budget, Mac, Network, Request, Stopped, Used,
    interpreter::{Flow, Shell, Sink, Value, assigned_in},
    syntax::Fragment,
    trace::{NoTrace, Trace},
};

/// What a label found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The variables that the label assigned, with their values or why these are unknown. The
    /// elements of a list are joined by blanks.
    pub values: BTreeMap<String, Result<String, Stopped>>,
    /// The requests that were made, in order.
    pub requests: Vec<Request>,
    /// What the run took of its budget.
    pub used: Used,
    /// Whether the label ended itself early, such as on a Mac that it does not support.
    pub exited: bool,
}

impl Resolved {
    /// The value of a variable without blanks and line ends around it. Nothing if the label does not
    /// assign it.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Result<&str, &Stopped>> {
        let value = self.values.get(name)?;
        Some(value.as_ref().map(|text| text.trim_matches([' ', '\t', '\r', '\n'])))
    }
}

/// Runs a label's fragment for a Mac. The argument is the name by which the label was called. A
/// fragment that cannot be parsed is an error; everything later concerns single values.
///
/// ```
/// use appstitch_labels::{Architecture, Budget, Mac, NoNetwork, resolve};
///
/// let fragment = "app)\nversion=1.2\ndownloadURL=https://example.com/app-${version%.*}.dmg\n;;";
/// let mac = Mac::new(Architecture::Arm64);
/// let resolved = resolve(fragment, "app", &mac, &mut NoNetwork, Budget::default())?;
/// assert_eq!(resolved.value("downloadURL"), Some(Ok("https://example.com/app-1.dmg")));
/// # Ok::<(), appstitch_labels::Stopped>(())
/// ```
pub fn resolve(
    fragment: &str,
    argument: &str,
    mac: &Mac,
    network: &mut dyn Network,
    budget: Budget,
) -> Result<Resolved, Stopped> {
    resolve_and_trace(fragment, argument, mac, network, budget, &mut NoTrace)
}

/// Like [`resolve`], and tells every step.
pub fn resolve_and_trace(
    fragment: &str,
    argument: &str,
    mac: &Mac,
    network: &mut dyn Network,
    mut budget: Budget,
    trace: &mut dyn Trace,
) -> Result<Resolved, Stopped> {
    let fragment =
        Fragment::parse(fragment).map_err(|error| Stopped::Unsupported(error.to_string()))?;
    let mut shell = Shell::new(mac, network, &mut budget, trace);
    // What the tool sets before it looks for the label.
    for (name, value) in [
        ("label", argument),
        ("currentUser", &mac.user),
        ("versionKey", "CFBundleShortVersionString"),
        ("DEBUG", "0"),
    ] {
        shell.set(name, value);
    }
    let mut output = Sink::default();
    let input = Ok("".into());
    let mut exited = false;
    for (index, statement) in fragment.body.iter().enumerate() {
        match shell.statement(statement, &input, &mut output) {
            Ok(Flow::Next) => {}
            Ok(_) => {
                exited = true;
                break;
            }
            Err(interrupt) => {
                // It is not known how the label goes on, so neither is what it assigns from here.
                let stopped = interrupt.reason();
                let rest = fragment.body.get(index..).unwrap_or(&[]);
                for name in assigned_in(rest).names {
                    shell.variables.insert(name, Err(stopped.clone()));
                }
                break;
            }
        }
    }
    let used = shell.budget.used();
    let values = shell.variables.into_map().into_iter();
    Ok(Resolved {
        used,
        values: values.map(|(name, value)| (name, value.map(Value::joined))).collect(),
        requests: shell.requests,
        exited,
    })
}
