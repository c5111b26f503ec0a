package store

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

// Beside a large table lies a list of where in its sorted part each id is, so that nobody
// has to look for one in all of it. It begins with the title of its table, which ends the
// list when another takes its place. It is for speed only, and may be deleted.
//
// On disk it is a line, the title, how many pairs follow in eight bytes, and the pairs of
// four bytes each, the checksum of an id and an offset, by checksum: these are spread
// evenly, and an id is found by reading the list where it would have to be.

const (
	idsName  = "files.ids"
	idsMagic = "learnings-ids-1\n"
	idsPair  = 8
	idsNear  = 1024 // how many pairs are read before and behind that place
)

// An idList is such a list, where there is one.
type idList struct {
	file  *os.File
	begin int64 // of its pairs
	n     int   // how many there are
}

func sumOf(id lessons.ID) uint32 { return crc32.ChecksumIEEE([]byte(id)) }

// openIDs gives the list of the table with a title, or nil.
func openIDs(state, title string) *idList {
	f, err := os.Open(filepath.Join(state, idsName))
	if err != nil {
		return nil
	}
	head := idsMagic + title
	b := make([]byte, len(head)+8)
	info, err := f.Stat()
	if n, _ := f.ReadAt(b, 0); err == nil && n == len(b) && string(b[:len(head)]) == head {
		count := binary.BigEndian.Uint64(b[len(head):])
		if rest := uint64(info.Size()) - uint64(n); count == rest/idsPair && rest%idsPair == 0 {
			return &idList{f, int64(n), int(count)}
		}
	}
	f.Close()
	return nil
}

// at gives the offsets of the records that may have an id; known is false when the list
// does not say.
func (l *idList) at(id lessons.ID) (offsets []int, known bool) {
	if l.n == 0 {
		return nil, false
	}
	sum := sumOf(id)
	for near := idsNear; ; near *= 8 {
		place := int(uint64(sum) * uint64(l.n) >> 32)
		from, to := max(place-near, 0), min(place+near, l.n)
		b := make([]byte, (to-from)*idsPair)
		if n, _ := l.file.ReadAt(b, l.begin+int64(from)*idsPair); n < len(b) {
			return nil, false
		}
		first, last := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[len(b)-idsPair:])
		if from > 0 && first >= sum || to < l.n && last <= sum {
			continue
		}
		for ; len(b) > 0; b = b[idsPair:] {
			if binary.BigEndian.Uint32(b) == sum {
				offsets = append(offsets, int(binary.BigEndian.Uint32(b[4:])))
			}
		}
		return offsets, true
	}
}

// saveIDs leaves the list of a table. Errors are ignored.
func saveIDs(state, title, sorted string) {
	var pairs []uint64
	for at := 0; at < len(sorted); {
		e, n, ok := parseRecord(sorted[at:])
		if !ok {
			return
		}
		pairs = append(pairs, uint64(sumOf(e.id))<<32|uint64(at))
		at += n
	}
	slices.Sort(pairs)
	b := binary.BigEndian.AppendUint64(append([]byte(idsMagic), title...), uint64(len(pairs)))
	for _, p := range pairs {
		b = binary.BigEndian.AppendUint64(b, p)
	}
	_ = atomicfile.Write(filepath.Join(state, idsName), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// removeIDs comes before a table is replaced.
func removeIDs(state string) { _ = os.Remove(filepath.Join(state, idsName)) }

// having gives the records of an id.
func (t tableText) having(id lessons.ID) []entry {
	if t.ids != nil {
		if offsets, known := t.ids.at(id); known {
			var out []entry
			for _, at := range offsets {
				at = min(at, t.size)
				e, _, ok := parseRecord(t.part(at, min(t.size, at+mostRecord)))
				if !ok || e.id != id { // another has the same checksum, or the list is damaged
					return t.scan(endOfPath + string(id) + "\x00")
				}
				out = append(out, e)
			}
			return out
		}
	}
	return t.scan(endOfPath + string(id) + "\x00")
}
