//! Any label and any answer: no panic, no run beyond its budget. `cargo xtask fuzz-labels` runs the
//! same for longer, and mutates the real labels as well.

use appstitch_hostile::{Answer, Chance, answers, label, mutated};
use appstitch_labels::{
    Architecture, Budget, Label, Mac, Network, Request, Response, Stopped, resolve,
};
use proptest::prelude::*;

const STEPS: u64 = 200_000;
const BYTES: u64 = 32 << 20;

/// Filters with arguments in their usual shape.
const FILTERS: [&str; 11] = [
    "xmllint --html --format -",
    "xmllint --format -",
    "xpath '//a/@b'",
    "jq -r '.a[]?'",
    "plutil -extract a raw -o - -",
    "awk -F'[<>]' '{print $2+0, $NF}'",
    "sort -V",
    "sed -E 's/(.)([^a]*)/\\2\\1/g'",
    "grep -Eo '(a|ab)+.?'",
    "xargs",
    "cut -d. -f2-",
];

struct Answers(Vec<Answer>);

impl Network for Answers {
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped> {
        let sum: usize = request.url.bytes().map(usize::from).sum();
        let answer = self.0.get(sum % self.0.len().max(1)).cloned();
        let answer = answer.ok_or_else(|| Stopped::Network("no answer".to_owned()))?;
        Ok(Response { status: answer.status, headers: answer.headers, body: answer.body })
    }
}

/// Runs a label and checks that it stayed within its budget.
fn check(label: &str, answers: Vec<Answer>) {
    drop(Label::parse(label));
    let budget = Budget::new(STEPS, BYTES, 16);
    let mac = Mac::new(Architecture::I386);
    let Ok(resolved) = resolve(label, "app", &mac, &mut Answers(answers), budget) else { return };
    assert!(resolved.used.steps <= STEPS && resolved.used.bytes <= BYTES);
    assert!(resolved.requests.len() <= 16);
    for (name, value) in &resolved.values {
        let length = value.as_ref().map_or_else(|stopped| stopped.to_string().len(), String::len);
        assert!(length as u64 <= BYTES, "{name} has {length} bytes");
    }
}

fn one(body: &str) -> Vec<Answer> {
    vec![Answer { status: 200, headers: Vec::new(), body: body.to_owned() }]
}

fn settings() -> ProptestConfig {
    // A seed says all about a case.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn any_bytes_are_a_label(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        check(&text, one(&text));
        check(&format!("app)\nx={text}\n;;"), one(&text));
    }

    #[test]
    fn made_up_labels_and_answers_run(seed in any::<u64>()) {
        let mut chance = Chance::new(seed);
        let made = label(&mut chance);
        check(&made, answers(&mut chance));
        check(&mutated(&made, &mut chance), answers(&mut chance));
    }

    #[test]
    fn any_bytes_are_an_answer(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        seed in any::<u64>(),
    ) {
        let body = String::from_utf8_lossy(&bytes);
        for filter in FILTERS {
            let label = format!("app)\nx=$(curl -s e.com/a | {filter})\ny=${{x%%[a-z]*}}\n;;");
            check(&label, one(&body));
        }
        let mut chance = Chance::new(seed);
        let path = "app)\nx=$(getJSONValue \"$(curl -sLi e.com/a)\" 'a[0].b')\n;;";
        check(path, answers(&mut chance));
        let release = "app)\ntype=dmg\nx=$(downloadURLFromGit a b)$(versionFromGit a b)\n;;";
        check(release, answers(&mut chance));
    }
}
