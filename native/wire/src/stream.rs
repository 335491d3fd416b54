//! Frames on a stream: whole frames out, pieces of any size in.
//!
//! Comes in: bodies to send; bytes as a pipe hands them over. Goes out: bytes; bodies, once complete.
//! Does not know: what a body means, where the bytes come from.

use crate::WireError;
use crate::frame::{FRAME_HEADER, split_frame};

/// Appends a frame with this body.
pub fn write_frame(bytes: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; FRAME_HEADER]);
    body(bytes);
    let length = (bytes.len() - start - FRAME_HEADER) as u32;
    bytes[start..start + FRAME_HEADER].copy_from_slice(&length.to_le_bytes());
}

/// Puts frames together from pieces.
#[derive(Clone, Debug, Default)]
pub struct FrameReader {
    received: Vec<u8>,
    /// Bytes at the front that belong to frames already handed out.
    used: usize,
}

impl FrameReader {
    /// Has received nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes of the stream.
    pub fn feed(&mut self, piece: &[u8]) {
        if self.used > 0 {
            self.received.drain(..self.used);
            self.used = 0;
        }
        self.received.extend_from_slice(piece);
    }

    /// The body of the next frame; `None` until it is complete.
    ///
    /// # Errors
    /// [`WireError::Damaged`] if its length cannot be meant.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, WireError> {
        let from = self.used;
        match split_frame(&self.received[from..])? {
            None => Ok(None),
            Some((body, taken)) => {
                self.used += taken;
                Ok(Some(body))
            }
        }
    }

    /// Bytes received that are not part of a frame handed out.
    pub fn pending(&self) -> usize {
        self.received.len() - self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_whole_whatever_the_pieces() {
        let mut stream = Vec::new();
        for body in [&b"one"[..], b"", b"three"] {
            write_frame(&mut stream, |bytes| bytes.extend_from_slice(body));
        }
        for size in 1..=stream.len() {
            let mut reader = FrameReader::new();
            let mut bodies = Vec::new();
            for piece in stream.chunks(size) {
                reader.feed(piece);
                while let Some(body) = reader.next_frame().unwrap() {
                    bodies.push(body.to_vec());
                }
            }
            assert_eq!(bodies, [&b"one"[..], b"", b"three"]);
            assert_eq!(reader.pending(), 0);
        }
    }
}
