package formats

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
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

// A Stated is a sentence that a session reads, and where it stands: in a file, or in a
// lesson that it is given.
type Stated struct {
	Text   string
	Path   string // "" for a lesson
	Line   int
	Where  string // for display: "CLAUDE.md:12", or a handle
	Lesson lessons.ID
}

// An Opening is what a session reads at its start, besides the lessons that it is given.
type Opening struct {
	Files   []Start
	Clashes []Clash // contradictions first
	Left    int     // sentences that were not compared
}

// Opening returns what an agent reads when a session starts in a folder and is given some
// lessons; see [Finder.Start].
func (f Finder) Opening(ctx context.Context, agent, dir string, given []lessons.Lesson) Opening {
	o := Opening{Files: f.Start(agent, dir)}
	o.Clashes, o.Left = clashes(ctx, o.Files, given)
	return o
}

// A Clash is two sentences of one session: it is told the same twice, or the opposite.
type Clash struct {
	Opposite bool
	A, B     Stated
}

// mostClashes is how many are returned.
const mostClashes = 50

// clashes finds what a session is told twice, and what contradicts, among the files that
// it reads and the lessons that it is given, contradictions first. It compares sentences
// that demand something, at most 2,000; left counts the others.
func clashes(ctx context.Context, starts []Start, given []lessons.Lesson) (out []Clash, left int) {
	var all []Stated
	for _, f := range starts {
		for _, s := range statements(strings.ReplaceAll(f.Text, "<!-- learnings:", "<!-- "), f.Name) {
			if demands().MatchString(s.text) || pairs.Asks(s.text) {
				line := f.line(s.text)
				all = append(all, Stated{Text: s.text, Path: f.Path, Line: line, Where: fmt.Sprintf("%s:%d", f.Name, line)})
			}
		}
	}
	for _, l := range given {
		all = append(all, Stated{Text: lessons.Line(l.Content), Where: strings.Trim(l.ID.Handle(), "[]"), Lesson: l.ID})
	}
	left = max(len(all)-maxStatements, 0)
	all = all[left:]
	var ls []lessons.Lesson
	var outlines []lessons.Outline
	for i, s := range all {
		l := lessons.Lesson{ID: lessons.ID(strconv.Itoa(i)), Status: lessons.Approved, Scope: lessons.Scope{Global: true}, Wording: lessons.Wording{Content: s.Text}}
		ls, outlines = append(ls, l), append(outlines, l.Outline())
	}
	add := func(a, b int, opposite bool) {
		if len(out) < mostClashes && (all[a].Path != "" || all[b].Path != "") {
			out = append(out, Clash{Opposite: opposite, A: all[a], B: all[b]})
		}
	}
	opposed := map[[2]int]bool{}
	for _, o := range pairs.Oppositions(ctx, outlines) {
		opposed[[2]int{o.First, o.Second}] = true
		add(o.First, o.Second, true)
	}
	earlier := pairs.NewCorpus(pairs.ByParaphrase, pairs.Synonyms{}, func(func(lessons.Lesson) bool) {})
	for i, l := range ls {
		says := pairs.NewSaying(l.Content)
		for id := range earlier.Find(l) {
			j, _ := strconv.Atoi(string(id))
			if was := pairs.NewSaying(ls[j].Content); !opposed[[2]int{j, i}] && (was.Covers(says) || says.Covers(was)) {
				add(j, i, false)
				break
			}
		}
		earlier.Add(l)
	}
	return out, left
}

// line returns the line of the file on which a sentence begins; 1 if it is included from
// another file.
func (f Start) line(sentence string) int {
	begin := sentence[:min(len(sentence), 24)]
	if at := strings.Index(f.Raw, begin); at >= 0 {
		return strings.Count(f.Raw[:at], "\n") + 1
	}
	return 1
}
