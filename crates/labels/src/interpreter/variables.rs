//! The variables of a shell.

use std::{collections::BTreeMap, rc::Rc};

use super::value::Value;
use crate::Stopped;

/// The value of a variable, or why it is unknown.
pub(crate) type Variable = Result<Value, Stopped>;

/// Variables by name. A copy costs nothing until it is changed, and then its texts are shared:
/// subshells make many.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables(Rc<BTreeMap<String, Rc<Variable>>>);

impl Variables {
    pub(crate) fn get(&self, name: &str) -> Option<&Variable> {
        self.0.get(name).map(Rc::as_ref)
    }

    pub(crate) fn insert(&mut self, name: String, value: Variable) {
        Rc::make_mut(&mut self.0).insert(name, Rc::new(value));
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if self.0.contains_key(name) {
            Rc::make_mut(&mut self.0).remove(name);
        }
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Variable> {
        self.0.values().map(Rc::as_ref)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Gives all variables the same value.
    pub(crate) fn fill(&mut self, value: Variable) {
        let value = Rc::new(value);
        for variable in Rc::make_mut(&mut self.0).values_mut() {
            *variable = Rc::clone(&value);
        }
    }

    pub(crate) fn into_map(self) -> BTreeMap<String, Variable> {
        let variables = Rc::unwrap_or_clone(self.0).into_iter();
        variables.map(|(name, value)| (name, Rc::unwrap_or_clone(value))).collect()
    }
}
