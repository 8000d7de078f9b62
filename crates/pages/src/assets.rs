//! The stylesheet, the script and the icon. Their names contain a hash of their content, so that a
//! browser may keep them forever and still gets a new one at once.

use std::sync::LazyLock;

use ring::digest::{SHA256, digest};

#[derive(Debug)]
pub struct Asset {
    pub name: String,
    pub text: &'static str,
}

#[derive(Debug)]
pub struct Assets {
    pub style: Asset,
    /// The script, which every page works without.
    pub script: Asset,
}

static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets {
    style: Asset::new("style", "css", include_str!("../assets/style.css")),
    script: Asset::new("script", "js", include_str!("../assets/script.js")),
});

impl Assets {
    pub fn get() -> &'static Self {
        &ASSETS
    }
}

impl Asset {
    fn new(stem: &str, ending: &str, text: &'static str) -> Self {
        let hash = hexadecimal(&digest(&SHA256, text.as_bytes()).as_ref()[..6]);
        Self { name: format!("{stem}.{hash}.{ending}"), text }
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
