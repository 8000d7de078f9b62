//! Tests of the rows that a change writes and of the documents that are stitched afterwards.

use appstitch_sources as sources;

use super::*;

const ADDRESS: &str = "https://example.com/cask.json";
const MIRROR: &str = "https://mirror.example.com/cask.json";

fn document(origin: &str, key: &str, body: &str) -> Document {
    Document {
        source: "cask_catalog".into(),
        origin: origin.into(),
        key: key.into(),
        body: body.to_owned().into(),
    }
}

fn file(origin: &str, keys: &[&str], replaces: Option<&'static str>) -> SourceUpload {
    let entries = keys
        .iter()
        .map(|key| sources::UpstreamEntry { key: (*key).to_owned(), body: "1".into() })
        .collect();
    let origin = origin.to_owned();
    let validators = appstitch_network::Validators::default();
    SourceUpload { source: "cask_catalog", origin, entries, rejected: 0, replaces, validators }
}

fn staying_at_mirror(source: &'static str) -> StayingOrigin {
    StayingOrigin { source, origin: MIRROR.to_owned(), is_current: true }
}

fn stored(mut documents: Vec<Document>) -> Contents {
    documents.sort_by(|left, right| name(left).cmp(&name(right)));
    Contents { documents, ..Contents::default() }
}

fn contents() -> Contents {
    let mut documents: Vec<Document> =
        ["a", "b", "c", "d", "e", "f"].iter().map(|key| document(ADDRESS, key, "1")).collect();
    documents.push(Document { source: "recipe_index".into(), ..document(ADDRESS, "a", "other") });
    stored(documents)
}

fn work_out<'a>(contents: &'a Contents, uploads: &'a [SourceUpload]) -> DocumentRows<'a> {
    DocumentRows::work_out(contents, uploads, &[], false).unwrap()
}

fn keys(rows: &DocumentRows<'_>) -> Vec<String> {
    let casks = rows.after.iter().filter(|document| document.source == "cask_catalog");
    casks.map(|document| document.key.to_owned()).collect()
}

#[test]
fn only_rows_that_differ_are_written() {
    let contents = contents();
    let mut new = file(ADDRESS, &["a", "b", "c", "d", "e", "f"], Some(""));
    new.entries[2].body = "2".into();
    let uploads = [new];
    let rows = work_out(&contents, &uploads);
    assert_eq!(rows.put, [document(ADDRESS, "c", "2")]);
    assert_eq!(rows.removed, []);
    assert!(rows.changed);
    assert_eq!(rows.after.len(), 7, "the other source's documents stay");
}

#[test]
fn the_same_file_changes_nothing() {
    let (contents, uploads) =
        (contents(), [file(ADDRESS, &["f", "e", "d", "c", "b", "a"], Some(""))]);
    let rows = work_out(&contents, &uploads);
    assert!(rows.put.is_empty() && rows.removed.is_empty() && !rows.changed);
}

#[test]
fn the_same_file_from_elsewhere_moves_the_rows_and_changes_nothing_served() {
    let (contents, uploads) =
        (contents(), [file("upload", &["a", "b", "c", "d", "e", "f"], Some(""))]);
    let rows = work_out(&contents, &uploads);
    assert_eq!((rows.put.len(), rows.removed.len(), rows.changed), (6, 6, false));
}

#[test]
fn what_a_new_file_lacks_goes_unless_it_is_too_much() {
    let contents = contents();
    let five = [file(ADDRESS, &["a", "b", "c", "d", "e"], Some(""))];
    assert_eq!(work_out(&contents, &five).removed, [owned(&("cask_catalog", "f", ADDRESS))]);
    let two = [file(ADDRESS, &["a", "b"], Some(""))];
    let refused = DocumentRows::work_out(&contents, &two, &[], false);
    assert!(matches!(refused, Err(PublishError::Shrinks { removed: 4, present: 6, .. })));
    assert_eq!(keys(&DocumentRows::work_out(&contents, &two, &[], true).unwrap()), ["a", "b"]);
}

