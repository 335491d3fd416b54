//! System calls the program may not make.
//!
//! Comes in: the process id, and the address of the one path that may still be run. Goes out: a seccomp program.
//! Everything else stays allowed: the program is a JVM, which needs most of the kernel, and files are landlock's part.
//! A call that is denied fails with "operation not permitted", which Java turns into an ordinary exception.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};
use std::collections::BTreeMap;

/// Denied whatever the arguments are.
const DENIED: &[libc::c_long] = &[
    // Network: no socket can be made, so nothing can be connected; pairs of local sockets stay, the JDK uses one.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // It would carry out the calls above unseen.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Other processes.
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pidfd_getfd,
    libc::SYS_tkill,
    // Out of the process group by which the engine ends it.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Mounts and name spaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    // The machine.
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_syslog,
    // Large attack surface, of no use to a JVM.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// Compiles the filter for process `process`, which may run only the path at `path_address`.
pub fn compile(process: u32, path_address: u64) -> Result<BpfProgram, String> {
    let architecture = std::env::consts::ARCH
        .try_into()
        .map_err(|_| "no filter for this architecture")?;
    let process = u64::from(process);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        DENIED.iter().map(|&call| (call, Vec::new())).collect();
    // The kernel compares the pointer, not the text: after the exec this address means nothing any more.
    rules.insert(
        libc::SYS_execve,
        vec![unequal(&[(0, path_address, SeccompCmpArgLen::Qword)])?],
    );
    // Signals only to itself; the JVM sends some to its own threads.
    for call in [
        libc::SYS_kill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
    ] {
        rules.insert(
            call,
            vec![unequal(&[(0, process, SeccompCmpArgLen::Dword)])?],
        );
    }
    // Limits only of itself, which is 0 or its id.
    let own = [
        (0, 0, SeccompCmpArgLen::Dword),
        (0, process, SeccompCmpArgLen::Dword),
    ];
    rules.insert(libc::SYS_prlimit64, vec![unequal(&own)?]);
    SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM.cast_unsigned()),
        architecture,
    )
    .and_then(TryInto::try_into)
    .map_err(|error| error.to_string())
}

/// Matches where every named argument differs from its value.
fn unequal(pairs: &[(u8, u64, SeccompCmpArgLen)]) -> Result<SeccompRule, String> {
    pairs
        .iter()
        .map(|(argument, value, length)| {
            SeccompCondition::new(*argument, length.clone(), SeccompCmpOp::Ne, *value)
        })
        .collect::<Result<Vec<_>, _>>()
        .and_then(SeccompRule::new)
        .map_err(|error| error.to_string())
}
