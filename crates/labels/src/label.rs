//! A label as it is written, without running it.

use crate::{
    Architecture, Budget, Resolved, Stopped, resolve,
    syntax::{Assigned, Assignment, Command, Fragment, Inside, Part, Script, Statement, Word},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub names: Vec<String>,
    /// Every assignment in all branches, in order. Those in functions are left out: they take effect
    /// only when the function is called.
    pub assignments: Vec<(String, Written)>,
    /// The names and texts of the functions that it defines.
    pub functions: Vec<(String, String)>,
    body: Script,
}

/// The right side of an assignment: the text of a literal; otherwise what is written, without
/// enclosing double quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    Text(String),
    List(Vec<String>),
}

/// Whether the values of a label may depend on the architecture of the Mac. Only a label with one of
/// these words can ask for it.
pub fn asks_architecture(fragment: &str) -> bool {
    let mut words = fragment.split(|next: char| !next.is_ascii_alphanumeric());
    words.any(|word| {
        matches!(
            word,
            "arch" | "uname" | "sysctl" | "arm64" | "i386" | "CPUTYPE" | "HOSTTYPE" | "MACHTYPE"
        )
    })
}

impl Label {
    /// Parses a label's fragment.
    ///
    /// ```
    /// use appstitch_labels::{Label, Written};
    ///
    /// let label = Label::parse("app|\\\nother)\nname=\"App\"\n;;")?;
    /// assert_eq!(label.names, ["app", "other"]);
    /// assert_eq!(label.assignments, [("name".to_owned(), Written::Text("App".to_owned()))]);
    /// # Ok::<(), appstitch_labels::Stopped>(())
    /// ```
    pub fn parse(fragment: &str) -> Result<Self, Stopped> {
        let fragment =
            Fragment::parse(fragment).map_err(|error| Stopped::Unsupported(error.to_string()))?;
        let Fragment { names, body } = fragment;
        let mut label =
            Self { names, assignments: Vec::new(), functions: Vec::new(), body: body.clone() };
        label.add_all(&body);
        Ok(label)
    }

    /// The values that follow from the text alone, on any Mac of this architecture. What needs a
    /// network, more of the Mac, or a variable that others set, is unknown. A run that ends itself
    /// or could do so is taken to go on: if it ends on every Mac, [`Resolved::exited`] says so.
    pub fn evaluate(&self, architecture: Architecture, budget: Budget) -> Resolved {
        resolve::from_text(&self.body, architecture, budget)
    }

    fn add_all(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.add(statement);
        }
    }

    fn add(&mut self, statement: &Statement) {
        match &statement.command {
            Command::Simple(simple) => {
                // An assignment before a command applies to that command only.
                let assigned = simple.assignments.iter().filter(|_| simple.words.is_empty());
                for assignment in assigned.chain(&simple.declared) {
                    self.assignments.push((assignment.name.clone(), written(assignment)));
                }
            }
            Command::Function { name, text, .. } => {
                self.functions.push((name.clone(), text.to_string()));
            }
            _ => {}
        }
        for (place, statements) in statement.command.inside() {
            if place != Inside::Condition {
                self.add_all(statements);
            }
        }
    }
}

fn written(assignment: &Assignment) -> Written {
    let text = |index: usize, word: &Word| match literal(word) {
        Some(text) => text,
        None => without_quotes(word, assignment.written.get(index).map_or("", |text| text)),
    };
    match &assignment.value {
        Assigned::Scalar(word) => Written::Text(text(0, word)),
        Assigned::Array(words) => {
            Written::List(words.iter().enumerate().map(|(index, word)| text(index, word)).collect())
        }
    }
}

/// The text of a word that depends on nothing.
fn literal(word: &Word) -> Option<String> {
    let text = |part: &Part| match part {
        Part::Plain(text) | Part::Quoted(text) => Some(text.clone()),
        Part::Expansion { .. } => None,
    };
    word.iter().map(text).collect()
}

fn without_quotes(word: &Word, text: &str) -> String {
    let all_quoted = word.iter().all(|part| match part {
        Part::Plain(_) => false,
        Part::Quoted(_) => true,
        Part::Expansion { quoted, .. } => *quoted,
    });
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|_| all_quoted).unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assignments(text: &str) -> Vec<(String, Written)> {
        Label::parse(&format!("a)\n{text}\n;;")).unwrap().assignments
    }

    fn one(text: &str) -> Written {
        assignments(text).pop().unwrap().1
    }

    fn text(text: &str) -> Written {
        Written::Text(text.to_owned())
    }

    #[test]
    fn only_some_words_ask_for_the_architecture() {
        assert!(asks_architecture("if [[ $(arch) == arm64 ]]; then"));
        assert!(asks_architecture("x=$(uname -m)"));
        assert!(asks_architecture("x=app_arm64.dmg"));
        assert!(!asks_architecture("archiveName=\"search.zip\""));
    }

    #[test]
    fn assignments_are_kept_as_written() {
        assert_eq!(one("x='dmg'"), text("dmg"));
        assert_eq!(one(r#"x="a\"b""#), text("a\"b"));
        assert_eq!(one(r"x=a\?b"), text("a?b"));
        assert_eq!(one("x=\"https://e.com/${version}.dmg\""), text("https://e.com/${version}.dmg"));
        assert_eq!(
            one("x=$(curl -fs \"https://e.com\" | head -1)"),
            text("$(curl -fs \"https://e.com\" | head -1)")
        );
        assert_eq!(one("x=\"$a\"b"), text("\"$a\"b"));
        assert_eq!(
            one("x=( \"Sample App\" $b )"),
            Written::List(vec!["Sample App".to_owned(), "$b".to_owned()])
        );
    }

    #[test]
    fn every_branch_counts_and_functions_do_not() {
        let all = assignments(
            "if [[ a == b ]]; then\nx=1\nelse\nx=2\nfi\nf() { x=3 }\nLANG=C sort\nlocal y=4",
        );
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["x", "x", "y"]);
    }

    #[test]
    fn functions_are_kept_whole() {
        for function in ["f(){ if [ -f /x ]; then cat /x; fi }", "f() {\n    defaults read /x y\n}"]
        {
            let label = Label::parse(&format!("a)\nx=1\n{function}\n;;")).unwrap();
            assert_eq!(label.functions, [("f".to_owned(), function.to_owned())]);
        }
    }
}
