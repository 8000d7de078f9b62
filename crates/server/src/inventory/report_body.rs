//! The answer about an inventory, written while it is sent.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    vec,
};

use appstitch_budget::Budget;
use appstitch_catalog::inventory::{CheckedApp, InventoryReport};
use appstitch_inventory::csv;
use axum::{
    body::Body,
    http::{HeaderValue, Response, header},
};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame};

use crate::memory::MessageShare;

/// How much is written at a time.
const PIECE: usize = 64 << 10;

/// The form of an answer.
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

/// An answer that is not sent yet.
pub(crate) struct ReportBody {
    /// Everything but the apps.
    report: InventoryReport,
    apps: vec::IntoIter<CheckedApp>,
    form: Form,
    place: Place,
    /// The memory of the apps. It is released before the share that it is taken from.
    _budget: Budget,
    _share: Arc<MessageShare>,
}

/// What is sent next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Head,
    First,
    Next,
    End,
}

impl ReportBody {
    pub(super) fn new(
        mut report: InventoryReport,
        budget: Budget,
        share: Arc<MessageShare>,
    ) -> Self {
        let apps = std::mem::take(&mut report.apps).into_iter();
        let (form, place) = (Form::Json, Place::Head);
        Self { report, apps, form, place, _budget: budget, _share: share }
    }

    /// Everything but the apps.
    pub(crate) fn report(&self) -> &InventoryReport {
        &self.report
    }

    /// The apps.
    pub(crate) fn apps(&self) -> &[CheckedApp] {
        self.apps.as_slice()
    }

    /// The same with only some of the apps; the totals still count all.
    pub(crate) fn only(mut self, is_wanted: impl Fn(&CheckedApp) -> bool) -> Self {
        let mut apps: Vec<CheckedApp> = self.apps.collect();
        apps.retain(is_wanted);
        self.apps = apps.into_iter();
        self
    }

    pub(crate) fn respond(self, form: Form) -> Response<Body> {
        let count = HeaderValue::from(self.apps.len());
        let kind = match form {
            Form::Csv => "text/csv; charset=utf-8",
            Form::Json | Form::Lines => form.media_type(),
        };
        let mut response = Response::new(Body::new(Self { form, ..self }));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert("x-total-count", count);
        response
    }

    /// The next piece; `None` at the end.
    fn piece(&mut self) -> Option<Vec<u8>> {
        if self.place == Place::End {
            return None;
        }
        let mut piece = Vec::with_capacity(PIECE);
        if self.place == Place::Head {
            self.write_head(&mut piece);
            self.place = Place::First;
        }
        while piece.len() < PIECE - PIECE / 8 {
            let Some(app) = self.apps.next() else {
                if self.form == Form::Json {
                    piece.extend_from_slice(b"]}");
                }
                self.place = Place::End;
                break;
            };
            self.write_app(&mut piece, &app);
            self.place = Place::Next;
        }
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

    fn write_app(&self, piece: &mut Vec<u8>, app: &CheckedApp) {
        match self.form {
            Form::Json => {
                if self.place == Place::Next {
                    piece.push(b',');
                }
                write_json(piece, app);
            }
            Form::Csv => csv::write_row(piece, app),
            Form::Lines => {
                write_json(piece, app);
                piece.push(b'\n');
            }
        }
    }
}

fn write_json(piece: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing to memory does not fail, and the keys are texts.
    if let Err(error) = serde_json::to_writer(piece, value) {
        tracing::error!(%error, "cannot write an answer as JSON");
    }
}

impl HttpBody for ReportBody {
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
        self.place == Place::End
    }
}

#[cfg(test)]
mod tests {
    use appstitch_catalog::inventory::{CheckRule, Verdict};

    use super::*;
    use crate::memory::Memory;

    fn app(number: usize) -> CheckedApp {
        CheckedApp {
            host: None,
            name: Some(format!("App {number}")),
            bundle_id: None,
            path: None,
            verdict: Verdict::Unmatched,
            slug: None,
            slugs: Vec::new(),
            installed_version: None,
            newest_version: None,
            download_url: None,
            matched_by: None,
            confidence: None,
            rule: CheckRule::UnknownName,
            did_you_mean: Vec::new(),
        }
    }

    fn written(report: InventoryReport, form: Form) -> (Vec<u8>, usize) {
        let share = Memory::new(0).messages_of(None);
        let mut body = ReportBody { form, ..ReportBody::new(report, Budget::default(), share) };
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
            let report = InventoryReport::new(None, (0..count).map(app).collect());
            let (json, pieces) = written(report.clone(), Form::Json);
            assert_eq!(json, serde_json::to_vec(&report).unwrap(), "{count}");
            assert_eq!(pieces > 1, count == 1000);
            let (lines, _) = written(report.clone(), Form::Lines);
            assert_eq!(String::from_utf8(lines).unwrap().lines().count(), count);
            let (table, _) = written(report, Form::Csv);
            assert_eq!(String::from_utf8(table).unwrap().lines().count(), count + 1);
        }
    }
}
