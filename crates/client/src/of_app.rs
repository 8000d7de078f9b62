//! Requests about one app, by its slug or another of its names.

use appstitch_catalog::Slug;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;

use crate::{
    Client, LabelFormat, RawResponse, ResponseError, canonical,
    transport::{ServerAnswer, decode},
};

/// What to ask about an app.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The path after the slug, such as `/drift`.
    route: &'a str,
    pairs: &'a [(&'static str, String)],
    /// The format to generate it in, for what the server does not keep.
    generate: Option<LabelFormat>,
}

impl<'a> Question<'a> {
    pub(crate) const fn get(route: &'a str, pairs: &'a [(&'static str, String)]) -> Self {
        Self { route, pairs, generate: None }
    }

    pub(crate) const fn label(format: LabelFormat) -> Self {
        Self { route: "/generate-label", pairs: &[], generate: Some(format) }
    }
}

impl Client {
    /// The answer about the app with a slug. If there is none, but the name is another one of
    /// exactly one app, the answer about that app.
    pub(crate) async fn ask_about(
        &self,
        slug: &str,
        question: Question<'_>,
    ) -> Result<Option<RawResponse>, ResponseError> {
        let Some(answer) = self.ask_once(slug, question).await? else { return Ok(None) };
        let canonical = answer.link.as_deref().filter(|_| self.follow_canonical);
        match canonical.and_then(|link| canonical::slug_in(link, question.route)) {
            None => Ok(whole(answer, None)),
            Some(canonical) => {
                tracing::debug!(name = slug, slug = %canonical, "the name belongs to another slug");
                // Not followed again: a link must not lead to a chain of requests.
                let answer = self.ask_once(canonical.as_str(), question).await?;
                Ok(answer.and_then(|answer| whole(answer, Some(canonical))))
            }
        }
    }

    /// Like [`Client::ask_about`], decoded.
    pub(crate) async fn read_about<T: DeserializeOwned>(
        &self,
        slug: &str,
        question: Question<'_>,
    ) -> Result<Option<T>, ResponseError> {
        let answer = self.ask_about(slug, question).await?;
        answer.map(|answer| decode(&answer.url, &answer.body)).transpose()
    }

    /// `None` for a slug that cannot be part of a path.
    async fn ask_once(
        &self,
        slug: &str,
        question: Question<'_>,
    ) -> Result<Option<ServerAnswer>, ResponseError> {
        let Some(slug) = path_segment(slug) else { return Ok(None) };
        let path = format!("apps/{slug}{}", question.route);
        let url = self.transport.address(&path, question.pairs)?;
        match question.generate {
            None => self.transport.get(url).await.map(Some),
            Some(format) => self.transport.post(url, format.media_type()).await.map(Some),
        }
    }
}

fn whole(answer: ServerAnswer, canonical_slug: Option<Slug>) -> Option<RawResponse> {
    let ServerAnswer { url, body, total_count, .. } = answer;
    Some(RawResponse { body: body?, total_count, canonical_slug, url })
}

/// A text as one segment of a path. `None` for an empty one and for `.` and `..`, which would
/// resolve to another path.
pub(crate) fn path_segment(text: &str) -> Option<String> {
    (!matches!(text, "" | "." | ".."))
        .then(|| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string())
}
