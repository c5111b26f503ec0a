package claims

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Limits on what a repository may have us read.
const (
	mostIndex   = 64 << 20 // bytes of git's index: some 500,000 files
	mostEntries = 600_000
	mostSmall   = 64 << 10 // bytes of a file that git keeps beside it
	mostPath    = 4096
)

// An entry is a file that git tracks.
type entry struct {
	path  string
	mtime int64 // in seconds, as git has last seen it
	kind  fileKind
}

type fileKind uint8

const (
	regular   fileKind = iota
	link               // symbolic
	submodule          // of which nothing more is known
	sparse             // a folder that is not checked out, of which nothing more is known
)

// A gitDir is where a repository keeps its index.
type gitDir struct {
	dir, common string // common is that of the main worktree
	sha256      bool
}

// readIndex reads the files that a repository tracks, in the order of their paths.
func (g gitDir) readIndex() ([]entry, error) {
	b, err := readSmall(filepath.Join(g.dir, "index"), mostIndex)
	if err != nil {
		return nil, err
	}
	hash := 20
	if g.sha256 {
		hash = 32
	}
	entries, err := parseIndex(b, hash)
	if err != nil {
		return nil, fmt.Errorf("reading the index of %s: %w", g.dir, err)
	}
	return entries, nil
}

var errIndex = errors.New("it is damaged, or of a form that is not known")

// parseIndex reads git's index, versions 2 to 4; hash is how long its hashes are. One
// that is split over two files is refused.
func parseIndex(b []byte, hash int) ([]entry, error) {
	if len(b) < 12+hash || string(b[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, n := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 || n > mostEntries || int(n) > len(b)/(42+hash) {
		return nil, errIndex
	}
	end := len(b) - hash
	all := string(b)
	entries := make([]entry, 0, n)
	at, last := 12, ""
	for range n {
		fixed := 40 + hash + 2
		if at+fixed > end {
			return nil, errIndex
		}
		e := entry{mtime: int64(binary.BigEndian.Uint32(b[at+8:]))}
		switch mode := binary.BigEndian.Uint32(b[at+24:]); mode >> 12 {
		case 0o12:
			e.kind = link
		case 0o16:
			e.kind = submodule
		case 0o4:
			e.kind = sparse
		}
		if binary.BigEndian.Uint16(b[at+40+hash:])&0x4000 != 0 {
			if version < 3 {
				return nil, errIndex
			}
			fixed += 2
		}
		from, cut := at+fixed, 0
		if version == 4 {
			var ok bool
			if cut, from, ok = varint(b[:end], from); !ok || cut > len(last) {
				return nil, errIndex
			}
		}
		size := bytes.IndexByte(b[min(from, end):end], 0)
		if size < 0 || size > mostPath {
			return nil, errIndex
		}
		e.path = all[from : from+size]
		if version == 4 {
			e.path = last[:len(last)-cut] + e.path
			if len(e.path) > mostPath {
				return nil, errIndex
			}
			last, at = e.path, from+size+1
		} else {
			at += (fixed + size + 8) &^ 7
		}
		if filepath.IsLocal(strings.TrimSuffix(e.path, "/")) {
			entries = append(entries, e)
		}
	}
	return entries, extensions4(b[min(at, end):end])
}

// varint reads a number as git's version 4 has it.
func varint(b []byte, at int) (n, next int, ok bool) {
	for i := range 5 {
		if at >= len(b) {
			return 0, at, false
		}
		c := b[at]
		at++
		if i > 0 {
			n++
		}
		n = n<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return n, at, true
		}
	}
	return 0, at, false
}

// extensions4 looks for what says that the entries are not all.
func extensions4(b []byte) error {
	for len(b) >= 8 {
		if string(b[:4]) == "link" {
			return errIndex
		}
		size := binary.BigEndian.Uint32(b[4:])
		if uint64(size) > uint64(len(b)-8) {
			return errIndex
		}
		b = b[8+size:]
	}
	return nil
}

// findGit looks for the repository of a folder, in it and above it.
func findGit(dir string) (root string, g gitDir, ok bool) {
	for range 64 {
		at := filepath.Join(dir, ".git")
		if info, err := os.Lstat(at); err == nil {
			switch {
			case info.IsDir():
				g.dir = at
			case info.Mode().IsRegular():
				g.dir = pointed(at, dir, "gitdir: ")
			}
			if g.dir == "" {
				return "", g, false
			}
			g.common = g.dir
			if common := pointed(filepath.Join(g.dir, "commondir"), g.dir, ""); common != "" {
				g.common = common
			}
			conf, _ := readSmall(filepath.Join(g.common, "config"), mostSmall)
			g.sha256 = strings.Contains(strings.ToLower(strings.ReplaceAll(string(conf), " ", "")), "objectformat=sha256")
			return dir, g, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", g, false
}

// pointed reads a file that names a folder.
func pointed(file, dir, prefix string) string {
	b, err := readSmall(file, mostSmall)
	text, ok := strings.CutPrefix(strings.TrimSpace(string(b)), prefix)
	if err != nil || !ok || text == "" || strings.ContainsAny(text, "\x00\n") {
		return ""
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(dir, text)
	}
	return text
}

// readSmall reads a regular file that is not longer than most; it waits for no pipe.
func readSmall(name string, most int64) ([]byte, error) {
	if info, err := os.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return readAll(f, most)
}

// readAll reads what is open and closes it.
func readAll(f *os.File, most int64) ([]byte, error) {
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", f.Name())
	case info.Size() > most:
		return nil, fmt.Errorf("%s is longer than %d bytes", f.Name(), most)
	}
	b := make([]byte, info.Size())
	n, err := io.ReadFull(f, b)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

// stamp tells one state of a file from another.
func stamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d-%d", info.ModTime().UnixNano(), info.Size())
}

// now is when a search begins.
var now = time.Now
