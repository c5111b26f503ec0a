package lessons

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// A Limit narrows, beside its [Scope], when a lesson holds: for which files and agent,
// and until when. The zero Limit narrows nothing.
type Limit struct {
	// Paths are file patterns with / between folders and ** for any number of them, such
	// as "migrations/**". Only work on matching files gets the lesson.
	Paths []string `json:"paths,omitempty"`
	Agent string   `json:"agent,omitempty"` // the only agent it is for, such as "codex"; "" for all

	Until time.Time `json:"expires,omitzero"` // when it ends; zero for never
}

// Any reports whether there is a limit.
func (m Limit) Any() bool { return len(m.Paths) > 0 || m.Agent != "" || !m.Until.IsZero() }

// Over reports whether the lesson has expired.
func (m Limit) Over(now time.Time) bool { return !m.Until.IsZero() && !now.Before(m.Until) }

// wider returns a limit that holds where m or o does, for merged lessons.
func (m Limit) wider(o Limit) Limit {
	var w Limit
	if len(m.Paths) > 0 && len(o.Paths) > 0 {
		w.Paths = JoinTerms(m.Paths, o.Paths)
	}
	if m.Agent == o.Agent {
		w.Agent = m.Agent
	}
	if !m.Until.IsZero() && !o.Until.IsZero() {
		w.Until = later(m.Until, o.Until)
	}
	return w
}

// Equal reports whether two limits are the same.
func (m Limit) Equal(o Limit) bool {
	return slices.Equal(m.Paths, o.Paths) && m.Agent == o.Agent && m.Until.Equal(o.Until)
}

// String says in words where a lesson holds; "" for no limit.
func (m Limit) String() string {
	var says []string
	if len(m.Paths) > 0 {
		says = append(says, "for "+strings.Join(m.Paths, ", "))
	}
	if m.Agent != "" {
		says = append(says, "for "+m.Agent+" only")
	}
	if !m.Until.IsZero() {
		says = append(says, "until "+until(m.Until))
	}
	return strings.Join(says, ", ")
}

// until formats a time, without the hour if it is midnight.
func until(t time.Time) string {
	if h, m, s := t.Clock(); h == 0 && m == 0 && s == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04")
}

// FilePattern reports whether a pattern is valid for [MeansFile].
func FilePattern(pattern string) bool { return doublestar.ValidatePattern(pattern) }

// MeansFile reports whether a pattern, as in [Limit.Paths], matches a file, whose path
// may begin above the project. As in .gitignore, a pattern without a slash matches the
// name anywhere, and one that ends in a slash matches everything below.
func MeansFile(pattern, file string) bool {
	file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	for rest := strings.TrimPrefix(file, "/"); ; {
		if ok, err := doublestar.Match(pattern, rest); ok && err == nil {
			return true
		}
		_, below, more := strings.Cut(rest, "/")
		if !more {
			return false
		}
		rest = below
	}
}
