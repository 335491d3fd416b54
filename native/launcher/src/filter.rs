//! System calls the program may make; all others are refused.
//!
//! Comes in: the process id, and the address of the one path that may still be run. Goes out: a seccomp program.
//! The list is what JVMs of the releases 11 to 25 were seen to call, with each of their collectors, and what stands for
//! the same call in other versions of libc or on other machines. Files are landlock's part: what only opens, makes or
//! deletes them is on the list. So are calls that read or change nothing but the program itself.
//!
//! How a call that is refused fails:
//! - one that is known and not listed with "operation not permitted", which Java turns into an ordinary exception;
//! - `clone3`, whose flags no filter can read, and all calls that are younger than this list with "not implemented", as
//!   on a kernel without them: libc then takes the older call, which it does for no other error. The same goes for the
//!   second set of numbers that some x86 kernels have.

use crate::lengths;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};
use std::collections::BTreeMap;

/// The youngest call that was looked at for this list, `mseal`. From 424 on all architectures have the same numbers.
const YOUNGEST: u32 = 462;

const CLONE3: u32 = 435;

/// Calls that libc's names lack on some architectures.
const FCHMODAT2: libc::c_long = 452;
const MAP_SHADOW_STACK: libc::c_long = 453;
const FUTEX_WAKE: libc::c_long = 454;
const FUTEX_WAIT: libc::c_long = 455;
const FUTEX_REQUEUE: libc::c_long = 456;
/// Options of `prctl` of another architecture.
const PR_SVE_SET_VL: libc::c_int = 50;
const PR_SVE_GET_VL: libc::c_int = 51;

/// Allowed whatever the arguments are.
const ALLOWED: &[libc::c_long] = &[
    // Its own memory; what collectors ask about the nodes of the machine.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_mseal,
    libc::SYS_membarrier,
    libc::SYS_get_mempolicy,
    libc::SYS_set_mempolicy,
    libc::SYS_set_mempolicy_home_node,
    libc::SYS_mbind,
    MAP_SHADOW_STACK,
    // Its own threads, and how they wait for each other.
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    FUTEX_WAKE,
    FUTEX_WAIT,
    FUTEX_REQUEUE,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // How threads are scheduled: to ask.
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_getattr,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    libc::SYS_getpriority,
    libc::SYS_getcpu,
    // Its own signals.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_signalfd4,
    // Time and timers.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    // Who and where it is, and what it used.
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_capget,
    libc::SYS_umask,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrusage,
    libc::SYS_getrlimit,
    libc::SYS_getrandom,
    // It has no children, and may ask for them.
    libc::SYS_wait4,
    libc::SYS_waitid,
    // Open files.
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_fgetxattr,
    libc::SYS_flistxattr,
    libc::SYS_getdents64,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync_file_range,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_flock,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_vmsplice,
    // Files by their paths, which are landlock's part.
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    // Waiting for descriptors; pipes within the program.
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_pipe2,
    // Pairs of local sockets: the JDK keeps one. No other socket can be made.
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_shutdown,
];

/// The same under their old names, which younger architectures do not have.
#[cfg(target_arch = "x86_64")]
const ALLOWED_OF_OLD: &[libc::c_long] = &[
    libc::SYS_arch_prctl,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_getpgrp,
    libc::SYS_signalfd,
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_pipe,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_OF_OLD: &[libc::c_long] = &[];

/// Rights, times and lengths of files by their paths, or of files that are open to be read: landlock knows nothing of
/// the first two, and its older versions not of the third. Where nobody watches, who denies them outside, they are
/// refused everywhere.
const OF_WATCHED: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_utimensat,
    libc::SYS_truncate,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Flags of `clone` that make a thread as every library of threads does.
const THREAD: libc::c_int =
    libc::CLONE_THREAD | libc::CLONE_VM | libc::CLONE_FS | libc::CLONE_FILES;

/// What a process that gives way to all others asks for; 0 is the usual.
const LEAST_PRIORITY: u64 = 19;

/// Flags of `clone` that make name spaces.
const NAME_SPACES: libc::c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// What `prctl` may be asked for: names of threads and of memory, huge pages, the width of vectors. Not among them: to
/// outlive who started it.
const OPTIONS: &[libc::c_int] = &[
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_VMA,
    libc::PR_SET_THP_DISABLE,
    libc::PR_GET_THP_DISABLE,
    libc::PR_GET_DUMPABLE,
    libc::PR_CAPBSET_READ,
    libc::PR_GET_SECCOMP,
    libc::PR_GET_NO_NEW_PRIVS,
    PR_SVE_SET_VL,
    PR_SVE_GET_VL,
];

/// What `fcntl` may be asked for: copies, flags, locks, seals. Not among them: signals for whoever is named the owner of
/// a descriptor, and larger pipes, which are memory that nobody counts.
const FILE_COMMANDS: &[libc::c_int] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_GETPIPE_SZ,
    libc::F_ADD_SEALS,
    libc::F_GET_SEALS,
];

