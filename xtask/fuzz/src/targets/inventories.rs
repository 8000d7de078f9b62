//! Lists of installed apps, in any format.

mod made_up;
mod property_lists;

use appstitch_budget::Budget;
use appstitch_hostile::Chance;
use appstitch_inventory::InstalledApp;
use appstitch_inventory::{Inventory, InventoryError, LIMITS};
use serde_json::Value;

use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 1024,
    ..TargetEntry::new("inventories", || Ok(Box::new(Inventories)))
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
            check_property_lists(input)?;
        }
        Ok(())
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        Some(made_up::file(chance))
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

/// JSON is read the same as a property list.
fn check_property_lists(input: &[u8]) -> Result<(), String> {
    let Ok(value) = serde_json::from_slice::<Value>(input) else { return Ok(()) };
    if !property_lists::can_hold(&value) || !(value.is_array() || value.is_object()) {
        return Ok(());
    }
    // Of a key that is there twice, one is left.
    let json = read(value.to_string().as_bytes()).ok();
    let xml = read(property_lists::xml(&value).as_bytes()).ok();
    ensure(xml == json, || format!("XML is read like JSON: {xml:?}, {json:?}"))?;
    let binary = read(&property_lists::binary(&value)).ok();
    ensure(binary == json, || format!("a binary file is read like JSON: {binary:?}, {json:?}"))
}
