package claims

import (
	"path"
	"slices"
	"strings"
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
