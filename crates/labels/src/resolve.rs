//! Runs a label and returns the values of its variables.

use std::collections::BTreeMap;

use crate::{
    Architecture, Budget, Mac, Network, NoNetwork, Request, Stopped, Used,
    interpreter::{Flow, Shell, Sink, Value},
    syntax::{Fragment, Statement},
    trace::{NoTrace, Trace},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The variables that the label assigned, with their values or why these are unknown. The
    /// elements of a list are joined by blanks.
    pub values: BTreeMap<String, Result<String, Stopped>>,
    pub lists: BTreeMap<String, Vec<String>>,
    pub requests: Vec<Request>,
    pub used: Used,
    /// Whether the label ended itself early, such as on a Mac that it does not support.
    pub exited: bool,
}

impl Resolved {
    /// The value of a variable without blanks and line ends around it. Nothing if the label does not
    /// assign it.
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

/// Like [`resolve`], and reports every step.
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
    if mac.is_described() {
        // What the tool sets before it looks for the label.
        for (name, value) in [
            ("label", argument),
            ("currentUser", &mac.user),
            ("versionKey", "CFBundleShortVersionString"),
            ("DEBUG", "0"),
        ] {
            shell.set(name, value);
        }
    }
    Ok(run(shell, &fragment.body))
}

/// What follows from the text of a label alone on any Mac of an architecture. Everything else is
/// unknown.
pub(crate) fn from_text(
    body: &[Statement],
    architecture: Architecture,
    mut budget: Budget,
) -> Resolved {
    let mac = Mac::any(architecture);
    run(Shell::new(&mac, &mut NoNetwork, &mut budget, &mut NoTrace), body)
}

fn run(mut shell: Shell<'_>, body: &[Statement]) -> Resolved {
    let mut output = Sink::default();
    let input = Ok("".into());
    let mut exited = false;
    for (index, statement) in body.iter().enumerate() {
        match shell.statement(statement, &input, &mut output) {
            Ok(Flow::Next) => {}
            Ok(_) => {
                exited = true;
                // A run for any Mac goes on, to find what does not depend on its end.
                if shell.mac.is_described() {
                    break;
                }
            }
            Err(interrupt) => {
                // It is not known how the label goes on, so neither is what it assigns from here.
                let stopped = interrupt.reason();
                let effects = shell.effects(body.get(index..).unwrap_or(&[]));
                shell.forget(effects, &stopped, &mut output);
                break;
            }
        }
    }
    let mut resolved = Resolved {
        used: shell.budget.used(),
        values: BTreeMap::new(),
        lists: BTreeMap::new(),
        requests: shell.requests,
        exited,
    };
    for (name, value) in shell.variables.into_map() {
        if let Ok(Value::List(list)) = &value {
            resolved.lists.insert(name.clone(), list.clone());
        }
        resolved.values.insert(name, value.map(Value::joined));
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;

    fn evaluated(text: &str, budget: Budget) -> Resolved {
        let label = Label::parse(&format!("a)\n{text}\n;;")).unwrap();
        label.evaluate(Architecture::Arm64, budget)
    }

    fn any_mac(text: &str) -> Resolved {
        evaluated(text, Budget::default())
    }

    fn described(text: &str) -> Resolved {
        let mac = Mac::new(Architecture::Arm64);
        let fragment = format!("a)\n{text}\n;;");
        resolve(&fragment, "a", &mac, &mut NoNetwork, Budget::default()).unwrap()
    }

    #[test]
    fn what_only_a_described_mac_tells_is_unknown_on_any_mac() {
        for (text, value) in [
            ("x=$(sw_vers -productVersion)", "26.1"),
            ("x=$(runAsUser defaults read -g AppleLocale)", "en_US"),
            ("x=$(date +%Y)", "2026"),
            ("x=$currentUser", "tester"),
            ("x=$label", "a"),
            ("x=a$INSTALL", "a"),
            ("x=$((INSTALL + 1))", "1"),
            ("[[ -e /Applications/A.app ]] || x=a", "a"),
            ("[ -e /Applications/A.app ] || x=a", "a"),
            ("x=$(/Applications/A.app/Contents/MacOS/A)a", "a"),
            ("x=$(1.2.3)a", "a"),
        ] {
            assert_eq!(described(text).value("x"), Some(Ok(value)), "{text}");
            assert!(matches!(any_mac(text).value("x"), Some(Err(_))), "{text}");
        }
        assert_eq!(any_mac("x=$(arch)").value("x"), Some(Ok("arm64")));
    }

    #[test]
    fn what_may_have_been_called_makes_its_variables_unknown() {
        for text in [
            "f() { x=2 }\nx=1\nif hdiutil info; then f; fi",
            "f() { g; }\ng() { x=2; f }\nx=1\nhdiutil info && f",
            "f() { x=2 }\nx=1\nf $(hdiutil info)",
            "x=1\nhdiutil info && eval x=2",
            "x=1\neval $(hdiutil info)",
            "x=1\nv=a$(hdiutil info)$(false) && x=2",
            "f() { if hdiutil info; then return; fi; x=2 }\nx=1\nf",
        ] {
            assert!(matches!(described(text).value("x"), Some(Err(_))), "{text}");
            assert!(matches!(any_mac(text).value("x"), Some(Err(_))), "{text}");
        }
    }

    #[test]
    fn an_end_is_told_and_counts_for_one_mac_only() {
        let text = "if [[ $(arch) == arm64 ]]; then exit 1; fi\nx=1";
        let (one, any) = (described(text), any_mac(text));
        assert_eq!((one.exited, one.value("x")), (true, None));
        assert_eq!((any.exited, any.value("x")), (true, Some(Ok("1"))));
        let text = "if hdiutil info; then exit 1; fi\nx=1";
        assert!(matches!(described(text).value("x"), Some(Err(_))));
        assert_eq!(any_mac(text).value("x"), Some(Ok("1")));
        assert!(matches!(any_mac("x=$(hdiutil info && exit; echo a)").value("x"), Some(Err(_))));
    }

    #[test]
    fn a_statement_that_is_too_much_stops_its_own_values() {
        let little_text = Budget::new(20_000, 200, 1);
        let text = "x=aaaaaaaaaaaaaaaa\nx=$x$x$x$x$x$x$x$x$x$x$x$x$x\ny=1";
        let resolved = evaluated(text, little_text);
        assert!(matches!(resolved.values["x"], Err(Stopped::TooMuch(_))));
        assert_eq!(resolved.value("y"), Some(Ok("1")));
        for text in ["while true; do x=$(echo a); done\ny=1", "f() { x=$(f) }\nf\ny=1"] {
            let few_steps = Budget::new(20_000, 1 << 20, 1);
            assert!(matches!(evaluated(text, few_steps).value("y"), Some(Err(_))), "{text}");
        }
    }

    #[test]
    fn lists_are_told_with_their_elements() {
        let resolved = any_mac("x=( 'a b' c )\ny='a b c'");
        assert_eq!(resolved.value("x"), resolved.value("y"));
        assert_eq!(resolved.lists.get("x").unwrap(), &["a b", "c"]);
        assert_eq!(resolved.lists.get("y"), None);
    }
}
