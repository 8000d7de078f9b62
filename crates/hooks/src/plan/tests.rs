use super::*;
use crate::test_journal::journal;

fn position(epoch: &str, seq: u64) -> JournalPosition {
    JournalPosition { epoch: epoch.to_owned(), seq }
}

fn at(seq: u64) -> HookProgress {
    HookProgress::after(position("e1", seq))
}

fn next(progress: &HookProgress, journal: &Journal) -> Step {
    plan(progress, &HookFilter::default(), journal, Timestamp::UNIX_EPOCH)
}

/// The span of a planned message, and how many changes it has; none for a reset.
fn span(step: Step) -> (u64, u64, Option<usize>) {
    let Step::Send(Planned { after, to, content }) = step else { panic!("{step:?}") };
    match content {
        Content::Changes { count, first, revision, .. } => {
            assert_eq!((first.len(), revision), (count.min(50), format!("r{}", to.seq)));
            (after, to.seq, Some(count))
        }
        Content::Reset => (after, to.seq, None),
    }
}

#[test]
fn a_delivery_covers_everything_since_the_last_one() {
    assert_eq!(next(&at(0), &journal("e1", 0, 0)), Step::Nothing);
    assert_eq!(next(&at(7), &journal("e1", 0, 7)), Step::Nothing);
    assert_eq!(span(next(&at(7), &journal("e1", 0, 9))), (7, 9, Some(2)));
    assert_eq!(span(next(&at(0), &journal("e1", 0, 70))), (0, 70, Some(70)));
}

#[test]
fn a_repeat_has_the_same_end_whatever_was_published_since() {
    let journal = journal("e1", 0, 20);
    let tried = HookProgress { pending: Some(position("e1", 9)), ..at(7) };
    assert_eq!(span(next(&tried, &journal)), (7, 9, Some(2)));
    let other_epoch = HookProgress { pending: Some(position("e0", 9)), ..at(7) };
    assert_eq!(span(next(&other_epoch, &journal)), (7, 20, Some(13)));
    let before_the_cursor = HookProgress { pending: Some(position("e1", 5)), ..at(7) };
    assert_eq!(span(next(&before_the_cursor, &journal)), (7, 20, Some(13)));
}

#[test]
fn what_is_no_longer_known_is_a_reset() {
    let old_epoch = HookProgress::after(position("e0", 7));
    assert_eq!(span(next(&old_epoch, &journal("e1", 0, 9))), (9, 9, None));
    assert_eq!(span(next(&old_epoch, &journal("e1", 0, 0))), (0, 0, None));
    let folded = journal("e1", 5, 9);
    assert_eq!(span(next(&at(4), &folded)), (9, 9, None));
    assert_eq!(span(next(&at(5), &folded)), (5, 9, Some(4)));
}

#[test]
fn a_journal_that_lags_behind_the_cursor_is_not_a_reset() {
    let lagging = journal("e1", 0, 9);
    assert_eq!(next(&at(10), &lagging), Step::Nothing, "another process published");
    let tried = HookProgress { pending: Some(position("e1", 12)), ..at(10) };
    assert_eq!(next(&tried, &lagging), Step::Nothing);
    let tried_by_another = HookProgress { pending: Some(position("e1", 12)), ..at(7) };
    assert_eq!(next(&tried_by_another, &lagging), Step::Nothing, "the repeat has the same end");
    assert_eq!(span(next(&tried_by_another, &journal("e1", 0, 14))), (7, 12, Some(5)));
    assert_eq!(span(next(&at(10), &journal("e1", 0, 12))), (10, 12, Some(2)), "it caught up");
}

#[test]
fn nothing_is_sent_before_its_time_or_by_a_disabled_hook() {
    let journal = journal("e1", 0, 9);
    let later = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_secs(5);
    let failed = HookProgress { next_attempt: Some(later), ..at(7) };
    assert_eq!(next(&failed, &journal), Step::Wait(later));
    let step = plan(&failed, &HookFilter::default(), &journal, later);
    assert_eq!(span(step), (7, 9, Some(2)));
    let disabled = HookProgress { disabled: Some("gone".to_owned()), ..at(7) };
    assert_eq!(next(&disabled, &journal), Step::Nothing);
}

#[test]
fn changes_that_do_not_pass_move_the_cursor_without_a_message() {
    let one = HookFilter { slugs: vec!["app8".to_owned()], ..HookFilter::default() };
    let journal = journal("e1", 0, 20);
    let plan = |after| plan(&at(after), &one, &journal, Timestamp::UNIX_EPOCH);
    assert_eq!(plan(8), Step::Skip(position("e1", 20)));
    let Step::Send(planned) = plan(7) else { panic!("nothing is sent") };
    assert_eq!(planned.to, position("e1", 20));
}
