//! Label fragments, with the answers that they fetch.
//!
//! An input is a label, and after a line of equals signs each answer: a status, header fields, an
//! empty line, a body.

use appstitch_hostile::{Answer, Chance, answers, cases, label};
use appstitch_labels::{
    Architecture, Budget, Label, Mac, Network, Request, Resolved, Response, Stopped, resolve,
};

use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 2048,
    smoke_runs: 1000,
    ..TargetEntry::new("labels", "label fragments, with the answers that they fetch", || {
        Ok(Box::new(Labels))
    })
};

const DICTIONARY: &[&str] = &[
    "app)\n",
    "\n;;\n",
    "$(",
    "${",
    "}",
    "`",
    "\"",
    "'",
    "$((",
    "))",
    "<<<",
    "<<EOF\n",
    "\nEOF\n",
    "|",
    "||",
    "&&",
    "if ",
    "; then ",
    "fi\n",
    "for i in ",
    "; do ",
    "done\n",
    "while ",
    "case $x in ",
    "esac\n",
    "[[ ",
    " ]]",
    " =~ ",
    "function f() {",
    "x+=",
    "x=(",
    "${x##*/}",
    "${x%%.*}",
    "${x//a/b}",
    "${(f)x}",
    "${x[1]}",
    "${x:0:3}",
    "$x",
    "curl -fsL ",
    "https://example.com/",
    "downloadURL=",
    "appNewVersion=",
    "grep -o ",
    "sed 's/",
    "awk '{",
    "cut -d. -f1",
    "sort -V",
    "head -1",
    "tail -n 1",
    "xmllint --xpath ",
    "jq -r ",
    "plutil -extract ",
    "xpath '//",
    "tr -d ",
    "xargs ",
    "versionFromGit a b",
    "downloadURLFromGit a b",
    "getJSONValue \"$x\" ",
    "arch",
    "\\",
    "\n=====\n",
    "200\n",
    "302\n",
    "location: ",
    "\n\n",
];

/// Between the label and its answers.
const SEPARATOR: &str = "\n=====\n";

const STEPS: u64 = 20_000;
const BYTES: u64 = 1 << 20;
const REQUESTS: u32 = 8;

struct Labels;

impl Target for Labels {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(input);
        let mut parts = text.split(SEPARATOR);
        let label = parts.next().unwrap_or_default();
        let answers: Vec<Response> = parts.map(read_answer).collect();
        check(label, &answers)
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let mut text = label(chance);
        for answer in answers(chance) {
            text.push_str(SEPARATOR);
            text.push_str(&write_answer(&answer));
        }
        Some(text.into_bytes())
    }

    fn more_seeds(&self) -> Vec<Vec<u8>> {
        let seed = |label: &str, body: &str| {
            format!("app)\n{label}\n;;\n{SEPARATOR}200\n\n{body}").into_bytes()
        };
        let seeds = cases().into_iter().map(|case| seed(&case.label, &case.body));
        seeds.filter(|seed| seed.len() <= TARGET.input_bytes).collect()
    }
}

/// Parses a label, evaluates it and runs it.
pub(super) fn check(text: &str, answers: &[Response]) -> Result<(), String> {
    let parsed = Label::parse(text);
    let ran = run(text, answers);
    ensure(parsed.is_ok() == ran.is_ok(), || {
        format!("a label runs if it can be parsed: {parsed:?}, {ran:?}")
    })?;
    let (Ok(label), Ok(ran)) = (parsed, ran) else { return Ok(()) };
    for architecture in [Architecture::Arm64, Architecture::I386] {
        check_budget(&label.evaluate(architecture, budget()))?;
    }
    check_budget(&ran)?;
    if is_one_in(8, text.as_bytes()) {
        ensure(run(text, answers) == Ok(ran), || "a label gives the same twice".to_owned())?;
    }
    Ok(())
}

fn budget() -> Budget {
    Budget::new(STEPS, BYTES, REQUESTS)
}

fn run(text: &str, answers: &[Response]) -> Result<Resolved, Stopped> {
    resolve(text, "app", &Mac::new(Architecture::Arm64), &mut Answers(answers), budget())
}

fn check_budget(resolved: &Resolved) -> Result<(), String> {
    let used = resolved.used;
    ensure(used.steps <= STEPS && used.bytes <= BYTES, || format!("a budget holds: {used:?}"))?;
    ensure(resolved.requests.len() <= REQUESTS as usize, || "requests are limited".to_owned())?;
    for (name, value) in &resolved.values {
        let length = value.as_ref().map_or(0, String::len);
        ensure(length as u64 <= BYTES, || format!("a value fits the budget: {name} has {length}"))?;
    }
    Ok(())
}

/// Answers every request with one of several answers.
struct Answers<'a>(&'a [Response]);

impl Network for Answers<'_> {
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped> {
        let sum: usize = request.url.bytes().map(usize::from).sum();
        let answer = self.0.get(sum % self.0.len().max(1)).cloned();
        answer.ok_or_else(|| Stopped::Network("no answer".to_owned()))
    }
}

fn read_answer(text: &str) -> Response {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.trim().parse().ok()).unwrap_or(200);
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Response { status, headers, body: body.to_owned() }
}

fn write_answer(answer: &Answer) -> String {
    let fields: String =
        answer.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("{}\n{fields}\n{}", answer.status, answer.body)
}
