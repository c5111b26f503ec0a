package claims

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// A need is a text to search for in a tree.
type need struct {
	text  string
	edges bool   // only as a whole name
	front bool   // only at the start of a name
	below string // only in this file or folder, or in files with this suffix; "" for all

	code  bool   // found in code
	prose bool   // found in documentation other than a changelog
	at    string // where
}

func (n *need) key() string {
	return fmt.Sprintf("%s\x00%v\x00%v\x00%s", n.text, n.edges, n.front, n.below)
}

const mostFile = 1 << 20 // bytes of a file that are searched

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

// readAll reads and closes a regular file of at most most bytes.
func readAll(f *os.File, most int64) ([]byte, error) {
	defer f.Close()
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() > most) {
		err = fmt.Errorf("%s is no regular file, or longer than %d bytes", f.Name(), most)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// search searches all files for some texts: first where they were found before, then the
// tracked files, then others. It returns false if time ran out.
func (t *Tree) search(needs ...*need) (whole bool) {
	var open []*need
	for _, n := range needs {
		at := t.cache.Found[n.key()]
		if b, ok := t.open(at, mostFile); at == "" || !ok || !n.look(at, b) || !n.code {
			open = append(open, n)
		}
	}
	if len(open) == 0 {
		return true
	}
	whole = t.git == "" || t.grep(open)
	if whole && !allFound(open) {
		whole = t.walk()
		start := now()
		for _, e := range t.entries[t.others:] {
			if whole = whole && !t.over(start); !whole || allFound(open) {
				break
			}
			if b, ok := t.open(e.path, mostFile); ok && bytes.IndexByte(b[:min(len(b), 512)], 0) < 0 {
				for _, n := range open {
					n.look(e.path, b)
				}
			}
		}
	}
	for _, n := range open {
		if n.code {
			t.cache.found(n.key(), n.at)
		}
	}
	return whole || allFound(open)
}

// allFound reports whether the search is complete.
func allFound(needs []*need) bool {
	for _, n := range needs {
		if !n.code {
			return false
		}
	}
	return true
}

// look searches a file, or a part of it.
func (n *need) look(file string, b []byte) bool {
	if n.code || !searchable(file) || n.below != "" && file != n.below && !strings.HasPrefix(file, n.below+"/") && ext(file) != n.below {
		return n.code
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

// comment reports whether the line at a position is a comment.
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

// isProse reports whether a file is documentation.
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

// isHistory reports whether a file tells of the past, as a changelog does.
func isHistory(file string) bool {
	low := strings.ToLower(file)
	for _, s := range []string{"change", "history", "news", "release", "migrat", "upgrad", "/adr", "decisions", "archive", "todo"} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// isSource reports whether people write files of this name.
func isSource(file string) bool {
	return !strings.Contains(" .json .jsonl .yaml .yml .toml .ini .cfg .conf .xml .html .htm .css .csv .tsv .txt .lock .sum .svg .png .jpg .gif .ico .pdf .env .snap .golden .sql .patch .diff .mod .work .plist .template .sample .map ", " "+ext(file)+" ")
}

// searchable reports whether a file is searched for names.
func searchable(file string) bool {
	switch ext(file) {
	case ".png", ".jpg", ".jpeg", ".gif", ".ico", ".pdf", ".svg", ".lock", ".sum", ".zip", ".gz", ".xz", ".woff", ".woff2", ".ttf", ".mp4", ".bin", ".so", ".a", ".map", ".snap", ".jsonl", ".csv", ".wasm":
		return false
	}
	base := path.Base(file)
	return !strings.Contains(base, ".min.") && base != "package-lock.json"
}
