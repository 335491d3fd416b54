//! System calls that name files, and how their arguments name them.
//!
//! Comes in: the number of a call and its arguments. Goes out: the names that it uses ([`Named`]), and what for.
//! Does not know: what the names lead to.

/// What a call does with a file that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It only reads.
    Read,
    /// It makes, changes or removes it.
    Change,
    /// As the last, and fails where there is something of that name.
    Make,
    /// It asks about it, whatever is there.
    Look,
}

/// A file as a call names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The descriptor of the folder in which the name begins; `AT_FDCWD` for the current one. Without a name, the file.
    pub folder: i32,
    /// Address of the name; 0 for none.
    pub name: u64,
    /// Whether the call goes where a link as the last part of the name leads.
    pub follows: bool,
}

/// Which argument stands for the folder of a name: none for the current one.
type Folder = Option<usize>;

/// A call that changes files: its number, its name, and its arguments for folder, name, and whether it follows links.
struct Call(libc::c_long, &'static str, &'static [(Folder, usize, bool)]);

/// No such argument: the descriptor itself is the file.
const NO_NAME: usize = 6;

const FCHMODAT2: libc::c_long = 452;

const CHANGES: &[Call] = &[
    Call(libc::SYS_unlinkat, "unlinkat", &[(Some(0), 1, false)]),
    Call(
        libc::SYS_renameat,
        "renameat",
        &[(Some(0), 1, false), (Some(2), 3, false)],
    ),
    Call(
        libc::SYS_renameat2,
        "renameat2",
        &[(Some(0), 1, false), (Some(2), 3, false)],
    ),
    Call(libc::SYS_mkdirat, "mkdirat", &[(Some(0), 1, false)]),
    Call(
        libc::SYS_linkat,
        "linkat",
        &[(Some(0), 1, true), (Some(2), 3, false)],
    ),
    Call(libc::SYS_symlinkat, "symlinkat", &[(Some(1), 2, false)]),
    Call(libc::SYS_truncate, "truncate", &[(None, 0, true)]),
    Call(libc::SYS_fchmod, "fchmod", &[(Some(0), NO_NAME, true)]),
    Call(libc::SYS_fchmodat, "fchmodat", &[(Some(0), 1, true)]),
    Call(FCHMODAT2, "fchmodat2", &[(Some(0), 1, true)]),
    Call(libc::SYS_utimensat, "utimensat", &[(Some(0), 1, true)]),
];

/// The same under their old names, which younger architectures do not have.
#[cfg(target_arch = "x86_64")]
const CHANGES_OF_OLD: &[Call] = &[
    Call(libc::SYS_creat, "creat", &[(None, 0, true)]),
    Call(libc::SYS_unlink, "unlink", &[(None, 0, false)]),
    Call(libc::SYS_rmdir, "rmdir", &[(None, 0, false)]),
    Call(
        libc::SYS_rename,
        "rename",
        &[(None, 0, false), (None, 1, false)],
    ),
    Call(libc::SYS_mkdir, "mkdir", &[(None, 0, false)]),
    Call(libc::SYS_link, "link", &[(None, 0, true), (None, 1, false)]),
    Call(libc::SYS_symlink, "symlink", &[(None, 1, false)]),
    Call(libc::SYS_chmod, "chmod", &[(None, 0, true)]),
    Call(libc::SYS_utime, "utime", &[(None, 0, true)]),
    Call(libc::SYS_utimes, "utimes", &[(None, 0, true)]),
    Call(libc::SYS_futimesat, "futimesat", &[(Some(0), 1, true)]),
];
#[cfg(not(target_arch = "x86_64"))]
const CHANGES_OF_OLD: &[Call] = &[];

/// Those of them that only make something new.
const MAKES: &[libc::c_long] = &[
    libc::SYS_mkdirat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
];

/// Those of them after which a name may lead elsewhere.
const MOVES: &[libc::c_long] = &[
    libc::SYS_renameat,
    libc::SYS_renameat2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
];

/// And those after which a file has two names, or a name leads to another one.
const LINKS: &[libc::c_long] = &[
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_symlink,
];

