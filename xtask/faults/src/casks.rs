//! Writes a small file of a source, each time with another number in every entry.

use appstitch_hostile::Chance;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    Finding,
    model::Possible,
    observed::{ALL_APPS, CASK, Observed, TOGETHER},
    run::{Run, milliseconds},
    tally::UploadResult,
    upload::Upload,
};

/// Writes until the run ends. Returns which numbers the file may have.
pub(crate) async fn write_casks(
    run: &Run,
    mut chance: Chance,
) -> Result<Possible<Option<u64>>, Finding> {
    let mut possible = Possible::only(None);
    let mut number = 0;
    while !run.is_ending() {
        let replica = run.any_writable(&mut chance);
        number += 1;
        let upload = Upload {
            method: Method::PUT,
            path: "/admin/sources/cask_catalog".to_owned(),
            body: file(number),
        };
        let (result, is_calm) = upload.send(&run.client, replica, &run.tally).await?;
        if result == UploadResult::NotFound {
            return Err(Finding::new("the source cask_catalog is not found"));
        }
        possible.after(result, |_| Some(number));
        let before = replica.calm();
        if let Some(base) = replica.base()
            && result == UploadResult::Acknowledged
            && is_calm
        {
            let response = run.client.get(&base, ALL_APPS).await;
            if before.is_some() && replica.calm() == before {
                possible.observe(&Observed::of_all(&response?)?.casks)?;
            }
        }
        run.rest(milliseconds(&mut chance, 0, 120)).await;
    }
    Ok(possible)
}

fn file(number: u64) -> String {
    let entries = (0..TOGETHER).map(|position| {
        json!({
            "token": format!("{CASK}{position}"), "name": [format!("Cask {position}")],
            "version": number.to_string(), "artifacts": [{"app": [format!("Cask {position}.app")]}],
        })
    });
    entries.collect::<Value>().to_string()
}
