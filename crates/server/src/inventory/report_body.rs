//! The answer about an inventory, written while it is sent.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use appstitch_budget::{Budget, Exceeded};
use appstitch_inventory::check::{CheckedApps, CheckedInventory, CheckedRow};
use appstitch_inventory::csv;
use appstitch_types::inventory::{CheckedApp, InventoryReport, Verdict};
use appstitch_wire::{ClientShare, ResponseMemory};
use axum::{
    body::Body,
    http::{HeaderValue, Response, header},
};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame};

/// How much is written at a time.
const PIECE: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One object with totals and apps.
    Json,
    /// A table of the apps.
    Csv,
    /// One app per line.
    Lines,
}

impl Form {
    /// As clients name it.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::Lines => "application/x-ndjson",
        }
    }
}

/// A response that is not sent yet.
pub(crate) struct ReportBody {
    report: InventoryReport,
    apps: CheckedInventory,
    /// The memory of the apps. It is released before the share that it is taken from.
    budget: Budget,
    share: Arc<ClientShare>,
}

impl ReportBody {
    pub(super) fn new(
        report: InventoryReport,
        apps: CheckedInventory,
        budget: Budget,
        share: Arc<ClientShare>,
    ) -> Self {
        Self { report, apps, budget, share }
    }

    pub(crate) fn report(&self) -> &InventoryReport {
        &self.report
    }

    /// Takes the apps. They are counted as the memory of this response, which must live as long.
    pub(crate) fn take_apps(&mut self) -> Result<Vec<CheckedApp>, Exceeded> {
        let mut apps = Vec::new();
        for app in std::mem::take(&mut self.apps) {
            self.budget.hold(app.size())?;
            apps.push(app);
        }
        Ok(apps)
    }

    /// The same with only some of the apps; the totals still count all.
    pub(crate) fn only(mut self, is_wanted: impl Fn(&CheckedApp) -> bool) -> Self {
        self.apps.retain(is_wanted);
        self
    }

    /// The same with only the apps that have some verdicts; the totals still count all.
    pub(crate) fn only_verdicts(mut self, is_wanted: impl Fn(Verdict) -> bool) -> Self {
        self.apps.retain_verdicts(is_wanted);
        self
    }

    pub(crate) fn respond(self, form: Form) -> Response<Body> {
        let count = HeaderValue::from(self.apps.len());
        let kind = match form {
            Form::Csv => "text/csv; charset=utf-8",
            Form::Json | Form::Lines => form.media_type(),
        };
        let memory = ResponseMemory(self.share.pools.inventories.clone());
        let mut response = Response::new(Body::new(SentReport::new(self, form)));
        response.extensions_mut().insert(memory);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert("x-total-count", count);
        response
    }
}

/// A response that is being sent.
struct SentReport {
    report: InventoryReport,
    apps: CheckedApps,
    form: Form,
    progress: Progress,
    _budget: Budget,
    _share: Arc<ClientShare>,
}

/// What is sent next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Head,
    First,
    Next,
    End,
}

impl SentReport {
    fn new(body: ReportBody, form: Form) -> Self {
        let ReportBody { report, apps, budget, share } = body;
        let (apps, progress) = (apps.into_iter(), Progress::Head);
        Self { report, apps, form, progress, _budget: budget, _share: share }
    }

    /// The next piece; `None` at the end.
    fn piece(&mut self) -> Option<Vec<u8>> {
        if self.progress == Progress::End {
            return None;
        }
        let mut piece = Vec::with_capacity(PIECE);
        if self.progress == Progress::Head {
            self.write_head(&mut piece);
            self.progress = Progress::First;
        }
        let (form, mut progress) = (self.form, self.progress);
        while piece.len() < PIECE - PIECE / 8 {
            if !self.apps.write_next(|app| write_app(&mut piece, form, progress, app)) {
                if form == Form::Json {
                    piece.extend_from_slice(b"]}");
                }
                progress = Progress::End;
                break;
            }
            progress = Progress::Next;
        }
        self.progress = progress;
        Some(piece)
    }

    fn write_head(&self, piece: &mut Vec<u8>) {
        match self.form {
            Form::Json => {
                // The apps are its last member, and there are none in it.
                write_json(piece, &self.report);
                piece.truncate(piece.len().saturating_sub("]}".len()));
            }
            Form::Csv => piece.extend_from_slice(csv::HEADER.as_bytes()),
            Form::Lines => {}
        }
    }
}

fn write_app(piece: &mut Vec<u8>, form: Form, progress: Progress, app: CheckedRow<'_>) {
    match form {
        Form::Json => {
            if progress == Progress::Next {
                piece.push(b',');
            }
            app.write_json(piece);
        }
        Form::Csv => csv::write_row(piece, app),
        Form::Lines => {
            app.write_json(piece);
            piece.push(b'\n');
        }
    }
}

fn write_json(piece: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing to memory does not fail, and the keys are texts.
    if let Err(error) = serde_json::to_writer(piece, value) {
        tracing::error!(%error, "cannot write an answer as JSON");
    }
}

impl HttpBody for SentReport {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.piece().filter(|piece| !piece.is_empty());
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece.into()))))
    }

    fn is_end_stream(&self) -> bool {
        self.progress == Progress::End
    }
}

#[cfg(test)]
mod tests {
    use appstitch_inventory::{
        InstalledApp,
        check::{CheckOptions, InstalledIndex},
    };
    use appstitch_wire::Memory;

    use super::*;

    fn checked(count: usize) -> CheckedInventory {
        let row = |number| InstalledApp {
            name: Some(format!("App {number}")),
            path: Some(format!("/Applications/App {number}.app")),
            ..InstalledApp::default()
        };
        let rows = (0..count).map(row).collect();
        let index = InstalledIndex::default();
        index.check_all(rows, CheckOptions::default(), &mut Budget::default()).unwrap()
    }

    fn written(body: ReportBody, form: Form) -> (Vec<u8>, usize) {
        let mut body = SentReport::new(body, form);
        let (mut whole, mut pieces) = (Vec::new(), 0);
        while let Some(piece) = body.piece() {
            assert!(piece.len() <= PIECE, "{} bytes", piece.len());
            whole.extend(piece);
            pieces += 1;
        }
        (whole, pieces)
    }

    #[test]
    fn pieces_make_up_the_whole_report() {
        for count in [0, 1, 2, 1000] {
            let report = InventoryReport::new(None, checked(count).into_iter().collect());
            let body = || {
                let empty = InventoryReport { apps: Vec::new(), ..report.clone() };
                let share = Memory::new(0).of_client(None);
                ReportBody::new(empty, checked(count), Budget::default(), share)
            };
            let (json, pieces) = written(body(), Form::Json);
            assert_eq!(json, serde_json::to_vec(&report).unwrap(), "{count}");
            assert_eq!(pieces > 1, count == 1000);
            let (lines, _) = written(body(), Form::Lines);
            assert_eq!(String::from_utf8(lines).unwrap().lines().count(), count);
            let (table, _) = written(body(), Form::Csv);
            assert_eq!(String::from_utf8(table).unwrap().lines().count(), count + 1);
            let none = body().only(|app| app.name.as_deref() == Some("App 1"));
            let (lines, _) = written(none, Form::Lines);
            assert_eq!(String::from_utf8(lines).unwrap().lines().count(), usize::from(count > 1));
            let mut all = body().only_verdicts(|verdict| verdict == Verdict::Unmatched);
            assert_eq!(all.take_apps().unwrap(), report.apps);
        }
    }
}
