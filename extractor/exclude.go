package extractor

import (
	"io"
	"path"
	"path/filepath"
	"strings"

	"learnings/extractor/transcript"
)

// An Exclusion says of which sessions nothing is read: no rule sees them, and no
// model is sent a word of them.
type Exclusion struct {
	patterns []exclusion
	project  func(dir string) string
}

type exclusion struct {
	written string
	globs   []string // of a folder, in small letters with slashes; none for a project
}

// NewExclusion makes one of patterns as a person writes them. A pattern with a
// slash or backslash, or that begins with ~, is a folder: it excludes a session
// that began in that folder or below it, or whose transcript lies there. Any other
// is the name of a project. Both may hold the signs of [path.Match], of which none
// matches a slash, and neither minds the case. project names the project of a
// working directory.
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
			// An agent names the folder in which it is, whatever link led there.
			if real, ok := resolved(folder); ok {
				e.globs = append(e.globs, folded(real))
			}
		}
		x.patterns = append(x.patterns, e)
	}
	return x
}

// folded is a path or a name as it is compared.
func folded(p string) string {
	p = strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	return strings.TrimRight(p, "/")
}

// resolved follows the links in the part of a pattern that has no signs.
func resolved(pattern string) (string, bool) {
	parts := strings.Split(filepath.ToSlash(pattern), "/")
	n := 0
	for n < len(parts) && !strings.ContainsAny(parts[n], "*?[") {
		n++
	}
	real, err := filepath.EvalSymlinks(filepath.FromSlash(strings.Join(parts[:n], "/") + "/"))
	return path.Join(append([]string{filepath.ToSlash(real)}, parts[n:]...)...), err == nil && n > 1
}

// Of gives the pattern that excludes the session of a working directory with its
// transcript at file, as the person wrote it; "" when none does.
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

// Func is Of, or nil where there is nothing to exclude: to ask, an extraction reads
// each transcript up to where it says its folder, and some never say.
func (x Exclusion) Func() func(dir, file string) string {
	if len(x.patterns) == 0 {
		return nil
	}
	return x.Of
}

// below reports that a path, or a folder above it, matches a pattern.
func below(glob, p string) bool {
	for p != "" {
		if ok, _ := path.Match(glob, p); ok {
			return true
		}
		p = p[:max(strings.LastIndexByte(p, '/'), 0)]
	}
	return glob == ""
}

// exclude notes what excludes the session of this pass, before anything of it is
// given to anyone, and reports whether something does. Of a session that did not
// say before where it is, the file is read up to the first record that says.
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

// HasRead reports that a transcript holds nothing that is to be read: nothing was
// written to it since it was marked, and it was not left out then by an exclusion
// that no longer holds.
func (o Options) HasRead(marks *Ledger, f transcript.File) bool {
	if !marks.Fresh(f) {
		return false
	}
	m, _ := marks.Mark(absolute(f.Path))
	return !m.Excluded || !f.Named && o.Excluded != nil && o.Excluded(m.Session.Dir, m.Path) != "" // who names it is told
}
