//! A shop.
use std::collections::{self, HashMap, hash_map::Entry as E};
use crate::prices::*;
pub use super::records::Bundle;
extern crate serde;
mod sibling;

/// The most.
pub const LIMIT: usize = 10;
static NAME: &str = "x";

/// A shop.
#[derive(Debug, Clone)]
#[serde(
    rename_all = "camelCase",
)]
pub struct Shop<T> {
    name: T,
}

pub enum Colour {
    Red,
    Green(u8),
}

union Bits { a: u8, b: i8 }

pub type Id = u64;

pub trait Seller: Base {
    const MAX: usize;
    type Item;
    /// Sells.
    fn sell(&self, n: usize) -> bool;
    fn twice(&self) -> bool { self.sell(2) }
}

impl<T> Seller for Shop<T> {
    const MAX: usize = 1;
    type Item = T;
    // Really sells.
    #[inline]
    fn sell(&self, n: usize) -> bool
    where
        T: Copy,
    {
        fn inner() {}
        true
    }
}

impl Shop<u8> {
    pub fn new() -> Self { Shop { name: 1 } }
}

macro_rules! shout {
    ($x:expr) => { $x };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens() {}
}

extern "C" {
    fn puts(s: *const u8) -> i32;
}
