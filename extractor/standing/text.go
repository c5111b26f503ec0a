package standing

import (
	"fmt"
	"strings"
	"unicode"

	"learnings/lessons"
	"learnings/lessons/exchange/memories"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// A statement is one sentence of a file of instructions.
type statement struct {
	where  string // "CLAUDE.md:12"
	text   string
	said   match.Saying
	both   *match.Saying // with the sentence behind it in the same paragraph; nil for none
	next   *match.Saying // that sentence
	stance stance.Stance
}

// says reports that a statement says what a lesson does, alone or with the sentence
// behind it, unless that one does alone.
func (s statement) says(l match.Saying) bool {
	return s.said.Covers(l) || s.both != nil && s.both.Covers(l) && !s.next.Covers(l)
}

// maxStatement is how many bytes of a sentence are compared. A longer one is no
// instruction.
const maxStatement = 1 << 10

// statements reads the sentences of a file.
func statements(text, name string) (out []statement) {
	for _, b := range memories.Blocks(text) {
		out = append(out, sentences(b, name)...)
	}
	return out
}

// sentences cuts a block into sentences.
func sentences(b memories.Block, name string) (out []statement) {
	text := b.Text
	for from := 0; from < len(text); {
		to := from + memories.SentenceEnd(text[from:])
		s := strings.ToValidUTF8(strings.TrimSpace(text[from:to]), "")
		if strings.IndexFunc(s, unicode.IsLetter) >= 0 && len(s) <= maxStatement {
			said := match.NewSaying(s)
			if n := len(out); n > 0 {
				both := match.NewSaying(out[n-1].text + " " + s)
				out[n-1].both, out[n-1].next = &both, &said
			}
			of := lessons.Lesson{Wording: lessons.Wording{Content: s}, Scope: lessons.Scope{Global: true}}
			out = append(out, statement{where: fmt.Sprintf("%s:%d", name, b.LineAt(from)), text: s, said: said, stance: stance.Of(of)})
		}
		from = to
	}
	return out
}
