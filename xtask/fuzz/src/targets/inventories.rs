//! Lists of installed apps, in any format.

use appstitch_budget::Budget;
use appstitch_catalog::InstalledApp;
use appstitch_hostile::Chance;
use appstitch_inventory::{Inventory, InventoryError, LIMITS};

use super::made_up_json::Vocabulary;
use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 512,
    ..TargetEntry::new("inventories", "lists of installed apps", || Ok(Box::new(Inventories)))
};

const DICTIONARY: &[&str] = &[
    "{\"SPApplicationsDataType\":[{\"_name\":\"",
    "\"results\":[{\"id\":\"1\",\"applications\":[{\"name\":\"",
    "\"bundleId\":\"com.example.a\"",
    "\"software\":[{\"source\":\"apps\",\"name\":\"",
    "\"installed_versions\":[{\"version\":\"1\"",
    "\"columns\":{\"bundle_identifier\":\"",
    "\"action\":\"removed\"",
    "\"casks\":[{\"token\":\"a\",\"installed\":\"1\"",
    "\"signed_by\":[\"Developer ID Application: A (ABCDE12345)\"",
    "\"general\":{\"name\":\"",
    "\"platform\":\"macOS\"",
    "<plist><array><dict><key>name</key><string>",
    "</string></dict></array></plist>",
    "<!DOCTYPE plist [<!ENTITY a \"b\">]>",
    "<![CDATA[",
    "&#x41;",
    "&amp;",
    "bplist00",
    "name,bundle_id,version\n",
    "Application Title;Version\r\n",
    "sep=;\n",
    "\"\"",
    "497799835  Xcode  (26.1)\n",
    "firefox 1.2\n",
    "\u{feff}",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "name",
        "bundle_id",
        "bundle_identifier",
        "version",
        "rows",
        "results",
        "applications",
        "software",
        "installed_versions",
        "columns",
        "casks",
        "token",
        "installed",
        "host",
        "general",
        "signature_information",
        "team_identifier",
        "platform",
        "source",
        "action",
        "_items",
        "_dataType",
    ],
    texts: &["Sample.app", "com.example.sample", "1.2", "apps", "windows", "removed", "N/A", ""],
};

struct Inventories;

impl Target for Inventories {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let result = read(input);
        match &result {
            Ok(inventory) => {
                for app in &inventory.apps {
                    check_app(app)?;
                }
                let rows = inventory.apps.len() as u64;
                ensure(rows <= LIMITS.rows, || format!("{rows} rows"))?;
            }
            Err(error) => {
                let message = error.to_string();
                let is_fit = message.len() < 1500 && !message.chars().any(char::is_control);
                ensure(is_fit, || format!("the message is unfit: {message:?}"))?;
            }
        }
        if is_one_in(8, input) {
            check_encoding(input, &result)?;
        }
        Ok(())
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let rows: Vec<String> = (0..=chance.below(3)).map(|_| WORDS.object(chance, 2)).collect();
        let key = chance.pick(WORDS.keys);
        Some(format!("{{\"{key}\":[{}]}}", rows.join(",")).into_bytes())
    }
}

fn read(input: &[u8]) -> Result<Inventory, InventoryError> {
    appstitch_inventory::read(input, &mut Budget::new(LIMITS))
}

fn check_app(app: &InstalledApp) -> Result<(), String> {
    let texts = [&app.name, &app.token, &app.bundle_id, &app.short_version, &app.build, &app.path];
    for text in texts.into_iter().flatten().chain(&app.other_names) {
        let is_fit = !text.is_empty() && text.len() <= 1024 && text.trim() == text;
        ensure(is_fit, || format!("the text is unfit: {text:?}"))?;
    }
    Ok(())
}

/// A text is read the same in UTF-16.
fn check_encoding(input: &[u8], result: &Result<Inventory, InventoryError>) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
    let is_other = text.starts_with("bplist00")
        || text.starts_with('\u{feff}')
        || text.bytes().take(2).any(|byte| byte == 0);
    if is_other {
        return Ok(());
    }
    let marked = std::iter::once(0xfeff).chain(text.encode_utf16());
    let bytes: Vec<u8> = marked.flat_map(u16::to_le_bytes).collect();
    ensure(read(&bytes) == *result, || "it is read differently in UTF-16".to_owned())
}
