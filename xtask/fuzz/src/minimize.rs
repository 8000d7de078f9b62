//! Makes an input shorter as long as it still fails.

/// The shortest input found with at most so many attempts. `still_fails` runs an input.
pub(crate) fn minimize(
    input: &[u8],
    mut attempts: u32,
    mut still_fails: impl FnMut(&[u8]) -> bool,
) -> Vec<u8> {
    let mut shortest = input.to_vec();
    let mut part = shortest.len().div_ceil(2);
    while part > 0 && attempts > 0 {
        let mut from = 0;
        let mut is_shorter = false;
        while from < shortest.len() && attempts > 0 {
            let to = (from + part).min(shortest.len());
            let without = [&shortest[..from], &shortest[to..]].concat();
            attempts -= 1;
            if still_fails(&without) {
                shortest = without;
                is_shorter = true;
            } else {
                from = to;
            }
        }
        if !is_shorter || part > shortest.len() {
            part = if part == 1 { 0 } else { part.div_ceil(2) };
        }
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_stays() {
        let fails = |input: &[u8]| input.contains(&b'x') && input.contains(&b'y');
        assert_eq!(minimize(b"some x and some y at the end", 1000, fails), b"xy");
        assert_eq!(minimize(b"abc", 1000, |_| false), b"abc");
        assert_eq!(minimize(b"", 10, |_| true), b"");
    }

    #[test]
    fn it_ends_after_the_attempts() {
        let mut runs = 0;
        minimize(&[b'a'; 1000], 7, |_| {
            runs += 1;
            false
        });
        assert_eq!(runs, 7);
    }
}