#[test]
fn what_only_adds_removes_nothing_and_replaces_its_own_key_of_any_origin() {
    let contents = contents();
    let uploads = [file("resolved", &["x"], None)];
    let rows = work_out(&contents, &uploads);
    assert_eq!((rows.put.len(), rows.removed.len(), rows.after.len()), (1, 0, 8));
    let uploads = [file("resolved", &["a"], None)];
    let rows = work_out(&contents, &uploads);
    assert_eq!(rows.put, [document("resolved", "a", "1")]);
    assert_eq!(rows.removed, [owned(&("cask_catalog", "a", ADDRESS))]);
}

#[test]
fn files_that_arrive_together_add_up() {
    let contents = contents();
    let uploads = [
        file("upload", &["a", "b", "c"], Some("")),
        file("upload 0002", &["d", "e", "f", "g"], Some("")),
    ];
    // Each file alone would remove half of the documents.
    assert_eq!(keys(&work_out(&contents, &uploads)), ["a", "b", "c", "d", "e", "f", "g"]);
}

#[test]
fn an_address_that_sent_nothing_new_keeps_its_documents() {
    let contents = stored(vec![
        document(ADDRESS, "a", "1"),
        document(MIRROR, "m", "1"),
        document("", "old", "1"),
        document("https://example.com/no-longer-configured", "gone", "1"),
    ]);
    let uploads = [file(ADDRESS, &["a", "b"], Some(""))];
    let staying = [staying_at_mirror("cask_catalog")];
    let rows = DocumentRows::work_out(&contents, &uploads, &staying, true).unwrap();
    assert_eq!(keys(&rows), ["a", "b", "m"]);
    let elsewhere = [staying_at_mirror("recipe_index")];
    let rows = DocumentRows::work_out(&contents, &uploads, &elsewhere, true).unwrap();
    assert_eq!(keys(&rows), ["a", "b"], "an origin stays only for its own source");
}

#[test]
fn of_two_origins_with_one_key_the_first_in_byte_order_is_stitched() {
    let mut second = file(MIRROR, &["a"], Some(""));
    second.entries[0].body = "mirror".into();
    let contents = Contents::default();
    let first = file(ADDRESS, &["a"], Some(""));
    for uploads in [[first.clone(), second.clone()], [second, first]] {
        let rows = work_out(&contents, &uploads);
        assert_eq!(rows.put.len(), 2, "both are stored");
        assert_eq!(rows.after.len(), 1);
        assert_eq!(rows.after[0].body, "1", "{ADDRESS} comes before {MIRROR}");
    }
}

#[test]
fn kinds_of_a_source_are_independent() {
    let contents = stored(vec![
        document("upload", "table/a", "1"),
        document("upload", "titles/1", "1"),
        document("upload", "titles/2", "1"),
    ]);
    let uploads = [file("upload", &["table/b"], Some("table/"))];
    let rows = DocumentRows::work_out(&contents, &uploads, &[], true).unwrap();
    assert_eq!(keys(&rows), ["table/b", "titles/1", "titles/2"]);
    let refused = DocumentRows::work_out(&contents, &uploads, &[], false);
    assert!(matches!(refused, Err(PublishError::Shrinks { removed: 1, present: 1, .. })));
}

#[test]
fn the_sample_makes_way_and_never_counts() {
    let contents = stored(vec![document(SAMPLE, "s", "1"), document("resolved", "kept/x", "1")]);
    let mut other = file("upload", &["r"], Some("r"));
    other.source = "recipe_index";
    let uploads = [other];
    let rows = work_out(&contents, &uploads);
    assert_eq!(rows.removed, [owned(&("cask_catalog", "s", SAMPLE))]);
    assert_eq!(rows.after.len(), 2);
    let uploads = [file("resolved", &["x"], None)];
    assert_eq!(work_out(&contents, &uploads).removed, [], "an addition is not a file");
}

#[test]
fn the_results_of_each_finder_are_kept_and_all_are_stitched() {
    let key = "resolution/a.sh";
    let contents = stored(vec![
        document("", key, "of an earlier version"),
        document("run", key, "1"),
        document("resolved", key, "old"),
    ]);
    let uploads = [file("resolved", &[key], None)];
    let rows = work_out(&contents, &uploads);
    assert_eq!(rows.removed, [owned(&("cask_catalog", key, ""))]);
    assert_eq!(keys(&rows), [key, key], "the posted and the own one");
    assert_eq!(rows.put.len(), 1);
}
