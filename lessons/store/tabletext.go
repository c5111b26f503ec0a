package store

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// A tableText is the sorted part of a table. It may be 28 MB, of which nearly always a
// few records are asked for, so it stays in the file until all of it is. Nobody changes
// it there: a table is appended to, or replaced by another file.
type tableText struct {
	text string   // all of it, or
	file *os.File // where it is
	at   int64    // in the file
	size int
	ids  *idList // where each id is; nil where nobody has noted it
}

const (
	textBlock  = 64 << 10 // what is read rather than searched in the file
	mostRecord = 8 << 10  // a path and a little more
)

// inFile is the text of that size at an offset of a file, which is its from now on.
func inFile(f *os.File, at int64, size int) (tableText, error) {
	t := tableText{file: f, at: at, size: size}
	if size > textBlock && runtime.GOOS != "windows" { // where a file that is open cannot be replaced
		return t, nil
	}
	defer f.Close()
	b := make([]byte, size)
	if n, err := f.ReadAt(b, at); n < size {
		return t, fmt.Errorf("reading the file table: %w", err)
	}
	return asText(unsafe.String(unsafe.SliceData(b), len(b))), nil
}

func asText(s string) tableText { return tableText{text: s, size: len(s)} }

// part gives some of the text. What the file does not hold any more, damaged since it
// was opened, is missing.
func (t tableText) part(from, to int) string {
	if t.file == nil {
		return t.text[from:to]
	}
	b := make([]byte, to-from)
	n, _ := t.file.ReadAt(b, t.at+int64(from))
	return unsafe.String(unsafe.SliceData(b), n)
}

// seek gives the offset of the first record with a path, or with one that follows it.
func (t tableText) seek(path string) int {
	lo, hi := 0, t.size // both where a record begins, or at the end
	for hi-lo > textBlock {
		mid := lo + (hi-lo)/2
		from := max(lo, mid-mostRecord)
		some := t.part(from, min(hi, mid+2*mostRecord))
		begin := -1
		if i := strings.Index(some[min(mid-from, len(some)):], endOfPath); i >= 0 {
			begin = strings.LastIndexByte(some[:mid-from+i], 0) + 1
		}
		if begin < 0 || begin == 0 && from > lo {
			break // no record is so long
		}
		switch e, n, ok := parseRecord(some[begin:]); {
		case !ok:
			return lo
		case e.path < path:
			lo = from + begin + n
		default:
			hi = from + begin
		}
	}
	return lo + seekIn(t.part(lo, hi), path)
}

// seekIn is seek in a text.
func seekIn(text, path string) int {
	lo, hi := 0, len(text)
	for lo < hi {
		mid, at := lo+(hi-lo)/2, lo
		if i := strings.Index(text[mid:hi], endOfPath); i >= 0 {
			at = lo + strings.LastIndexByte(text[lo:mid+i], 0) + 1
		}
		switch e, n, ok := parseRecord(text[at:]); {
		case !ok:
			return lo
		case e.path < path:
			lo = at + n
		default:
			hi = at
		}
	}
	return lo
}

// scan gives the records in which something stands. Of those that a reading cuts the
// one before or behind it has all.
func (t tableText) scan(needle string) []entry {
	if t.file == nil {
		return scanIn(nil, t.text, needle, true)
	}
	var out []entry
	buf := make([]byte, min(t.size, 4*textBlock))
	for at := 0; at < t.size; at += 4*textBlock - 2*mostRecord {
		n, _ := t.file.ReadAt(buf[:min(len(buf), t.size-at)], t.at+int64(at))
		if bytes.Contains(buf[:n], []byte(needle)) {
			out = scanIn(out, string(buf[:n]), needle, at == 0)
		}
	}
	return out
}

// scanIn adds those of a text; whole says that it does not begin within a record.
func scanIn(out []entry, text, needle string, whole bool) []entry {
	for at := 0; ; {
		i := strings.Index(text[at:], needle)
		if i < 0 {
			return out
		}
		begin := strings.LastIndexByte(text[:at+i], 0) + 1
		if at += i + len(needle); begin == 0 && !whole {
			continue
		}
		if e, _, ok := parseRecord(text[begin:]); ok && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
}