/// What devices and streams may be asked for: whether it is a terminal, and of what size; how much can be read; whether
/// it blocks, or is closed by an exec. Not among them: to type into a terminal.
const DEVICE_REQUESTS: &[u64] = &[
    libc::TCGETS,
    libc::TCGETS2,
    libc::TIOCGWINSZ,
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOCLEX,
    libc::FIONCLEX,
];

/// Compiles the filter for this process, which may run only the path at `path_address`. The calls `watched` are
/// refused as well, and those that reach beyond the limit of a file's length, if there is one: somebody is asked who
/// lets them go on. `memory_files` says whether files in memory may be made, of which no limit of memory knows.
pub fn compile(
    path_address: u64,
    watched: &[libc::c_long],
    file_limit: Option<u64>,
    memory_files: bool,
) -> Result<BpfProgram, String> {
    let architecture = std::env::consts::ARCH
        .try_into()
        .map_err(|_| "no filter for this architecture")?;
    let of_watched = OF_WATCHED.iter().filter(|_| !watched.is_empty());
    let allowed = ALLOWED.iter().chain(ALLOWED_OF_OLD).chain(of_watched);
    let allowed = allowed.filter(|call| !watched.contains(call));
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        allowed.map(|&call| (call, Vec::new())).collect();
    if memory_files {
        rules.insert(libc::SYS_memfd_create, Vec::new());
    }
    rules.extend(conditions(std::process::id(), path_address)?);
    if let Some(limit) = file_limit {
        rules.extend(lengths::rules(limit)?);
    }
    let listed: BpfProgram = SeccompFilter::new(
        rules,
        SeccompAction::Errno(libc::EPERM.cast_unsigned()),
        SeccompAction::Allow,
        architecture,
    )
    .and_then(TryInto::try_into)
    .map_err(|error| error.to_string())?;
    let mut program = unknown();
    program.extend(listed);
    Ok(program)
}

