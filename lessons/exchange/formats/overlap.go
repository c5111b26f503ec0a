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
	maxStatements = 2000    // of one folder
	maxAgainst    = 200     // characters that are kept of a sentence that says the opposite
)

// Instructions compares proposals with what agents are told already: by the repository,
// by the person for all projects, and by an agent's own memory of the project. It reads
// the files of a folder once. Several goroutines may use it.
type Instructions struct {
	files Finder
	mu    sync.Mutex
	known map[string][]statement // by folder
}

// NewInstructions returns the instructions of the person with this home folder. env
// answers for the agents' own variables, such as CLAUDE_CONFIG_DIR; "" is not set.
// Without a home only repositories are read.
func NewInstructions(home string, env func(string) string) *Instructions {
	return &Instructions{files: Finder{Home: home, Getenv: env}, known: map[string][]statement{}}
}

// Mark notes in a proposal's origin where the instructions for a session's folder say the
// same, which moves it to the lane of those that wait aside, and where they say the
// opposite. The texts are as the files have them: they may hold secrets.
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

// of gives the statements for a folder.
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
	both   *pairs.Saying // with the next sentence of the same paragraph; nil at its end
	next   *pairs.Saying // that sentence
	stance pairs.Reading
}

// says reports that a statement says what a lesson does, by itself or with the next
// sentence, unless that one does by itself.
func (s statement) says(l pairs.Saying) bool {
	return s.said.Covers(l) || s.both != nil && s.both.Covers(l) && !s.next.Covers(l)
}

// statements reads the sentences of a file.
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
