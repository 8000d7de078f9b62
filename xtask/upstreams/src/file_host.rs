//! A host of files, such as the ones of labels, casks and recipes.

use std::{
    collections::{HashMap, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
    io,
    sync::{Arc, Mutex},
};

use crate::{Delivery, Reply, Request, TestHost, state::locked};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Etag {
    Strong,
    Weak,
    /// The file has a date instead.
    None,
}

/// What happens to one request for a file.
#[derive(Debug, Clone)]
pub enum Fault {
    /// A status instead of the file, with these headers.
    Status(u16, Vec<(String, String)>),
    Delivered(Delivery),
}

impl Fault {
    pub fn status(status: u16, headers: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self::Status(status, headers.iter().map(owned).collect())
    }
}

#[derive(Debug, Clone)]
pub struct HostedFile {
    pub body: Vec<u8>,
    pub etag: Etag,
    /// How it arrives if nothing goes wrong.
    pub delivery: Delivery,
    /// Whether it is compressed on the way.
    pub is_encoded: bool,
    /// What goes wrong with the next requests.
    pub faults: VecDeque<Fault>,
}

impl HostedFile {
    pub fn new(body: impl Into<Vec<u8>>) -> Self {
        Self {
            body: body.into(),
            etag: Etag::Strong,
            delivery: Delivery::Whole,
            is_encoded: false,
            faults: VecDeque::new(),
        }
    }
}

#[derive(Debug)]
pub struct FileHost {
    pub host: TestHost,
    files: Arc<Mutex<HashMap<String, HostedFile>>>,
}

impl FileHost {
    pub fn start() -> io::Result<Self> {
        let files: Arc<Mutex<HashMap<String, HostedFile>>> = Arc::default();
        let served = Arc::clone(&files);
        let host = TestHost::start(move |request| {
            locked(&served)
                .get_mut(request.path())
                .map_or_else(|| Reply::new(404, ""), |file| answer(request, file))
        })?;
        Ok(Self { host, files })
    }

    /// Serves a file at a path from now on. Returns its address.
    pub fn serve(&self, path: &str, file: HostedFile) -> String {
        locked(&self.files).insert(path.to_owned(), file);
        format!("{}{path}", self.host.base())
    }

    /// Serves a redirect to a path of the same server under another host name. Returns its address.
    pub fn redirect(&self, path: &str, to: &str) -> String {
        let target = format!("{}{to}", self.host.other_base());
        let fault = Fault::status(302, &[("location", &target)]);
        // It is asked as often as anybody likes.
        let faults = std::iter::repeat_n(fault, 1000).collect();
        self.serve(path, HostedFile { faults, ..HostedFile::new("") })
    }

    /// Changes a file. Does nothing if there is none at the path.
    pub fn change(&self, path: &str, change: impl FnOnce(&mut HostedFile)) {
        if let Some(file) = locked(&self.files).get_mut(path) {
            change(file);
        }
    }
}

fn answer(request: &Request, file: &mut HostedFile) -> Reply {
    let mut delivery = file.delivery;
    match file.faults.pop_front() {
        Some(Fault::Status(status, headers)) => {
            return Reply { headers, ..Reply::new(status, "") };
        }
        Some(Fault::Delivered(way)) => delivery = way,
        None => {}
    }
    let mut hasher = DefaultHasher::new();
    file.body.hash(&mut hasher);
    let sum = hasher.finish();
    let (name, value, condition) = match file.etag {
        Etag::Strong => ("etag", format!("\"{sum:x}\""), "if-none-match"),
        Etag::Weak => ("etag", format!("W/\"{sum:x}\""), "if-none-match"),
        Etag::None => {
            let time = format!("Thu, 05 Mar 2026 06:{:02}:{:02} GMT", sum % 60, sum / 60 % 60);
            ("last-modified", time, "if-modified-since")
        }
    };
    if request.header(condition) == Some(&value) {
        return Reply::new(304, "").with(name, &value);
    }
    let reply = Reply::new(200, file.body.clone()).with(name, &value).delivered(delivery);
    if file.is_encoded { reply.encoded() } else { reply }
}
