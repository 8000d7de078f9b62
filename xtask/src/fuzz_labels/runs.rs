//! The runs: made-up labels, and the real ones with mistakes.

use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicBool},
};

use appstitch_hostile::{Answer, Chance, answers, label, mutated};
use appstitch_labels::{
    Architecture, Budget, Case, Label, Mac, Network, Recorded, Replay, Request, Response, Stopped,
    Used, resolve,
};

use crate::{real_files::shared, resolve_score::cases, run::Failure};

/// The real labels and cases, if they are there.
pub(super) struct Runs {
    fragments: HashMap<String, String>,
    cases: Vec<Case>,
    /// The first seeds are those of the labels that are written to take too much.
    hostile: Vec<appstitch_hostile::Case>,
}

impl Runs {
    /// Reads the real labels and cases, which are beside the workspace.
    pub(super) fn read() -> Result<Self, Failure> {
        let hostile = appstitch_hostile::cases();
        let (Some(resolver), Some(data)) = (shared("resolver"), shared("data")) else {
            eprintln!("without the real labels: they are not available");
            return Ok(Self { fragments: HashMap::new(), cases: Vec::new(), hostile });
        };
        Ok(Self {
            fragments: cases::fragments(&data.join("label_tool/labels.tar.gz"))?,
            cases: cases::read(&resolver.join("cases.ndjson.gz"))?,
            hostile,
        })
    }

    /// Makes the run of a seed.
    pub(super) fn run(&self, seed: u64, stop: Arc<AtomicBool>) -> Used {
        if let Some(hostile) = usize::try_from(seed).ok().and_then(|seed| self.hostile.get(seed)) {
            return run(&format!("app)\n{}\n;;\n", hostile.label), &mut site(hostile), stop);
        }
        let mut chance = Chance::new(seed);
        let chance = &mut chance;
        let case = self.cases.get(chance.below(self.cases.len()));
        let fragment = case.and_then(|case| self.fragments.get(&case.label));
        let (text, mut network): (String, Box<dyn Network>) = match (chance.below(8), fragment) {
            (0, _) => {
                let text = (0..chance.below(200)).map(|_| chance.character()).collect();
                (text, Box::new(Answers(answers(chance))))
            }
            (1..=4, Some(fragment)) => {
                let text =
                    if chance.once_in(3) { fragment.clone() } else { mutated(fragment, chance) };
                let records = case.into_iter().flat_map(Case::records);
                let records: Vec<Recorded> = records.map(|it| changed(it, chance)).collect();
                (text, Box::new(Replay::new(records)))
            }
            _ => (label(chance), Box::new(Answers(answers(chance)))),
        };
        run(&text, &mut *network, stop)
    }
}

fn run(text: &str, network: &mut dyn Network, stop: Arc<AtomicBool>) -> Used {
    let budget = Budget::default().stopped_by(stop);
    // A label that is not understood is no failure.
    drop(Label::parse(text));
    let resolved = resolve(text, "app", &Mac::new(Architecture::Arm64), network, budget);
    resolved.map(|resolved| resolved.used).unwrap_or_default()
}

fn site(case: &appstitch_hostile::Case) -> Answers {
    let body = case.body.clone();
    Answers(vec![Answer { status: 200, headers: Vec::new(), body }])
}

/// A recorded answer, with mistakes at times.
fn changed(mut record: Recorded, chance: &mut Chance) -> Recorded {
    let response = &mut record.response;
    if chance.once_in(2) {
        response.body = mutated(&response.body, chance);
    }
    for (_, value) in &mut response.headers {
        if chance.once_in(5) {
            *value = mutated(value, chance);
        }
    }
    record
}

/// Answers every request with one of several answers.
struct Answers(Vec<Answer>);

impl Network for Answers {
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped> {
        let sum: usize = request.url.bytes().map(usize::from).sum();
        let answer = self.0.get(sum % self.0.len().max(1)).cloned();
        let answer = answer.ok_or_else(|| Stopped::Network("no answer".to_owned()))?;
        Ok(Response { status: answer.status, headers: answer.headers, body: answer.body })
    }
}
