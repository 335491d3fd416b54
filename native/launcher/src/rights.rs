//! Rights to files as another user has them on another machine.
//!
//! Comes in: what the program needs to read. Goes out: each right of group and others that new files had is missing,
//! and each that was missing is there; and root, who passes over all rights, does so no more.
//! Does not know: which tests rest on it.

use crate::arguments::Arguments;
use std::fs::File;

/// Rights of group and others.
const OTHERS: libc::mode_t = 0o077;

/// Passing over rights, and over those to read and to search alone, as bits and numbers: `CAP_DAC_OVERRIDE` and
/// `CAP_DAC_READ_SEARCH`.
const OVERRIDES: [u32; 2] = [1, 2];

/// `_LINUX_CAPABILITY_VERSION_3`
const VERSION: u32 = 0x2008_0522;

#[repr(C)]
struct Header {
    version: u32,
    pid: libc::c_int,
}

/// Effective, permitted and inheritable capabilities, the lower 32 first.
#[derive(Clone, Copy)]
#[repr(C)]
struct Capabilities([[u32; 3]; 2]);

/// For this process and the program that it becomes. What fails leaves the rights as they were.
pub fn change(arguments: &Arguments) {
    // SAFETY: takes no pointer and cannot fail.
    let usual = unsafe { libc::umask(OTHERS) };
    // SAFETY: as above.
    unsafe { libc::umask(usual ^ OTHERS) };
    let Some(held) = held() else { return };
    let mut fewer = held;
    for override_ in OVERRIDES {
        fewer.0[0][0] &= !(1 << override_);
    }
    if fewer.0 == held.0 || !set(&fewer) {
        return;
    }
    // A class path that belongs to somebody else may be for root's eyes alone.
    let needed = arguments.read.iter().chain(&arguments.execute);
    let is_enough = needed
        .map(File::open)
        .filter_map(Result::err)
        .all(|error| error.kind() != std::io::ErrorKind::PermissionDenied);
    set(&held);
    if is_enough {
        for override_ in OVERRIDES {
            // SAFETY: takes no pointer. The program gets what is left in this set.
            unsafe { libc::prctl(libc::PR_CAPBSET_DROP, override_, 0, 0, 0) };
        }
    }
}

fn held() -> Option<Capabilities> {
    let header = Header {
        version: VERSION,
        pid: 0,
    };
    let mut held = Capabilities([[0; 3]; 2]);
    // SAFETY: both live through the call, and are as large as this version has them.
    let got = unsafe { libc::syscall(libc::SYS_capget, &raw const header, &raw mut held) };
    (got == 0).then_some(held)
}

fn set(capabilities: &Capabilities) -> bool {
    let header = Header {
        version: VERSION,
        pid: 0,
    };
    // SAFETY: as above.
    let set = unsafe {
        libc::syscall(
            libc::SYS_capset,
            &raw const header,
            std::ptr::from_ref(capabilities),
        )
    };
    set == 0
}
