//! Packs the scripts and styles of `/docs` and `/redoc`. The crates that have them are needed only
//! here: linked into the binary, they would add files that nobody asks for, none of them compressed.

use std::{
    env,
    error::Error,
    fs,
    io::{Cursor, Read, Write},
    path::Path,
};

use aide::redoc::Redoc;
use flate2::{Compression, write::GzEncoder};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

/// The files of Swagger UI that the page `/docs` loads.
const PAGE_FILES: [&str; 3] = ["favicon-32x32.png", "swagger-ui-bundle.js", "swagger-ui.css"];

/// Where the interface is described.
const DESCRIPTION: &str = "/openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").ok_or("cargo sets no OUT_DIR")?;
    let folder = Path::new(&folder);
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    for name in PAGE_FILES {
        let is_it = |path: &String| path.ends_with(&format!("/dist/{name}"));
        let path = archive.file_names().flatten().map(String::from).find(is_it);
        let path = path.ok_or_else(|| format!("Swagger UI has no file {name}"))?;
        let mut file = Vec::new();
        archive.by_name(&path)?.read_to_end(&mut file)?;
        pack(folder, name, &file)?;
    }
    pack(folder, "redoc.html", reference()?.as_bytes())
}

/// The logo that the bundled script loads from its maker.
const LOGO: &str = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/// The page to read, for phones as well, and without requests to other hosts.
fn reference() -> Result<String, String> {
    let mut page = Redoc::new(DESCRIPTION).with_title("appstitch").html();
    for (found, replaced) in [
        (
            "<meta charset=\"UTF-8\">",
            "<meta charset=\"UTF-8\">\n    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        ),
        (LOGO, "data:,"),
    ] {
        if !page.contains(found) {
            return Err(format!("Redoc's page has no {found}"));
        }
        page = page.replace(found, replaced);
    }
    Ok(page)
}

/// Writes a file compressed. The same bytes give the same file.
fn pack(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    fs::write(folder.join(format!("{name}.gz")), encoder.finish()?)?;
    Ok(())
}
