//! System calls the program may not make.
//!
//! Comes in: the process id, and the address of the one path that may still be run. Goes out: a seccomp program.
//! Everything else stays allowed: the program is a JVM, which needs most of the kernel, and files are landlock's part.
//! One call looks unknown instead: `clone3`, whose flags no filter can read.
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
    // With an address, or a descriptor in the message, they reach beyond a pair; plain writes go on.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
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
    libc::SYS_pidfd_open,
    libc::SYS_kcmp,
    libc::SYS_process_madvise,
    libc::SYS_ioprio_set,
    // Memory, semaphores and queues that all processes of the user share.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // What landlock does not know of files: owners, attributes, device files.
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_mknodat,
    // Who it is.
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
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
    libc::SYS_fspick,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
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
    libc::SYS_vhangup,
    // Large attack surface, of no use to a JVM.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// The same under their old names, which younger architectures do not have.
#[cfg(target_arch = "x86_64")]
const DENIED_OF_OLD: &[libc::c_long] = &[
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_mknod,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_kexec_file_load,
];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_OF_OLD: &[libc::c_long] = &[];

/// Flags of `clone` that make name spaces.
const NAME_SPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Compiles the filter of the one call that is to look unknown: libc then starts threads by `clone`, whose flags a
/// filter can read.
pub fn compile_unknown() -> Result<BpfProgram, String> {
    let architecture = std::env::consts::ARCH
        .try_into()
        .map_err(|_| "no filter for this architecture")?;
    SeccompFilter::new(
        BTreeMap::from([(libc::SYS_clone3, Vec::new())]),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS.cast_unsigned()),
        architecture,
    )
    .and_then(TryInto::try_into)
    .map_err(|error| error.to_string())
}

/// Compiles the filter for process `process`, which may run only the path at `path_address`. The calls `watched` are
/// denied as well: somebody is asked who lets them go on.
pub fn compile(
    process: u32,
    path_address: u64,
    watched: &[libc::c_long],
) -> Result<BpfProgram, String> {
    let architecture = std::env::consts::ARCH
        .try_into()
        .map_err(|_| "no filter for this architecture")?;
    let process = u64::from(process);
    let denied = DENIED.iter().chain(DENIED_OF_OLD).chain(watched);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        denied.map(|&call| (call, Vec::new())).collect();
    // Threads may be started, no processes, and neither in name spaces of their own.
    let thread = u64::from(libc::CLONE_THREAD.cast_unsigned());
    let mut clone = vec![masked(thread, 0)?];
    for flag in NAME_SPACES {
        let flag = u64::from(flag.cast_unsigned());
        clone.push(masked(flag, flag)?);
    }
    rules.insert(libc::SYS_clone, clone);
    // Of pairs of sockets only streams: one of datagrams could send to a path.
    let stream = [
        0,
        libc::SOCK_CLOEXEC,
        libc::SOCK_NONBLOCK,
        libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK,
    ]
    .map(|flags| {
        (
            1,
            u64::from((libc::SOCK_STREAM | flags).cast_unsigned()),
            SeccompCmpArgLen::Dword,
        )
    });
    rules.insert(libc::SYS_socketpair, vec![unequal(&stream)?]);
    rules.insert(
        libc::SYS_sendto,
        vec![unequal(&[(4, 0, SeccompCmpArgLen::Qword)])?],
    );
    // How threads are scheduled: only the calling one, which is 0.
    for (call, argument) in [
        (libc::SYS_sched_setaffinity, 0),
        (libc::SYS_sched_setscheduler, 0),
        (libc::SYS_sched_setparam, 0),
        (libc::SYS_sched_setattr, 0),
        (libc::SYS_setpriority, 1),
        (libc::SYS_migrate_pages, 0),
        (libc::SYS_move_pages, 0),
    ] {
        rules.insert(
            call,
            vec![unequal(&[(argument, 0, SeccompCmpArgLen::Dword)])?],
        );
    }
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

/// Matches where these bits of the first argument have this value.
fn masked(bits: u64, value: u64) -> Result<SeccompRule, String> {
    SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(bits),
        value,
    )
    .and_then(|condition| SeccompRule::new(vec![condition]))
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
