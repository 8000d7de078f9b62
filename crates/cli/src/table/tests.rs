//! Tables in windows of every width.

use super::*;

const SLUG: &str = "a-rather-long-slug-of-an-app";
const NAME: &str = "An Application With A Rather Long Name That Nobody Can Remember";
const VERSION: &str = "2026.03.05-beta+build.12345";

fn table(window: Option<usize>) -> Table {
    let mut table = Look { window, colors: false }.table([
        Column::whole("SLUG"),
        Column::cut("NAME"),
        Column::optional("VENDOR", 2),
        Column::whole("VERSION"),
        Column::optional("SOURCES", 1),
    ]);
    let row = [SLUG, NAME, "A Vendor", VERSION, "label_tool cask_catalog"];
    table.add_row(row.map(|text| cell(Some(text))));
    table
}

fn rendered(table: &Table) -> String {
    let widths = table.widths();
    let shown = table.shown(&widths);
    table.render(&shown, table.name_width(&shown, &widths))
}

#[test]
fn no_window_splits_a_value_or_loses_the_important_columns() {
    for width in 1..250 {
        let text = rendered(&table(Some(width)));
        assert_eq!(text.lines().count(), 2, "one line per row at {width}:\n{text}");
        for whole in [SLUG, VERSION] {
            assert!(text.contains(whole), "'{whole}' at {width}:\n{text}");
        }
        assert!(text.contains("An App"), "the start of the name at {width}:\n{text}");
        // Slug, version and a short name take this much.
        if width >= SLUG.len() + VERSION.len() + SHORTEST_NAME + 6 {
            let longest = text.lines().map(UnicodeWidthStr::width).max().unwrap();
            assert!(longest <= width, "{longest} at {width}:\n{text}");
        }
    }
}

#[test]
fn columns_go_in_the_order_of_their_importance_and_names_are_cut_last() {
    let headings = |width| {
        let text = rendered(&table(Some(width)));
        let headings: Vec<String> =
            text.lines().next().unwrap().split_whitespace().map(str::to_owned).collect();
        (headings.join(" "), text.contains('…'))
    };
    assert_eq!(headings(200), ("SLUG NAME VENDOR VERSION SOURCES".to_owned(), false));
    assert_eq!(headings(140), ("SLUG NAME VENDOR VERSION".to_owned(), false));
    assert_eq!(headings(125), ("SLUG NAME VERSION".to_owned(), false));
    assert_eq!(headings(100), ("SLUG NAME VERSION".to_owned(), true));
}

#[test]
fn wide_characters_count_as_two() {
    assert_eq!(cut("微信输入法", 10), "微信输入法");
    assert_eq!(cut("微信输入法", 9), "微信输入…");
    assert_eq!(cut("微信输入法", 8), "微信输…");
    assert_eq!(cut("A B C", 3), "A…");
}

#[test]
fn elsewhere_a_row_is_one_line_and_nothing_controls_the_terminal() {
    let mut table = Look { window: None, colors: false }.table([Column::cut("NAME")]);
    table.add_row([cell(Some(&"long ".repeat(100)))]);
    table.add_row([cell(Some("a\u{1b}[2Jb\nc"))]);
    let text = rendered(&table);
    assert_eq!(text.lines().count(), 3);
    assert!(!text.contains('\u{1b}') && !text.contains('…'));
}
