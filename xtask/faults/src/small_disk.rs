//! A small disk that can be filled.
//!
//! With the right to mount, it is a tmpfs in a mount namespace of its own, which ends with the process
//! that holds it, however that ends. Otherwise a limit of the size of files takes its place.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Resource, Rlimit, prlimit};

use crate::{Finding, replica::Replica};

const SIZE: &str = "size=8m,mode=0777";

/// Mounts the disk, tells so, and waits until its input ends.
const HOLD: &str = r#"mount -t tmpfs -o "$1" appstitch-faults "$2" && echo mounted && cat"#;

pub(crate) enum SmallDisk {
    Mounted {
        holder: Child,
        folder: PathBuf,
    },
    /// The limit of a file's size while the disk is to be full.
    Limited {
        folder: PathBuf,
    },
}

impl SmallDisk {
    /// Mounts a disk at a folder, if that is allowed.
    pub(crate) fn at(folder: &Path) -> Self {
        let folder = folder.to_owned();
        match mount(&folder) {
            Ok(holder) => Self::Mounted { holder, folder },
            Err(_) => Self::Limited { folder },
        }
    }

    pub(crate) fn is_mounted(&self) -> bool {
        matches!(self, Self::Mounted { .. })
    }

    /// The command that runs a program that sees the disk.
    pub(crate) fn command(&self, program: &Path) -> Vec<String> {
        let program = program.display().to_string();
        match self {
            Self::Mounted { holder, .. } => {
                let target = format!("--target={}", holder.id());
                vec!["nsenter".to_owned(), target, "--mount".to_owned(), "--".to_owned(), program]
            }
            Self::Limited { .. } => vec![program],
        }
    }

    /// Fills the disk, except for some bytes.
    pub(crate) fn fill(&self, server: &Replica, free: usize) -> Result<(), Finding> {
        match self {
            Self::Mounted { .. } => fill(&self.filler(), free),
            Self::Limited { folder } => {
                let used = fs::metadata(folder.join("catalog.db-wal")).map(|file| file.len());
                let most = used.unwrap_or_default() + u64::try_from(free).unwrap_or_default();
                limit(server, Some(most))
            }
        }
    }

    /// Makes room again.
    pub(crate) fn clear(&self, server: &Replica) -> Result<(), Finding> {
        match self {
            Self::Mounted { .. } => Ok(fs::remove_file(self.filler())?),
            Self::Limited { .. } => limit(server, None),
        }
    }

    /// A file that takes the room, seen from outside of the namespace.
    fn filler(&self) -> PathBuf {
        let (Self::Limited { folder } | Self::Mounted { folder, .. }) = self;
        let inside = folder.strip_prefix("/").unwrap_or(folder).join("filler");
        match self {
            Self::Mounted { holder, .. } => {
                Path::new(&format!("/proc/{}/root", holder.id())).join(inside)
            }
            Self::Limited { .. } => folder.join("filler"),
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if let Self::Mounted { holder, .. } = self {
            drop(holder.stdin.take());
            let _ = holder.wait();
        }
    }
}

/// Mounts the disk. It ends with the returned process.
fn mount(folder: &Path) -> io::Result<Child> {
    let mut holder = Command::new("unshare")
        .args(["--mount", "--", "sh", "-c", HOLD, "sh", SIZE])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut line = String::new();
    if let Some(output) = holder.stdout.take() {
        BufReader::new(output).read_line(&mut line)?;
    }
    if line.trim() == "mounted" {
        return Ok(holder);
    }
    holder.wait()?;
    Err(io::Error::from(io::ErrorKind::PermissionDenied))
}

/// Writes until there is no room, and then gives some bytes back.
fn fill(filler: &Path, free: usize) -> Result<(), Finding> {
    let mut file = File::create(filler)?;
    for size in [1 << 16, 1 << 12] {
        let bytes = vec![0; size];
        while file.write_all(&bytes).is_ok() {}
    }
    let length = file.metadata()?.len();
    file.set_len(length.saturating_sub(u64::try_from(free).unwrap_or_default()))?;
    Ok(())
}

/// Sets the limit of the size of a server's files.
fn limit(server: &Replica, most: Option<u64>) -> Result<(), Finding> {
    let process = server.process().and_then(|process| i32::try_from(process).ok());
    let process = process.and_then(Pid::from_raw);
    let limit = Rlimit { current: most, maximum: None };
    prlimit(process, Resource::Fsize, limit).map_err(io::Error::from)?;
    Ok(())
}
