package extractor

import (
	"io"
	"path"
	"path/filepath"
	"strings"

	"learnings/extractor/transcript"
)

// An Exclusion names the sessions that are not read: no rule sees them, and no word of
// them is sent to a model.
type Exclusion struct {
	patterns []exclusion
	project  func(dir string) string
}

type exclusion struct {
	written string
	globs   []string // of folders, in lower case with slashes; none for a project
}

// NewExclusion makes an Exclusion of patterns as a person writes them. A pattern with a
// slash or backslash, or that begins with ~, is a folder: it excludes a session that
// began in or below that folder, or whose transcript lies there. Any other is the name
// of a project. Both may use the wildcards of [path.Match], which do not match a slash,
// and ignore case. project names the project of a working directory.
func NewExclusion(patterns []string, home string, project func(dir string) string) Exclusion {
	x := Exclusion{project: project}
	for _, p := range patterns {
		e := exclusion{written: p}
		if strings.ContainsAny(p, `/\`) || strings.HasPrefix(p, "~") {
			folder := p
			if p == "~" || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`) {
				folder = home + p[1:]
			}
			e.globs = []string{folded(folder)}
			// Agents name the folder with its links resolved.
			if real, ok := resolved(folder); ok {
				e.globs = append(e.globs, folded(real))
			}
		}
		x.patterns = append(x.patterns, e)
	}
	return x
}

// folded is a path or a name in the form that is compared.
func folded(p string) string {
	p = strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	return strings.TrimRight(p, "/")
}

// resolved follows the links in the part of a pattern before its first wildcard.
func resolved(pattern string) (string, bool) {
	parts := strings.Split(filepath.ToSlash(pattern), "/")
	n := 0
	for n < len(parts) && !strings.ContainsAny(parts[n], "*?[") {
		n++
	}
	real, err := filepath.EvalSymlinks(filepath.FromSlash(strings.Join(parts[:n], "/") + "/"))
	return path.Join(append([]string{filepath.ToSlash(real)}, parts[n:]...)...), err == nil && n > 1
}

// Of returns the pattern, as the person wrote it, that excludes the session of a
// working directory with its transcript at file; "" when none does.
func (x Exclusion) Of(dir, file string) string {
	if len(x.patterns) == 0 {
		return ""
	}
	name := strings.ToLower(x.project(dir))
	for _, p := range x.patterns {
		if p.globs == nil {
			if ok, _ := path.Match(strings.ToLower(p.written), name); ok {
				return p.written
			}
			continue
		}
		for _, glob := range p.globs {
			if below(glob, folded(dir)) || below(glob, folded(file)) {
				return p.written
			}
		}
	}
	return ""
}

// Func returns Of, or nil when nothing is excluded. Asking is not free: an extraction
// must read each transcript up to the record that names its folder, and some never name
// one.
func (x Exclusion) Func() func(dir, file string) string {
	if len(x.patterns) == 0 {
		return nil
	}
	return x.Of
}

// below reports whether a path, or a folder above it, matches a pattern.
func below(glob, p string) bool {
	for p != "" {
		if ok, _ := path.Match(glob, p); ok {
			return true
		}
		p = p[:max(strings.LastIndexByte(p, '/'), 0)]
	}
	return glob == ""
}

// exclude notes what excludes the session, before anything of it is passed on, and
// reports whether something does. If the folder of the session is not known yet,
// exclude reads up to the first record that names it.
func (p *pass) exclude(from Mark) bool {
	if p.o.Excluded == nil {
		return false
	}
	f, s := p.batch.File, from.Session
	if s.Dir == "" {
		r := transcript.NewReader(io.NewSectionReader(p.src, 0, f.Size), f.Format, f.Options())
		for range r.Turns() {
			if s = r.Session(); s.Dir != "" {
				break
			}
		}
		s = r.Session()
	}
	if p.batch.Excluded = p.o.Excluded(s.Dir, f.Path); p.batch.Excluded == "" {
		return false
	}
	m := from
	m.Path, m.Size, m.ModTime, m.Format, m.Agent = filepath.Clean(f.Path), f.Size, f.ModTime, f.Format, f.Agent
	m.Session, m.Excluded = s, true
	p.batch.Session, p.batch.Mark, p.batch.Read = s, m, p.src.read
	return true
}

// HasRead reports whether a transcript holds nothing to read: it has not changed since
// it was marked, and no exclusion that has been lifted since left it out.
func (o Options) HasRead(marks *Ledger, f transcript.File) bool {
	if !marks.Fresh(f) {
		return false
	}
	m, _ := marks.Mark(absolute(f.Path))
	return !m.Excluded || !f.Named && o.Excluded != nil && o.Excluded(m.Session.Dir, m.Path) != "" // a person who names the file is told why
}
