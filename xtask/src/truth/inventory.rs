//! Installed apps: the right app, a fair verdict, and no false alarm.

use std::collections::BTreeMap;

use appstitch_budget::{Budget, Limits};
use appstitch_inventory::{
    InstalledApp, InstalledFrom,
    check::{CheckOptions, InstalledIndex},
};
use appstitch_stitching::Stitched;
use appstitch_types::inventory::{CheckedApp, Verdict};

use super::answers::InventoryRow;

#[derive(Default)]
struct Class {
    rows: usize,
    right_app: usize,
    fair_verdict: usize,
    false_alarms: usize,
}

/// How the answers compare with the hand-checked ones.
#[derive(Default)]
pub(super) struct InventoryScore {
    classes: BTreeMap<String, Class>,
    mistakes: Vec<String>,
    answers: Vec<String>,
}

pub(super) fn score(rows: &[InventoryRow], catalog: &[Stitched]) -> InventoryScore {
    let mut index = InstalledIndex::default();
    let mut tokens = BTreeMap::new();
    for stitched in catalog {
        let app = &stitched.record.app;
        let main = stitched.variant_of.as_ref().map(appstitch_types::Slug::as_str);
        if let Some(sources) = &stitched.record.sources {
            index.push(app, &sources.into(), &stitched.provenance.other_names, main);
            let token = sources.cask_catalog.as_ref().map(|cask| cask.token.clone());
            tokens.insert(app.slug.to_string(), token);
        }
    }
    let index = index.finish();
    let installed: Vec<InstalledApp> = rows.iter().map(installed).collect();
    // Our own rows, so nothing limits them.
    let mut budget = Budget::new(Limits::NONE);
    let answers = index.check_all(installed, CheckOptions { suggest: true }, &mut budget);
    let answers: Vec<CheckedApp> = answers.unwrap_or_default().into_iter().collect();
    let mut score = InventoryScore::default();
    for (row, answer) in rows.iter().zip(&answers) {
        score.add(row, answer, &tokens);
    }
    score
}

fn installed(row: &InventoryRow) -> InstalledApp {
    InstalledApp {
        host: row.host.clone(),
        name: row.name.clone(),
        bundle_id: row.bundle_id.clone(),
        short_version: row.short_version.clone(),
        build: row.build.clone(),
        path: row.path.clone(),
        team_id: row.team_id.clone(),
        origin: if row.store { InstalledFrom::Store } else { InstalledFrom::Unknown },
        ..InstalledApp::default()
    }
}

impl InventoryScore {
    fn add(
        &mut self,
        row: &InventoryRow,
        answer: &CheckedApp,
        tokens: &BTreeMap<String, Option<String>>,
    ) {
        let expected = &row.expect;
        let is_fair_slug = |slug: &String| {
            // Answers name a record by its label or by its cask.
            let token = tokens.get(slug).and_then(Option::as_ref);
            expected.slugs.contains(slug)
                || token.is_some_and(|token| expected.slugs.contains(token))
        };
        let is_none = matches!(answer.verdict, Verdict::Ignored | Verdict::System);
        let right_app = match (&answer.slug, answer.slugs.is_empty()) {
            (Some(slug), _) => is_fair_slug(slug) || (is_none && expected.slugs.is_empty()),
            (None, false) => answer.slugs.iter().any(is_fair_slug),
            (None, true) => {
                expected.slugs.is_empty()
                    || expected.verdict.iter().any(|fair| fair == answer.verdict.word())
            }
        };
        let fair_verdict = expected.verdict.iter().any(|fair| fair == answer.verdict.word());
        let class = self.classes.entry(row.class.clone()).or_default();
        class.rows += 1;
        class.right_app += usize::from(right_app);
        class.fair_verdict += usize::from(fair_verdict);
        class.false_alarms += usize::from(answer.verdict == Verdict::Outdated && !fair_verdict);
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let line = format!(
            "[{}] {} {} {} ({}): {} {} {}, newest {}, rule {}; fair: {} {}",
            row.class,
            text(&row.name),
            text(&row.bundle_id),
            text(&row.short_version),
            text(&row.build),
            answer.verdict.word(),
            answer.slug.clone().unwrap_or_else(|| answer.slugs.join("|")),
            answer.matched_by.map_or("-", appstitch_types::inventory::MatchedBy::word),
            text(&answer.newest_version),
            answer.rule.word(),
            expected.slugs.join("|"),
            expected.verdict.join("|"),
        );
        if !right_app || !fair_verdict {
            self.mistakes.push(line.clone());
        }
        self.answers.push(line);
    }

    /// Prints the figures of each class, and of all.
    pub(super) fn print(&self) {
        println!("\n| Inventory | Right app | Fair verdict | False alarms | Rows |");
        println!("|---|---:|---:|---:|---:|");
        let mut all = Class::default();
        for (name, class) in &self.classes {
            print_class(name, class);
            all.rows += class.rows;
            all.right_app += class.right_app;
            all.fair_verdict += class.fair_verdict;
            all.false_alarms += class.false_alarms;
        }
        print_class("all", &all);
    }

    /// Prints the rows with a wrong app or an unfair verdict.
    pub(super) fn print_mistakes(&self) {
        println!("\ninventory:");
        for mistake in &self.mistakes {
            println!("  {mistake}");
        }
    }

    pub(super) fn print_answers(&self) {
        for answer in &self.answers {
            println!("{answer}");
        }
    }
}

fn print_class(name: &str, class: &Class) {
    let Class { rows, right_app, fair_verdict, false_alarms } = class;
    println!("| {name} | {right_app} | {fair_verdict} | {false_alarms} | {rows} |");
}