/// Calls that give a file to another user: number, folder, name, whether it follows links, and the user; the group is
/// the argument after that.
const OWNERS: &[(libc::c_long, Folder, usize, bool, usize)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chown, None, 0, true, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_lchown, None, 0, false, 1),
    (libc::SYS_fchown, Some(0), NO_NAME, true, 1),
    (libc::SYS_fchownat, Some(0), 1, false, 2),
];

/// Calls that ask about a file: its number, its name, folder and name. Without a name they ask about an open file.
const LOOKS: &[(libc::c_long, &str, Folder, usize)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_stat, "stat", None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_lstat, "lstat", None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_access, "access", None, 0),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_readlink, "readlink", None, 0),
    (libc::SYS_newfstatat, "newfstatat", Some(0), 1),
    (libc::SYS_statx, "statx", Some(0), 1),
    (libc::SYS_statfs, "statfs", None, 0),
    (libc::SYS_faccessat, "faccessat", Some(0), 1),
    (libc::SYS_faccessat2, "faccessat2", Some(0), 1),
    (libc::SYS_readlinkat, "readlinkat", Some(0), 1),
    (libc::SYS_inotify_add_watch, "inotify_add_watch", None, 1),
];

/// Calls that open a file, for reading or for more: number, name, folder, name, flags.
const OPENS: &[(libc::c_long, &str, Folder, usize, usize)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, "open", None, 0, 1),
    (libc::SYS_openat, "openat", Some(0), 1, 2),
];

/// Calls that a filter refuses and a program of Java's can cause, for messages.
const OTHERS: &[(libc::c_long, &str)] = &[
    (libc::SYS_socket, "socket"),
    (libc::SYS_socketpair, "socketpair"),
    (libc::SYS_connect, "connect"),
    (libc::SYS_bind, "bind"),
    (libc::SYS_listen, "listen"),
    (libc::SYS_accept, "accept"),
    (libc::SYS_accept4, "accept4"),
    (libc::SYS_sendto, "sendto"),
    (libc::SYS_sendmsg, "sendmsg"),
    (libc::SYS_execve, "execve"),
    (libc::SYS_execveat, "execveat"),
    (libc::SYS_clone, "clone"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_fork, "fork"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_vfork, "vfork"),
    (libc::SYS_kill, "kill"),
    (libc::SYS_openat2, "openat2"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chown, "chown"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_lchown, "lchown"),
    (libc::SYS_fchown, "fchown"),
    (libc::SYS_fchownat, "fchownat"),
    (libc::SYS_setxattr, "setxattr"),
    (libc::SYS_lsetxattr, "lsetxattr"),
    (libc::SYS_fsetxattr, "fsetxattr"),
    (libc::SYS_removexattr, "removexattr"),
    (libc::SYS_lremovexattr, "lremovexattr"),
    (libc::SYS_fremovexattr, "fremovexattr"),
    (libc::SYS_mknodat, "mknodat"),
    (libc::SYS_setpriority, "setpriority"),
    (libc::SYS_sched_setscheduler, "sched_setscheduler"),
    (libc::SYS_fcntl, "fcntl"),
    (libc::SYS_ioctl, "ioctl"),
    (libc::SYS_prctl, "prctl"),
    (libc::SYS_prlimit64, "prlimit64"),
    (libc::SYS_shmget, "shmget"),
    (libc::SYS_mlock, "mlock"),
];

/// All calls that name files and are not refused anyway. The one that reads its flags from memory is not among them:
/// where the others are watched it is refused.
pub fn watched() -> impl Iterator<Item = libc::c_long> {
    let changes = CHANGES.iter().chain(CHANGES_OF_OLD).map(|call| call.0);
    let opens = OPENS.iter().map(|call| call.0);
    let looks = LOOKS.iter().map(|call| call.0);
    changes.chain(opens).chain(looks).chain([libc::SYS_openat2])
}

