package formats

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

const (
	maxStatement  = 1 << 10 // bytes; a longer sentence is no instruction
	maxStatements = 2000    // per folder
	maxAgainst    = 200     // characters kept of a sentence that says the opposite
)

// Instructions compares proposals with what agents are already told: by the repository, by
// the person for all projects, and by an agent's own memory of the project. It caches the
// files of each folder. It is safe for concurrent use.
type Instructions struct {
	files Finder
	mu    sync.Mutex
	known map[string][]statement // by folder
}

// NewInstructions returns the instructions of the person with this home folder. env looks
// up the agents' variables, such as CLAUDE_CONFIG_DIR. Without a home only repositories are
// read.
func NewInstructions(home string, env func(string) string) *Instructions {
	return &Instructions{files: Finder{Home: home, Getenv: env}, known: map[string][]statement{}}
}

// Mark records in a proposal's origin where the instructions for a session's folder say the
// same, which moves it to another lane, and where they say the opposite. The texts are
// copied from the files and may hold secrets.
func (in *Instructions) Mark(dir string, l lessons.Lesson) lessons.Lesson {
	l.Origin.Stands, l.Origin.Against = "", ""
	proposed, says := pairs.Read(l), pairs.NewSaying(l.Content)
	for _, s := range in.of(dir) {
		if proposed.Against(s.stance).Opposed() {
			if l.Origin.Against == "" {
				l.Origin.Against = s.where + ": " + lessons.Lesson{Wording: lessons.Wording{Content: s.text}}.Title(maxAgainst)
			}
		} else if l.Origin.Stands == "" && s.says(says) {
			l.Origin.Stands, l.Lane = s.where, lessons.Maybe
		}
	}
	return l
}

// of returns the statements for a folder.
func (in *Instructions) of(dir string) []statement {
	if dir != "" {
		dir = filepath.Clean(dir)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if all, ok := in.known[dir]; ok {
		return all
	}
	var all []statement
	in.files.Each(dir, false, func(f File) {
		all = append(all, statements(f.Text, f.Name)...)
	})
	in.known[dir] = all[:min(len(all), maxStatements)]
	return in.known[dir]
}

// A statement is one sentence of a file of instructions.
type statement struct {
	where  string // "CLAUDE.md:12"
	text   string
	said   pairs.Saying
	both   *pairs.Saying // including the next sentence of the same paragraph; nil for the last one
	next   *pairs.Saying // that sentence
	stance pairs.Reading
}

// says reports whether a statement, alone or with the next sentence, says what a lesson
// does. It is false if the next sentence does by itself.
func (s statement) says(l pairs.Saying) bool {
	return s.said.Covers(l) || s.both != nil && s.both.Covers(l) && !s.next.Covers(l)
}

// statements splits a file into sentences.
func statements(text, name string) (out []statement) {
	for _, b := range Blocks(text) {
		first := len(out)
		for from := 0; from < len(b.Text) && len(out) < maxStatements; {
			to := from + SentenceEnd(b.Text[from:])
			s := strings.ToValidUTF8(strings.TrimSpace(b.Text[from:to]), "")
			if strings.IndexFunc(s, unicode.IsLetter) >= 0 && len(s) <= maxStatement {
				said := pairs.NewSaying(s)
				if n := len(out); n > first {
					both := pairs.NewSaying(out[n-1].text + " " + s)
					out[n-1].both, out[n-1].next = &both, &said
				}
				of := lessons.Lesson{Wording: lessons.Wording{Content: s}, Scope: lessons.Scope{Global: true}}
				out = append(out, statement{where: fmt.Sprintf("%s:%d", name, b.LineAt(from)), text: s, said: said, stance: pairs.Read(of)})
			}
			from = to
		}
	}
	return out
}
