package claims

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// lookSymbol searches the code for a name. A qualified name is searched for in the folder
// or file that the qualifier names, if there is one.
func (t *Tree) lookSymbol(c Claim) (verdict, bool) {
	parts := strings.Split(c.Name, ".")
	last := parts[len(parts)-1]
	n := &need{text: last, edges: c.In != "prefix", front: true}
	if len(parts) == 1 {
		return t.named(n)
	}
	q := parts[len(parts)-2]
	if t.findPath(strings.Join(parts, "/")) == holds {
		return holds, true
	}
	// A qualifier that is a folder or file of the tree.
	if at := t.modules(q); len(at) > 0 {
		needs := []*need{{text: q + "." + last, edges: true}}
		for _, folder := range at {
			needs = append(needs, &need{text: last, edges: true, below: folder})
		}
		sure := t.search(needs...)
		for _, n := range needs {
			if n.code {
				return holds, true
			}
		}
		return gone, sure
	}
	if v, sure := t.named(n); v == holds || !sure {
		return v, sure
	}
	// A missing name counts only on a type of the project: one of a library may just be
	// unused.
	whose := &need{text: q, edges: true}
	needs := []*need{whose}
	for word := range strings.FieldsSeq("type class struct interface enum trait object module namespace record protocol") {
		needs = append(needs, &need{text: word + " " + q, edges: true})
	}
	sure := t.search(needs...)
	capital := func(s string) bool { return s[0] >= 'A' && s[0] <= 'Z' }
	switch {
	case slices.ContainsFunc(needs[1:], func(n *need) bool { return n.code }):
		return gone, true
	case sure && !whose.code && (strong(last) || capital(q) || capital(last)):
		return gone, true
	}
	return unknown, sure
}

// named searches the code for a text. If only documentation has it, the verdict is
// unknown: it may be a name from elsewhere.
func (t *Tree) named(n *need) (verdict, bool) {
	sure := t.search(n)
	switch {
	case n.code, n.prose:
		return holds, true
	}
	return gone, sure
}

const mostModules = 8

// modules returns the folders and code files named like a qualifier.
func (t *Tree) modules(q string) (out []string) {
	for _, e := range t.entries {
		dir, file := path.Split(e.path)
		dir = strings.TrimSuffix(dir, "/")
		at := ""
		switch {
		case ext(file) == ".go" && path.Base(dir) == q:
			at = dir
		case strings.TrimSuffix(file, path.Ext(file)) == q && (ext(file) == ".py" || ext(file) == ".rs" || ext(file) == ".ex"):
			at = e.path
		default:
			continue
		}
		if n := len(out); n == 0 || out[n-1] != at {
			out = append(out, at)
		}
		if len(out) > mostModules {
			return nil
		}
	}
	return out
}

// lookFlag searches for an option of one of the project's programs.
func (t *Tree) lookFlag(c Claim) (verdict, bool) {
	program := c.In
	name := strings.TrimPrefix(strings.TrimPrefix(c.Name, "--"), "no-")
	snake := strings.ReplaceAll(name, "-", "_")
	needs := []*need{{text: "--" + name, edges: true}, {text: c.Name, edges: true}, {text: `"` + name + `"`}, {text: "'" + name + "'"}, {text: "`" + name + "`"}}
	if snake != name {
		needs = append(needs, &need{text: snake, edges: true}, &need{text: camel(name), edges: true})
	}
	if hasExtension(program) {
		if t.findPath(program) != holds {
			return unknown, true // the path is what is missing
		}
		needs = append(needs, &need{text: name, edges: true, below: strings.TrimPrefix(program, "./")})
	} else {
		needs = append(needs, &need{text: snake + ":", front: true, below: ".rs"}) // a field of clap's
	}
	sure := t.search(needs...)
	for i, n := range needs {
		if n.code || i < 2 && n.prose && program == "" {
			return holds, true
		}
	}
	return gone, sure
}

func camel(s string) string {
	first, rest, _ := strings.Cut(s, "-")
	for part := range strings.SplitSeq(rest, "-") {
		if part != "" {
			first += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return first
}

// lookPackage looks for a dependency in the manifests and then, since standard libraries
// are in no manifest, in the code.
func (t *Tree) lookPackage(c Claim) (verdict, bool) {
	name := c.Name
	some, of := false, false
	for _, e := range t.manifests(isManifest) {
		b, ok := t.read(e, mostManifest)
		if !ok {
			return unknown, true
		}
		text := string(b)
		if path.Base(e) == "go.mod" {
			if requires(text, name) {
				return holds, true
			}
		} else if mentions(strings.ToLower(text), strings.ToLower(name)) || mentions(strings.ToLower(strings.ReplaceAll(text, "_", "-")), strings.ToLower(strings.ReplaceAll(name, "_", "-"))) {
			return holds, true
		}
		some = true
		scope, _, ok := strings.Cut(name, "/")
		of = of || ok && strings.HasPrefix(scope, "@") && strings.Contains(text, scope+"/") || strings.Contains(scope, ".") && path.Base(e) == "go.mod" && strings.Count(name, "/") > 1
	}
	switch {
	case !some, c.Loose && strings.ContainsAny(name, "@/") && !of:
		return unknown, true
	case in(name, standard) || t.isFolder(name):
		return unknown, true
	}
	n := &need{text: name, edges: true}
	sure := t.search(n)
	if n.code || t.findPath(name) == holds {
		return unknown, true
	}
	return gone, sure
}

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
			t.cache.Found[n.key()], t.cache.changed = n.at, true
		}
	}
	return whole || allFound(open)
}

// allFound reports whether the search is complete.
func allFound(needs []*need) bool {
	return !slices.ContainsFunc(needs, func(n *need) bool { return !n.code })
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
	return slices.ContainsFunc([]string{"//", "# ", "* ", "/*", "-- ", ";; ", "<!--"}, func(p string) bool { return bytes.HasPrefix(line, []byte(p)) })
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
	return slices.ContainsFunc([]string{"change", "history", "news", "release", "migrat", "upgrad", "/adr", "decisions", "archive", "todo"}, func(s string) bool {
		return strings.Contains(low, s)
	})
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
