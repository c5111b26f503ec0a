package claims

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// A need is a text to be found in the files of a tree.
type need struct {
	text  string
	edges bool   // nothing that a name could have stands before or behind it
	front bool   // nothing of the kind stands before it
	below string // only in this file or folder; "" for all

	code  bool   // it was found in code
	prose bool   // it was found in a text for people that is no list of changes
	at    string // where
}

func (n *need) key() string {
	return fmt.Sprintf("%s\x00%v\x00%v\x00%s", n.text, n.edges, n.front, n.below)
}

// found reports that nothing more is to be looked for.
func (n *need) found() bool { return n.code }

const (
	mostFile = 1 << 20 // bytes of a file that is searched
	searches = 3       // at the same time
	fresh    = 3600    // seconds for which a search holds for files that git has not seen change
)

// open reads a file; see [Tree.read].
func (t *Tree) open(name string, most int64) ([]byte, bool) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, false
	}
	f, err := t.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	b, err := readAll(f, most)
	return b, err == nil
}

// search looks for some texts in all files. It is false when there was no time for all.
func (t *Tree) search(needs ...*need) (whole bool) {
	start := now()
	var open []*need
	since, from := start.Unix(), -1
	for _, n := range needs {
		was := t.cache.Needs[n.key()]
		if was.At != "" {
			if b, ok := t.open(was.At, mostFile); ok && n.look(was.At, b) && n.found() {
				continue
			}
		}
		open = append(open, n)
		if start.Unix()-was.Full > fresh {
			since = 0
		}
		since = min(since, was.Full)
		if was.State != t.state {
			was.Upto = 0
		}
		if from < 0 || was.Upto < from {
			from = was.Upto
		}
		n.prose = n.prose || was.Prose
	}
	if len(open) == 0 {
		return true
	}
	if since > 0 {
		from = 0
	}
	// What git tracks comes first; where there is no time for all, the next one goes on.
	upto := t.searchFiles(open, from, since)
	if upto >= len(t.entries) && since == 0 && !allFound(open) && !t.over(start) {
		t.walk()
		upto = t.searchFiles(open, upto, 0)
	}
	whole = upto >= len(t.entries) && (since > 0 || t.walked)
	for _, n := range open {
		a := answer{At: n.at, Prose: n.prose}
		switch {
		case n.code:
		case whole && since == 0:
			a.Full = start.Unix()
		case whole:
			a.Full = t.cache.Needs[n.key()].Full
		default:
			a.Upto, a.State = upto, t.state
		}
		t.cache.setNeed(n.key(), a)
	}
	return whole || allFound(open)
}

func allFound(needs []*need) bool {
	for _, n := range needs {
		if !n.found() {
			return false
		}
	}
	return true
}

// searchFiles goes through the files from a place on that changed since a time, in
// seconds. It says how far it got.
func (t *Tree) searchFiles(needs []*need, from int, since int64) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var next atomic.Int64
	var done, late atomic.Bool
	start := now()
	next.Store(int64(from))
	for range searches {
		wg.Go(func() {
			for !done.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(t.entries) {
					return
				}
				e := t.entries[i]
				if e.kind != regular || since > 0 && e.mtime < since-2 || !searchable(e.path) || !wanted(needs, e.path) {
					continue
				}
				if t.over(start) {
					late.Store(true)
					return
				}
				b, ok := t.open(e.path, mostFile)
				if !ok || bytes.IndexByte(b[:min(len(b), 512)], 0) >= 0 {
					continue
				}
				for _, n := range needs {
					mine := need{text: n.text, edges: n.edges, front: n.front, below: n.below}
					if !mine.look(e.path, b) {
						continue
					}
					mu.Lock()
					if n.prose = n.prose || mine.prose; mine.code && !n.code {
						n.code, n.at = true, e.path
						done.Store(allFound(needs))
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if late.Load() {
		return max(int(next.Load())-searches, from)
	}
	return len(t.entries)
}

func wanted(needs []*need, file string) bool {
	for _, n := range needs {
		if n.in(file) {
			return true
		}
	}
	return false
}

func (n *need) in(file string) bool {
	return n.below == "" || file == n.below || strings.HasPrefix(file, n.below+"/")
}

// look looks into a file.
func (n *need) look(file string, b []byte) bool {
	if !n.in(file) {
		return false
	}
	prose := isProse(file)
	if prose && isHistory(file) {
		return false
	}
	text := []byte(n.text)
	for at := 0; ; {
		i := bytes.Index(b[at:], text)
		if i < 0 {
			return false
		}
		i += at
		at = i + 1
		end := i + len(text)
		if (n.edges || n.front) && i > 0 && nameByte(b[i-1]) || n.edges && end < len(b) && nameByte(b[end]) {
			continue
		}
		if prose {
			n.prose = true
			return true
		}
		if !comment(b, i) {
			n.code, n.at = true, file
			return true
		}
	}
}

func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// comment reports that the line of a place is one.
func comment(b []byte, i int) bool {
	line := b[bytes.LastIndexByte(b[:i], '\n')+1 : i]
	line = bytes.TrimLeft(line, " \t")
	for _, p := range []string{"//", "# ", "* ", "/*", "-- ", ";; ", "<!--"} {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	return false
}

func ext(file string) string { return strings.ToLower(path.Ext(file)) }

// isProse reports that a file is a text for people.
func isProse(file string) bool {
	switch ext(file) {
	case ".md", ".mdx", ".rst", ".txt", ".adoc", ".org", ".markdown":
		return !strings.HasPrefix(path.Base(file), "requirements") && path.Base(file) != "CMakeLists.txt"
	case "":
		base := strings.ToUpper(path.Base(file))
		return in(base, "README LICENSE COPYING AUTHORS NEWS CHANGES CHANGELOG HISTORY TODO")
	}
	return false
}

// isHistory reports that a text tells of what once was.
func isHistory(file string) bool {
	low := strings.ToLower(file)
	for _, s := range []string{"change", "history", "news", "release", "migrat", "upgrad", "/adr", "decisions", "archive", "todo"} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// isSource reports that a file of this name is written by people.
func isSource(file string) bool {
	return !strings.Contains(" .json .jsonl .yaml .yml .toml .ini .cfg .conf .xml .html .htm .css .csv .tsv .txt .lock .sum .svg .png .jpg .gif .ico .pdf .env .snap .golden .sql .patch .diff .mod .work .plist .template .sample .map ", " "+ext(file)+" ")
}

// searchable reports whether names are looked for in a file.
func searchable(file string) bool {
	switch ext(file) {
	case ".png", ".jpg", ".jpeg", ".gif", ".ico", ".pdf", ".svg", ".lock", ".sum", ".zip", ".gz", ".xz", ".woff", ".woff2", ".ttf", ".mp4", ".bin", ".so", ".a", ".map", ".snap", ".jsonl", ".csv", ".wasm":
		return false
	}
	base := path.Base(file)
	return !strings.Contains(base, ".min.") && base != "package-lock.json"
}
