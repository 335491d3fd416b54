//! One child process.
