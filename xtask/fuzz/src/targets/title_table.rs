//! The public table of installer titles, which is HTML.

use appstitch_hostile::Chance;
use appstitch_sources::Upstream;

use super::upstream_files::UpstreamFiles;
use crate::target::TargetEntry;

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    smoke_runs: 300,
    ..TargetEntry::new("title_table", || UpstreamFiles::target(Upstream::MdmInstaller, generate))
};

const DICTIONARY: &[&str] = &[
    "<table>",
    "<tr>",
    "<td headers=\"e__entry__1\">",
    "<td headers=\"e__entry__2\">",
    "<td headers='x__3'>",
    "</td>",
    "</tr>",
    "</table>",
    "<tbody>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<!DOCTYPE html>",
    "<template>",
    "<select>",
    "<svg>",
    "<math>",
    "<script>",
    "</script>",
    "<style>",
    "<title>",
    "<p>",
    "<b>",
    "<i>",
    "<a>",
    "<nobr>",
    "<frameset>",
    "<plaintext>",
    "<form>",
    "&amp;",
    "&#0;",
    "&#x10FFFF;",
    "&notit;",
    "--",
    "Sample App",
    "Jamf",
    "External",
];

fn generate(chance: &mut Chance) -> String {
    let mut text = "<table>".to_owned();
    for _ in 0..=chance.below(4) {
        text.push_str("<tr>");
        for column in 1..=chance.below(5) {
            let value = chance.pick(&["Sample App", "Jamf", "--", "", "a <b>c", "x&lt;y", " \n "]);
            text.extend(["<td headers=\"e__", &column.to_string(), "\">", value, "</td>"]);
        }
        if chance.once_in(4) {
            text.push_str(chance.pick(DICTIONARY));
        }
    }
    text
}
