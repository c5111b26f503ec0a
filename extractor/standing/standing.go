// Package standing knows what the instructions of a project say already: those
// that its repository holds for coding agents (CLAUDE.md, AGENTS.md, rules of
// editors), those of the person for all projects, and what an agent keeps of
// the project in a memory of its own.
//
// What a transcript names as the session's folder decides which files are read,
// and anybody can have written a transcript: package memories reads them with care.
package standing

import (
	"path/filepath"
	"sync"

	"learnings/lessons"
	"learnings/lessons/exchange/memories"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// Instructions are what stands in the projects of one person. Those of a folder
// are read once and kept. It may be used by several goroutines.
type Instructions struct {
	files memories.Finder
	mu    sync.Mutex
	known map[string][]statement // by folder
}

// New returns the instructions that the person with this home folder has. env
// answers for the agents' own variables, such as CLAUDE_CONFIG_DIR; "" is not
// set. Without a home only repositories are read.
func New(home string, env func(string) string) *Instructions {
	return &Instructions{files: memories.Finder{Home: home, Getenv: env}, known: map[string][]statement{}}
}

// Mark says in the origin of a proposal where the instructions for a session's
// folder say the same, which moves it to the lane of those that wait aside, and
// where they say the opposite. The texts are as the files have them: they may
// hold secrets.
func (in *Instructions) Mark(dir string, l lessons.Lesson) lessons.Lesson {
	l.Origin.Stands, l.Origin.Against = "", ""
	proposed, says := stance.Of(l), match.NewSaying(l.Content)
	for _, s := range in.of(dir) {
		if _, against := proposed.Contradicts(s.stance); against {
			if l.Origin.Against == "" {
				l.Origin.Against = s.where + ": " + lessons.Lesson{Wording: lessons.Wording{Content: s.text}}.Title(maxShown)
			}
		} else if l.Origin.Stands == "" && s.says(says) {
			l.Origin.Stands, l.Lane = s.where, lessons.Maybe
		}
	}
	return l
}

// maxShown is how many characters of a line that says the opposite are kept.
const maxShown = 200

// of gives what stands for a folder.
func (in *Instructions) of(dir string) []statement {
	if dir != "" {
		dir = filepath.Clean(dir)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	all, ok := in.known[dir]
	if !ok {
		all = in.read(dir)
		in.known[dir] = all
	}
	return all
}

// maxStatements is how many sentences are compared for one folder.
const maxStatements = 2000

// read reads what stands for a folder.
func (in *Instructions) read(dir string) (out []statement) {
	in.files.Each(dir, false, func(f memories.File) {
		if len(out) < maxStatements {
			read := statements(f.Text, f.Name)
			out = append(out, read[:min(len(read), maxStatements-len(out))]...)
		}
	})
	return out
}
