//! The search against real workers, which tell how near each run came.

use crate::worker_lab::Lab;
use palus_analyze::Facts;
use palus_generate::{DependentPosition, Mode, USEFUL_PLATFORM_CLASSES, Unit, UserValues, explore};
use palus_learn::Models;
use palus_search::{Algorithm, Hunted, Means, Origin, hunt};
use palus_sequence::{ExecutorError, Run};

/// Conditions whose values are no constants of the code.
const VAULT: (&str, &str) = (
    "demo/Vault.java",
    r#"
package demo;
public class Vault {
  private int turns;
  private static int number() {
    int number = 7;
    for (int i = 0; i < 8; i++) number = number * 13 + i;
    return number;
  }
  private static String word(String backwards) {
    return new StringBuilder(backwards).reverse().toString();
  }
  public void turn() { turns++; }
  public boolean number(int number) { return number == number(); }
  public boolean wide(long number) { return number > 1L + number() && number < 9L + number(); }
  public boolean real(double number) { return number == number() / 7.0; }
  public boolean word(int unused, String word) { return word.equals(word("emases nepo")); }
  public boolean loud(String word) { return word.equalsIgnoreCase(word("EMASES NEPO")); }
  public int start(String text) {
    if (text.startsWith(word(":sptth"))) return 1;
    if (text.endsWith(word("avaj."))) return 2;
    if (text.contains(word("nepo"))) return 3;
    return 0;
  }
  public boolean length(String text) { return text.length() == word("0123456789abcdefg").length(); }
  public int pick(int key) {
    switch (key) { case 70001: return 1; case 80002: return 2; default: return 0; }
  }
  public boolean all(int number, String word) {
    if (number == number()) {
      if (word.equals(word("emases"))) {
        if (turns > 4) return true;
      }
    }
    return false;
  }
}
"#,
);

fn hunted(algorithm: Algorithm, steps: u64) -> (Hunted, Vec<Run>) {
    let lab = Lab::new(&[VAULT], USEFUL_PLATFORM_CLASSES);
    let facts = Facts::of(&lab.program);
    let models = Models::default();
    let values = UserValues::default();
    let subject = lab.class("demo/Vault");
    let unit = Unit {
        program: &lab.program,
        facts: &facts,
        models: &models,
        subject,
        seed: 1,
        steps: 1_000,
        mode: Mode::Random,
        dependent_position: DependentPosition::After,
        user_values: &values,
        gives_up: true,
        keeps_failures: false,
    };
    let pool = lab.pool().unwrap();
    let done = pool.with_executor(&[subject], |executor| {
        let mut sources = explore(unit, executor)?;
        let hunted = hunt(&mut sources, executor, algorithm, steps, Means::default())?;
        Ok::<_, ExecutorError>((hunted, sources.finish().kept))
    });
    done.unwrap().unwrap()
}

#[test]
fn values_that_no_constant_of_the_code_tells_are_found() {
    let (hunted, _) = hunted(Algorithm::Dynamosa, 20_000);
    assert!(hunted.open >= 12, "{hunted:?}");
    assert_eq!(hunted.covered, hunted.open, "{hunted:?}");
    assert!(
        hunted.by_origin[Origin::Operand as usize].1 >= 6,
        "{hunted:?}"
    );
}

#[test]
fn the_other_algorithms_find_them_too() {
    for algorithm in [Algorithm::Mosa, Algorithm::MonotonicGa] {
        let (hunted, _) = hunted(algorithm, 30_000);
        assert_eq!(hunted.covered, hunted.open, "{algorithm:?}: {hunted:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_runs_in_another_worker() {
    assert!(hunted(Algorithm::Dynamosa, 1_500) == hunted(Algorithm::Dynamosa, 1_500));
}
