//! Where the list of installed apps comes from: a file, standard input, or this Mac.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, anyhow};
use appstitch_inventory::MAX_UNPACKED_BYTES;

use crate::exit::Failure;

const PROFILER: [&str; 3] = ["system_profiler", "SPApplicationsDataType", "-json"];

const HINT: &str = "name a file, or pipe a list: system_profiler SPApplicationsDataType -json | \
                    appstitch outdated -";

pub(super) async fn read(file: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let origin = Origin::of(file)?;
    // Reading may take long, and a Mac takes seconds to list its apps.
    let reading = tokio::task::spawn_blocking(move || origin.read());
    reading.await.map_err(|_| Failure::unreachable(anyhow!("cannot read the list")))?
}

enum Origin {
    File(std::path::PathBuf),
    Input,
    ThisMac,
}

impl Origin {
    fn of(file: Option<&Path>) -> Result<Self, Failure> {
        match file {
            Some(file) if file == Path::new("-") => Ok(Self::Input),
            Some(file) => Ok(Self::File(file.to_owned())),
            None if cfg!(target_os = "macos") => Ok(Self::ThisMac),
            None if io::stdin().is_terminal() => {
                let why = "no list of installed apps; only a Mac can be asked for its own";
                Err(Failure::wrong_use(anyhow!(why)).hint(HINT))
            }
            None => Ok(Self::Input),
        }
    }

    fn read(self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::File(file) => {
                let name = file.display().to_string();
                let bytes = File::open(&file).and_then(limited);
                bytes.with_context(|| format!("cannot read {name}")).map_err(Failure::wrong_use)
            }
            Self::Input => {
                let bytes = limited(io::stdin().lock());
                let bytes = bytes.context("cannot read standard input");
                bytes.map_err(Failure::wrong_use)
            }
            Self::ThisMac => ask_this_mac(),
        }
    }
}

/// Reads at most what can be checked, and one byte more, so that too much is rejected as such.
fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_UNPACKED_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn ask_this_mac() -> Result<Vec<u8>, Failure> {
    let [program, arguments @ ..] = PROFILER;
    let asked = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    let asked = asked.with_context(|| format!("cannot run {program}")).map_err(Failure::no)?;
    if asked.status.success() {
        return Ok(asked.stdout);
    }
    let said = String::from_utf8_lossy(&asked.stderr).trim().to_owned();
    Err(Failure::no(anyhow!("{program} failed: {said}")))
}
