//! The report of an archive: a table with a line for each app.

/// The name of the report in an archive.
pub const REPORT: &str = "REPORT.csv";

const HEAD: &str = "slug,name,version,file,reasons,warnings,codes\n";

/// What a report says about an app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportLine {
    pub slug: String,
    /// The name of its file; `None` if it has none.
    pub file: Option<String>,
    /// Why it has none, for people.
    pub reasons: String,
    /// The same for programs: [`Reason::code`](crate::Reason::code).
    pub codes: Vec<String>,
}

/// A report in the middle of being written.
pub(crate) struct Report(String);

impl Report {
    pub(crate) fn new() -> Self {
        Self(HEAD.to_owned())
    }

    /// Adds the cells of a line in the order of the columns.
    pub(crate) fn push(&mut self, cells: [&str; 7]) {
        self.0.push_str(&cells.map(cell).join(","));
        self.0.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// Reads a report. Further columns, which a newer server may add, do not matter.
pub fn read_report(text: &str) -> Vec<ReportLine> {
    let lines = rows(text).into_iter().skip(1).filter_map(|cells| {
        let mut cells = cells.into_iter();
        let (slug, file) = (cells.next()?, cells.nth(2)?);
        let reasons = cells.next()?;
        let codes = cells.nth(1).unwrap_or_default();
        let codes = codes.split_whitespace().map(str::to_owned).collect();
        Some(ReportLine { slug, file: Some(file).filter(|file| !file.is_empty()), reasons, codes })
    });
    lines.collect()
}

/// A cell of a table. Spreadsheets must not take a value for a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// The cells of each line, without their quotes.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let mut report = Report::new();
        report.push(["sample", "A, \"B\"\nC", "1.0", "sample.plist", "", "", ""]);
        let reasons = "no source has a version of the app; the version '1,2' has a comma";
        report.push(["other", "=1+1", "", "", reasons, "", "no_version odd_version"]);
        let text = report.into_text();
        assert!(
            text.ends_with(&format!("\nother,'=1+1,,,\"{reasons}\",,no_version odd_version\n"))
        );
        let [fits, other] = &read_report(&text)[..] else { panic!("two lines: {text}") };
        assert_eq!((&*fits.slug, fits.file.as_deref()), ("sample", Some("sample.plist")));
        assert_eq!((fits.reasons.as_str(), &fits.codes[..]), ("", &[][..]));
        assert_eq!((&*other.slug, other.file.as_deref()), ("other", None));
        assert_eq!((other.reasons.as_str(), other.codes.len()), (reasons, 2));
    }
}
