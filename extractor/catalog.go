package extractor

import (
	"cmp"
	"path/filepath"

	"learnings/extractor/transcript"
)

// A Session is one transcript in a list: what it says of itself, and what came of it
// here.
type Session struct {
	transcript.Info
	Project  string
	Role     string
	Lessons  int
	Fresh    bool   // it has something that no extraction has read yet
	Short    bool   // it was left until it grows, or somebody names it
	Excluded string // what the person excludes that leaves it out
}

// A Catalog knows what came of transcripts. All of its fields must be set.
type Catalog struct {
	Marks    *Ledger
	Project  func(dir string) string // names the project of a folder
	Excluded Exclusion
	Role     string // of a session that does not say its own
}

// Session adds what is known here to what a transcript says of itself. For a session
// that is not read now, the mark of an earlier extraction says it.
func (c Catalog) Session(info transcript.Info) Session {
	s := Session{Info: info, Fresh: !c.Marks.Fresh(info.File)}
	if abs, err := filepath.Abs(info.Path); err == nil {
		if m, ok := c.Marks.Mark(abs); ok {
			s.Lessons, s.Short = m.Lessons, m.Short() && !s.Fresh
			if s.Info.Session.ID == "" {
				s.Info.Session = m.Session
			}
		}
	}
	if dir := s.Info.Session.Dir; dir != "" {
		s.Project = c.Project(dir)
	}
	s.Role = cmp.Or(s.Info.Session.Role, info.Agent, c.Role)
	if s.Excluded = c.Excluded.Of(s.Info.Session.Dir, s.Path); s.Excluded != "" {
		s.Fresh, s.Short = false, false
	}
	return s
}
