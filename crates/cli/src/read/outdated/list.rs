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

const HINT: &str = "on the Mac, run `system_profiler SPApplicationsDataType -json > apps.json`, then here \
                    `appstitch outdated apps.json`; --help lists what else can be read";

pub(super) async fn read(file: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let origin = Origin::of(file)?;
    // Reading may take long, and a Mac takes seconds to list its apps.
    let reading = tokio::task::spawn_blocking(move || origin.read());
    reading.await.map_err(|_| Failure::unreachable(anyhow!("cannot read the list")))?
}

enum Origin {
    File(std::path::PathBuf),
    /// Standard input, as the user said.
    Input,
    /// Whatever standard input is, because there is no file.
    Rest,
    ThisMac,
}

impl Origin {
    fn of(file: Option<&Path>) -> Result<Self, Failure> {
        match file {
            Some(file) if file == Path::new("-") => Ok(Self::Input),
            Some(file) => Ok(Self::File(file.to_owned())),
            None if cfg!(target_os = "macos") => Ok(Self::ThisMac),
            None if io::stdin().is_terminal() => Err(no_list()),
            None => Ok(Self::Rest),
        }
    }

    fn read(self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::File(file) => {
                let name = file.display().to_string();
                let bytes = File::open(&file).and_then(limited);
                bytes.with_context(|| format!("cannot read {name}")).map_err(Failure::wrong_use)
            }
            Self::Input => read_input(),
            Self::Rest => match read_input()? {
                nothing if nothing.is_empty() => Err(no_list()),
                list => Ok(list),
            },
            Self::ThisMac => ask_this_mac(),
        }
    }
}

fn no_list() -> Failure {
    let why =
        "no list of installed apps: name a file; without one, this command works only on a Mac";
    Failure::wrong_use(anyhow!(why)).hint(HINT)
}

fn read_input() -> Result<Vec<u8>, Failure> {
    limited(io::stdin().lock()).context("cannot read standard input").map_err(Failure::wrong_use)
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
