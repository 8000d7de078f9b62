//! Label fragments, with the answers that they fetch.
//!
//! An input is a label, and after a line of equals signs each answer: a status, header fields, an
//! empty line, a body.

use std::{collections::HashMap, fs, path::Path};

use appstitch_hostile::{Chance, cases, label, responses};
use appstitch_labels::{
    Architecture, Budget, Label, Mac, Network, Request, Resolved, Response, Stopped, read_cases,
    resolve,
};
use appstitch_sources::label_tool;

use crate::target::{Target, TargetEntry, ensure, hash, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 2048,
    smoke_runs: 700,
    ..TargetEntry::new("labels", || Ok(Box::new(Labels)))
};

const DICTIONARY: &[&str] = &[
    "app)\n", "\n;;\n", "$(", "${", "}", "`", "\"", "'", "$((", "))", "<<<", "<<EOF\n", "\nEOF\n",
    "|", "||", "&&", "if ", "; then ", "fi\n", "for i in ", "; do ", "done\n", "while ",
    "case $x in ", "esac\n", "[[ ", " ]]", " =~ ", "function f() {", "x+=", "x=(", "${x##*/}",
    "${x%%.*}", "${x//a/b}", "${(f)x}", "${x[1]}", "${x:0:3}", "$x", "curl -fsL ",
    "https://example.com/", "downloadURL=", "appNewVersion=", "grep -o ", "sed 's/", "awk '{",
    "cut -d. -f1", "sort -V", "head -1", "tail -n 1", "xmllint --xpath ", "jq -r ",
    "plutil -extract ", "xpath '//", "tr -d ", "xargs ", "versionFromGit a b",
    "downloadURLFromGit a b", "getJSONValue \"$x\" ", "arch", "\\", "\n=====\n", "200\n", "302\n",
    "location: ", "\n\n",
];

/// The upstreams' real files, which are beside the workspace.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");

const SEPARATOR: &str = "\n=====\n";

/// What a label may take: little most of the time, because many made-up labels use up everything.
const LITTLE: Limits = Limits { steps: 500, bytes: 1 << 15 };
const MUCH: Limits = Limits { steps: 20_000, bytes: 1 << 20 };
const REQUESTS: u32 = 8;

/// One in this many labels is run with much, and in every way.
const THOROUGH: u64 = 50;

#[derive(Clone, Copy)]
struct Limits {
    steps: u64,
    bytes: u64,
}

struct Labels;

impl Target for Labels {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(input);
        let mut parts = text.split(SEPARATOR);
        let label = parts.next().unwrap_or_default();
        let answers: Vec<Response> = parts.map(read_answer).collect();
        // Each input does one of three things, so that none takes long.
        match hash(input) % 4 {
            0 => evaluate(label, Architecture::Arm64, LITTLE),
            1 => evaluate(label, Architecture::I386, LITTLE),
            _ => check_run(label, &answers, input),
        }
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let mut text = label(chance);
        for answer in responses(chance) {
            text.push_str(SEPARATOR);
            let appstitch_hostile::Response { status, headers, body } = answer;
            text.push_str(&write_answer(&Response { status, headers, body }));
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

    fn real_inputs(&self) -> Vec<Vec<u8>> {
        let read = |name: &str| fs::read(Path::new(SHARED).join(name)).unwrap_or_default();
        let labels = label_tool::fragments(&read("data/label_tool/labels.tar.gz"));
        let labels: HashMap<String, String> = labels
            .unwrap_or_default()
            .into_iter()
            .map(|entry| (entry.key, String::from_utf8_lossy(&entry.body).into_owned()))
            .collect();
        let cases = read_cases(&read("resolver/cases.ndjson.gz")).unwrap_or_default();
        let with_answers = cases.iter().filter_map(|case| {
            let mut text =
                labels.get(&format!("{}{}.sh", label_tool::FRAGMENT, case.label))?.clone();
            for recorded in case.records() {
                text.push_str(SEPARATOR);
                text.push_str(&write_answer(&recorded.response));
            }
            Some(text)
        });
        let texts = with_answers.chain(labels.values().cloned());
        let mut inputs: Vec<Vec<u8>> = texts.map(String::into_bytes).collect();
        inputs.retain(|input| input.len() <= TARGET.input_bytes);
        // The order of a map differs from run to run.
        inputs.sort();
        inputs
    }
}

/// Runs a label; at times also everything else that can be done with it.
pub(super) fn check_run(text: &str, answers: &[Response], input: &[u8]) -> Result<(), String> {
    if is_one_in(THOROUGH, input) {
        return check_thoroughly(text, answers);
    }
    run(text, answers, LITTLE).map_or(Ok(()), |ran| LITTLE.check(&ran))
}

fn check_thoroughly(text: &str, answers: &[Response]) -> Result<(), String> {
    let parsed = Label::parse(text);
    let ran = run(text, answers, MUCH);
    ensure(parsed.is_ok() == ran.is_ok(), || {
        format!("a label runs if it can be parsed: {parsed:?}, {ran:?}")
    })?;
    let Ok(ran) = ran else { return Ok(()) };
    MUCH.check(&ran)?;
    for architecture in [Architecture::Arm64, Architecture::I386] {
        evaluate(text, architecture, MUCH)?;
    }
    ensure(run(text, answers, MUCH) == Ok(ran), || "a label gives the same twice".to_owned())
}

fn evaluate(text: &str, architecture: Architecture, limits: Limits) -> Result<(), String> {
    let label = Label::parse(text);
    label.map_or(Ok(()), |label| limits.check(&label.evaluate(architecture, limits.budget())))
}

fn run(text: &str, answers: &[Response], limits: Limits) -> Result<Resolved, Stopped> {
    resolve(text, "app", &Mac::new(Architecture::Arm64), &mut Answers(answers), limits.budget())
}

impl Limits {
    fn budget(self) -> Budget {
        Budget::new(self.steps, self.bytes, REQUESTS)
    }

    /// Whether a run stayed within the limits.
    fn check(self, resolved: &Resolved) -> Result<(), String> {
        let used = resolved.used;
        ensure(used.steps <= self.steps && used.bytes <= self.bytes, || {
            format!("a budget holds: {used:?}")
        })?;
        ensure(resolved.requests.len() <= REQUESTS as usize, || "requests are limited".to_owned())?;
        for (name, value) in &resolved.values {
            let length = value.as_ref().map_or(0, String::len);
            ensure(length as u64 <= self.bytes, || {
                format!("a value fits the budget: {name} has {length}")
            })?;
        }
        Ok(())
    }
}

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

fn write_answer(answer: &Response) -> String {
    let mut text = format!("{}\n", answer.status);
    for (name, value) in &answer.headers {
        text.extend([name.as_str(), ": ", value.as_str(), "\n"]);
    }
    text.extend(["\n", &answer.body]);
    text
}
