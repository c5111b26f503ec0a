package sqlite

import (
	"bytes"
	"encoding/binary"
	"io"
)

const (
	logHeader   = 32
	frameHeader = 24
	logMagic    = 0x377f0682 // the last bit says whether sums are of big-endian words
)

// A log is a write-ahead log: pages that are newer than those of the file.
type log struct {
	file  io.ReaderAt
	head  [logHeader]byte
	at    map[uint32]int64 // of the newest of each page, up to the last commit
	pages uint32           // in the database behind that commit; 0 when there is none
}

// openLog reads where the pages of a log lie; nil when there is no log, or
// none of this database.
func openLog(f io.ReaderAt, pageSize int) *log {
	if f == nil {
		return nil
	}
	l := &log{file: f, at: map[uint32]int64{}}
	_, err := f.ReadAt(l.head[:], 0)
	if err != nil || binary.BigEndian.Uint32(l.head[:])&^1 != logMagic || int(binary.BigEndian.Uint32(l.head[8:])) != pageSize {
		return nil
	}
	l.frames(pageSize)
	return l
}

// frames goes through the log for as long as the sums hold, each of which is of
// all that is before it. What is behind the last commit does not count.
func (l *log) frames(pageSize int) {
	var order binary.ByteOrder = binary.LittleEndian
	if l.head[3]&1 == 1 {
		order = binary.BigEndian
	}
	var sum checksum
	if sum.add(order, l.head[:24]); !sum.is(l.head[24:]) {
		return
	}
	pending := map[uint32]int64{}
	frame := make([]byte, frameHeader+pageSize)
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if _, err := l.file.ReadAt(frame, at); err != nil || !bytes.Equal(frame[8:16], l.head[16:24]) {
			return
		}
		sum.add(order, frame[:8])
		if sum.add(order, frame[frameHeader:]); !sum.is(frame[16:]) {
			return
		}
		pending[binary.BigEndian.Uint32(frame)] = at + frameHeader
		if pages := binary.BigEndian.Uint32(frame[4:]); pages > 0 {
			for n, at := range pending {
				l.at[n] = at
			}
			clear(pending)
			l.pages = pages
		}
	}
}

func (l *log) find(page uint32) (int64, bool) {
	if l == nil {
		return 0, false
	}
	at, ok := l.at[page]
	return at, ok
}

// steady reports whether the log has not been begun anew.
func (l *log) steady() bool {
	if l == nil {
		return true
	}
	var now [logHeader]byte
	_, err := l.file.ReadAt(now[:], 0)
	return err == nil && now == l.head
}

// A checksum is that of the log's format.
type checksum [2]uint32

func (s *checksum) add(order binary.ByteOrder, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
}

func (s *checksum) is(b []byte) bool {
	return s[0] == binary.BigEndian.Uint32(b) && s[1] == binary.BigEndian.Uint32(b[4:])
}
