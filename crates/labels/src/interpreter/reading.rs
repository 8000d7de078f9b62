//! What `read` has taken from inputs. All commands that share an input go on where it stopped.

use std::rc::Rc;

/// How many inputs are remembered: those of nested loops.
const MAX_INPUTS: usize = 16;

/// The inputs that lines were taken from, and how far, the latest last.
#[derive(Debug, Default)]
pub(super) struct Reading(Vec<(Rc<str>, usize)>);

impl Reading {
    /// Takes the next line, with the exit status of `read`: 1 if the line is not ended, as at the end
    /// of the input.
    pub(super) fn line(&mut self, input: &Rc<str>) -> (String, u8) {
        let rest = self.rest(input);
        let (line, taken, status) = match rest.split_once('\n') {
            Some((line, _)) => (line, line.len() + 1, 0),
            None => (rest, rest.len(), 1),
        };
        let line = line.to_owned();
        self.take(input, taken);
        (line, status)
    }

    /// What is left of an input.
    fn rest<'i>(&self, input: &'i Rc<str>) -> &'i str {
        let known = self.0.iter().find(|(other, _)| Rc::ptr_eq(other, input));
        known.map_or(input, |(_, taken)| input.get(*taken..).unwrap_or_default())
    }

    /// Takes all that is left of an input. Nothing if no line was taken before.
    pub(super) fn remainder(&mut self, input: &Rc<str>) -> Option<Rc<str>> {
        if !self.0.iter().any(|(other, _)| Rc::ptr_eq(other, input)) {
            return None;
        }
        let rest = Rc::from(self.rest(input));
        self.take(input, input.len());
        Some(rest)
    }

    fn take(&mut self, input: &Rc<str>, count: usize) {
        let known = self.0.iter().position(|(other, _)| Rc::ptr_eq(other, input));
        let before = known.map_or(0, |at| self.0.remove(at).1);
        if self.0.len() >= MAX_INPUTS {
            self.0.remove(0);
        }
        self.0.push((Rc::clone(input), before + count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_one_after_the_other() {
        let (first, second): (Rc<str>, Rc<str>) = ("a\r\nb".into(), "c\nd\n".into());
        let mut reading = Reading::default();
        assert_eq!(reading.remainder(&first), None);
        assert_eq!(reading.line(&first), ("a\r".to_owned(), 0));
        assert_eq!(reading.line(&second), ("c".to_owned(), 0));
        assert_eq!(reading.line(&first), ("b".to_owned(), 1), "its line is not ended");
        assert_eq!(reading.line(&first), (String::new(), 1));
        assert_eq!(reading.remainder(&second).as_deref(), Some("d\n"));
        assert_eq!(reading.line(&second), (String::new(), 1));
    }

    #[test]
    fn only_few_inputs_are_remembered() {
        let mut reading = Reading::default();
        for _ in 0..100 {
            reading.line(&Rc::from("a\nb\n"));
        }
        assert_eq!(reading.0.len(), MAX_INPUTS);
    }
}
