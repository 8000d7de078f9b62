//! Compares the catalog stitched from the real files with hand-checked answers.
//!
//! The answers are samples: a mistake found here stands for a class of mistakes.

mod answers;
mod catalog;
mod codes;
mod exports;
mod fields;
mod inventory;
mod labels;
mod patch_titles;
mod records;
mod score;
mod search;
mod team_ids;

use std::path::Path;

use appstitch_setup::real_files;

use crate::{
    real_files::{Files, stitched},
    run::Failure,
};
use answers::{Answers, InventoryRow};
use catalog::Catalog;

/// Prints the scores; with `--rows` also every answer that differs. With `--inventory`, checks the
/// installed apps of a file of the same shape and prints every answer. With `--exports`, prints only how
/// many apps fit each format. With `--searches`, prints what the queries of a file find, one on each line.
/// With `--codes`, prints every title of the patch catalog with the apps that its code leads to.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let shows_rows = match arguments {
        [] => false,
        [rows] if rows == "--rows" => true,
        [exports] if exports == "--exports" => return print_exports(),
        [inventory, file] if inventory == "--inventory" => return check_inventory(file),
        [codes] if codes == "--codes" => return codes::print_all(),
        [searches, file] if searches == "--searches" => return print_searches(file),
        _ => {
            let usage = "usage: cargo xtask truth [--rows | --codes | --exports | --inventory FILE | --searches FILE]";
            return Err(Failure(usage.to_owned()));
        }
    };
    let Some([data, truth]) = real_files(["data", "truth"]) else { return Ok(()) };
    let answers = Answers::read(&truth)?;
    let all = Catalog::stitch(&data, Files::All)?;
    let public = Catalog::stitch(&data, Files::Public)?;
    println!("| Hand-checked | Precision | Recall | Rows |\n|---|---:|---:|---:|");
    let scores = [
        ("vendor, all files", fields::vendors(&answers.vendors, &all)),
        ("vendor, casks, labels and recipes", fields::vendors(&answers.vendors, &public)),
        ("bundle id, all files", fields::bundle_ids(&answers.bundle_ids, &all)),
        ("bundle id, casks, labels and recipes", fields::bundle_ids(&answers.bundle_ids, &public)),
        ("cask of a label", fields::casks(&answers.matches, &all)),
        ("deployable labels", labels::score(&answers.labels, &all)),
    ];
    for (name, score) in &scores {
        println!(
            "| {name} | {:.3} | {:.3} | {} |",
            score.precision(),
            score.recall(),
            score.rows()
        );
    }
    let searches = search::score(&truth, all.apps())?;
    if shows_rows {
        for (name, score) in &scores {
            print_mistakes(name, score.mistakes());
        }
        print_mistakes("searches", searches.mistakes());
    }
    let team_ids = team_ids::Measure::of(&all);
    team_ids.print();
    if shows_rows {
        print_mistakes("Team IDs", team_ids.mistakes());
    }
    let with_findings = stitched(&data, Files::WithFindings)?;
    println!("\n| Judged, with findings | Precision | Recall | Rows |\n|---|---:|---:|---:|");
    for (name, score) in [
        ("fields of whole records", records::fields(&truth, &with_findings)?),
        ("drifts", records::drifts(&truth, &with_findings)?),
    ] {
        let (precision, recall, rows) = (score.precision(), score.recall(), score.rows());
        println!("| {name} | {precision:.3} | {recall:.3} | {rows} |");
        if shows_rows {
            print_mistakes(name, score.mistakes());
        }
    }
    let inventory = inventory::score(&answers.inventory, &with_findings);
    inventory.print();
    if shows_rows {
        inventory.print_mistakes();
    }
    codes::Codes::read(&data)?.print();
    print!("\n{}", searches.section());
    patch_titles::Coverage::of(&with_findings)?.print();
    println!("\n| Coverage | All files | Casks, labels and recipes |\n|---|---:|---:|");
    for ((name, all), (_, public)) in all.coverage().into_iter().zip(public.coverage()) {
        println!("| {name} | {all} | {public} |");
    }
    exports::print(&with_findings);
    Ok(())
}

fn print_exports() -> Result<(), Failure> {
    let Some([data]) = real_files(["data"]) else { return Ok(()) };
    exports::print(&stitched(&data, Files::WithFindings)?);
    Ok(())
}

fn check_inventory(file: &str) -> Result<(), Failure> {
    let Some([data]) = real_files(["data"]) else { return Ok(()) };
    let rows = InventoryRow::read_all(Path::new(file))?;
    let score = inventory::score(&rows, &stitched(&data, Files::WithFindings)?);
    score.print_answers();
    score.print();
    score.print_mistakes();
    Ok(())
}

fn print_searches(file: &str) -> Result<(), Failure> {
    let Some([data]) = real_files(["data"]) else { return Ok(()) };
    let queries = std::fs::read_to_string(file)
        .map_err(|error| Failure(format!("cannot read {file}: {error}")))?;
    search::print(queries.lines(), &stitched(&data, Files::WithFindings)?)
}

fn print_mistakes(name: &str, mistakes: &[String]) {
    println!("\n{name}:");
    for mistake in mistakes {
        println!("  {mistake}");
    }
}