/// What a call does with the files that it names; none where it names none that matter, or is no such call.
pub fn files(number: i32, arguments: &[u64; 6]) -> Option<(Purpose, Vec<Named>)> {
    let number = libc::c_long::from(number);
    let folder = |at: Folder| at.map_or(libc::AT_FDCWD, |at| low(arguments[at]));
    if let Some((_, _, at, name, flags)) = OPENS.iter().find(|call| call.0 == number) {
        let flags = low(arguments[*flags]);
        let named = Named {
            folder: folder(*at),
            name: arguments[*name],
            follows: flags & libc::O_NOFOLLOW == 0
                && flags & (libc::O_CREAT | libc::O_EXCL) != libc::O_CREAT | libc::O_EXCL,
        };
        return Some((purpose(flags)?, vec![named]));
    }
    if let Some((_, _, at, name)) = LOOKS.iter().find(|call| call.0 == number) {
        let named = Named {
            folder: folder(*at),
            name: arguments[*name],
            // What lies behind a link is in the same folders, or is judged when it is opened.
            follows: false,
        };
        return Some((Purpose::Look, vec![named]));
    }
    let mut changes = CHANGES.iter().chain(CHANGES_OF_OLD);
    let Call(_, _, places) = changes.find(|call| call.0 == number)?;
    let flags = low(arguments[3]);
    let stays = number == libc::SYS_utimensat && flags & libc::AT_SYMLINK_NOFOLLOW != 0;
    let named = places.iter().map(|(at, name, follows)| Named {
        folder: folder(*at),
        name: arguments.get(*name).copied().unwrap_or(0),
        follows: *follows && !stays,
    });
    let purpose = if MAKES.contains(&number) {
        Purpose::Make
    } else {
        Purpose::Change
    };
    Some((purpose, named.collect()))
}

/// Whether after this call a name may lead to another file.
pub fn moves_names(number: i32) -> bool {
    MOVES.contains(&libc::c_long::from(number)) || links(number)
}

/// Whether it makes a link, of either kind.
pub fn links(number: i32) -> bool {
    LINKS.contains(&libc::c_long::from(number))
}

/// Address of the text that a symbolic link is to hold; none where a call makes none.
pub fn target(number: i32, arguments: &[u64; 6]) -> Option<u64> {
    let makes = [libc::SYS_symlink, libc::SYS_symlinkat];
    makes
        .contains(&libc::c_long::from(number))
        .then_some(arguments[0])
}

/// The file that a call gives to another user, and the ids of user and group; none where it is no such call.
pub fn owner(number: i32, arguments: &[u64; 6]) -> Option<(Named, [u32; 2])> {
    let number = libc::c_long::from(number);
    let (_, folder, name, follows, user) = OWNERS.iter().find(|call| call.0 == number)?;
    let named = Named {
        folder: folder.map_or(libc::AT_FDCWD, |at| low(arguments[at])),
        name: arguments.get(*name).copied().unwrap_or(0),
        follows: *follows,
    };
    Some((
        named,
        [arguments[*user] as u32, arguments[*user + 1] as u32],
    ))
}

/// None where the file is only looked at.
fn purpose(flags: i32) -> Option<Purpose> {
    if flags & libc::O_PATH != 0 {
        None
    } else if flags & (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC) == libc::O_RDONLY {
        Some(Purpose::Read)
    } else if flags & (libc::O_CREAT | libc::O_EXCL) == libc::O_CREAT | libc::O_EXCL {
        Some(Purpose::Make)
    } else {
        Some(Purpose::Change)
    }
}

/// The call's name, for messages.
pub fn name(number: i32) -> String {
    let number = libc::c_long::from(number);
    let changes = CHANGES.iter().chain(CHANGES_OF_OLD);
    let mut names = changes
        .map(|call| (call.0, call.1))
        .chain(OPENS.iter().map(|call| (call.0, call.1)))
        .chain(LOOKS.iter().map(|call| (call.0, call.1)))
        .chain(OTHERS.iter().copied());
    let known = names.find(|(known, _)| *known == number);
    known.map_or_else(|| format!("number {number}"), |(_, name)| name.to_owned())
}

/// The kernel looks at no more of an `int`.
fn low(argument: u64) -> i32 {
    (argument as u32).cast_signed()
}