/// Calls that are allowed with some arguments only.
fn conditions(
    process: u32,
    path_address: u64,
) -> Result<Vec<(libc::c_long, Vec<SeccompRule>)>, String> {
    let process = u64::from(process);
    let bits = |flags: libc::c_int| u64::from(flags.cast_unsigned());
    let all_of = |values: &[libc::c_int]| values.iter().copied().map(bits).collect::<Vec<_>>();
    let mut rules = vec![
        // Threads may be started, no processes, and neither in name spaces of their own. Each has the folder and the
        // descriptors of all: who judges a name asks for these.
        (
            libc::SYS_clone,
            vec![all(vec![
                masked(bits(THREAD), bits(THREAD))?,
                masked(bits(NAME_SPACES), 0)?,
            ])?],
        ),
        // The kernel compares the pointer, not the text: after the exec this address means nothing any more.
        (libc::SYS_execve, vec![all(vec![whole(0, path_address)?])?]),
        (libc::SYS_prctl, any_of(0, &all_of(OPTIONS))?),
        (libc::SYS_fcntl, any_of(1, &all_of(FILE_COMMANDS))?),
        (libc::SYS_ioctl, any_of(1, DEVICE_REQUESTS)?),
        // Of pairs of sockets only streams: one of datagrams could send to a path.
        (
            libc::SYS_socketpair,
            any_of(
                1,
                &all_of(&[
                    libc::SOCK_STREAM,
                    libc::SOCK_STREAM | libc::SOCK_CLOEXEC,
                    libc::SOCK_STREAM | libc::SOCK_NONBLOCK,
                    libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK,
                ]),
            )?,
        ),
        // With an address it reaches beyond a pair.
        (libc::SYS_sendto, vec![all(vec![whole(4, 0)?])?]),
        // Limits only of itself, which is 0 or its id; to change, only how many files may be open.
        (libc::SYS_prlimit64, {
            let mut own = Vec::new();
            for id in [0, process] {
                own.push(all(vec![equal(0, id)?, whole(2, 0)?])?);
                let files = u64::from(libc::RLIMIT_NOFILE);
                own.push(all(vec![equal(0, id)?, equal(1, files)?])?);
            }
            own
        }),
        (
            libc::SYS_setrlimit,
            any_of(0, &[u64::from(libc::RLIMIT_NOFILE)])?,
        ),
    ];
    // On which processors threads run, and where their memory lies: only of the calling one, which is 0. In which way they
    // are scheduled is not its to choose: in real time it would leave nothing for others.
    for (call, argument) in [
        (libc::SYS_sched_setaffinity, 0),
        (libc::SYS_migrate_pages, 0),
        (libc::SYS_move_pages, 0),
    ] {
        rules.push((call, any_of(argument, &[0])?));
    }
    // A priority is a process's, a group's or a user's: 0 is the calling one of its kind. None above the usual.
    let one_process = u64::from(libc::PRIO_PROCESS);
    rules.push((
        libc::SYS_setpriority,
        vec![all(vec![
            equal(0, one_process)?,
            equal(1, 0)?,
            at_most(2, LEAST_PRIORITY)?,
        ])?],
    ));
    // Signals only to itself; the JVM sends some to its own threads.
    for call in [
        libc::SYS_kill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
    ] {
        rules.push((call, any_of(0, &[process])?));
    }
    Ok(rules)
}

/// The part of the filter that comes first: `clone3` and what is younger than the list look unknown.
fn unknown() -> BpfProgram {
    let step = |code: u32, jt, jf, k| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let compare = libc::BPF_JMP | libc::BPF_K;
    vec![
        // The number of the call stands first in what a filter is given.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(compare | libc::BPF_JGT, 1, 0, YOUNGEST),
        step(compare | libc::BPF_JEQ, 0, 1, CLONE3),
        step(
            libc::BPF_RET | libc::BPF_K,
            0,
            0,
            libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned(),
        ),
    ]
}

type Condition = Result<SeccompCondition, String>;

/// Matches where all of these do.
fn all(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, String> {
    SeccompRule::new(conditions).map_err(|error| error.to_string())
}

/// Matches where the argument has one of these values.
fn any_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, String> {
    values
        .iter()
        .map(|value| all(vec![equal(argument, *value)?]))
        .collect()
}

/// Matches where the lower half of the argument, all that an `int` has, is this.
fn equal(argument: u8, value: u64) -> Condition {
    condition(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

/// Matches where the lower half of the argument is no more than this; what is below zero is more.
fn at_most(argument: u8, value: u64) -> Condition {
    condition(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Le, value)
}

/// Matches where all of the argument is this.
fn whole(argument: u8, value: u64) -> Condition {
    condition(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, value)
}

/// Matches where these bits of the first argument have this value.
fn masked(bits: u64, value: u64) -> Condition {
    let compare = SeccompCmpOp::MaskedEq(bits);
    condition(0, SeccompCmpArgLen::Qword, compare, value)
}

fn condition(
    argument: u8,
    length: SeccompCmpArgLen,
    compare: SeccompCmpOp,
    value: u64,
) -> Condition {
    SeccompCondition::new(argument, length, compare, value).map_err(|error| error.to_string())
}
