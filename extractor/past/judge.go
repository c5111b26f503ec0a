package past

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/pairs"
	"learnings/lessons/proof"
)

// Cited is that the agent named the lesson's handle, or said six of its words in a row;
// Followed, that a command was run, or a word written, that the lesson asks for;
// Contradicted, that the agent did what the lesson forbids, or left out what it asks for
// when the time for it had come; CameBack, that a call failed with the error that taught
// the lesson. Where the person had to say the lesson again it is both of the last two.
const (
	Cited        = proof.Cited
	Followed     = proof.Followed
	Contradicted = proof.Contradicted
	CameBack     = proof.CameBack
)

// A Finding is the first sign of a kind for a lesson in a session; what it shows is not
// redacted.
type Finding struct {
	Lesson lessons.ID
	proof.Sign
}

// A Subject is a lesson that a session was given, or that was held out of it.
type Subject struct {
	proof.Came
	Lesson lessons.Lesson
	From   time.Time // what was done before does not count; zero for nothing
	Line   int       // the same as a line of the transcript; 0 for none
}

// maxSign is how many bytes of what shows a finding are kept.
const maxSign = 200

// A judge looks for subjects in the turns of one session. What the agent's subagents did is
// not looked at: they were given lessons of their own.
type judge struct {
	watched []*watch
	found   []Finding
	acts    int // calls and messages of the agent so far
	asked   int // subagents that were sent off: they may have done what was not seen
	calls   map[*transcript.ToolCall]*call
}

// A watch is what is known of one subject so far.
type watch struct {
	Subject
	form
	active bool
	since  int // acts of the judge, when it became active
	orders []orderState
	had    map[proof.Kind]bool
	said   bool // the person has said words of the lesson: a quote is no citation
}

type orderState struct {
	ran    []bool // of the first ones, since what they come before
	edited bool   // a file that is no text was changed since
	sent   int    // subagents that were sent off, then
}

// A call is one that has no answer yet.
type call struct {
	turn     transcript.Turn
	shows    string
	followed []*watch // that it follows if it is done
}

func newJudge(subjects []Subject) *judge {
	j := &judge{calls: map[*transcript.ToolCall]*call{}}
	for _, s := range subjects {
		w := &watch{Subject: s, form: formOf(s.Lesson), had: map[proof.Kind]bool{}}
		for _, o := range w.order {
			w.orders = append(w.orders, orderState{ran: make([]bool, len(o.first))})
		}
		j.watched = append(j.watched, w)
	}
	return j
}

// turn takes in the next turn of the session.
func (j *judge) turn(t *transcript.Turn, dir string) {
	if t.Sidechain {
		return
	}
	for _, w := range j.watched {
		if !w.active && t.Line > w.Line && (w.From.IsZero() || t.At.IsZero() || !t.At.Before(w.From)) {
			w.active, w.since = true, j.acts
		}
	}
	switch {
	case t.Kind == transcript.Call && t.Tool != nil:
		if j.acts++; !scratch().MatchString(t.Tool.Command) {
			j.call(t, dir)
		}
	case t.Kind == transcript.Result && t.Tool != nil:
		j.result(t)
	case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
		j.acts++
		j.spoke(t)
	case t.Speaker == transcript.Person && t.Kind == transcript.Shell:
		c := guard.Look("shell", &transcript.ToolCall{Command: t.Text}, dir)
		for _, w := range j.watched {
			for n := range w.order {
				w.ran(n, c)
			}
		}
	case t.Speaker == transcript.Person && t.Kind.Spoken():
		j.heard(t)
	}
}

// find notes the first finding of a kind.
func (j *judge) find(w *watch, k proof.Kind, t *transcript.Turn, shows string) {
	if !w.active || w.had[k] {
		return
	}
	w.had[k] = true
	shows = lessons.Line(shows)
	shows = strings.ToValidUTF8(shows[:min(len(shows), maxSign)], "")
	j.found = append(j.found, Finding{w.id, proof.Sign{Kind: k, Line: t.Line, UUID: t.UUID, At: t.At, Shows: shows}})
}

func matches(ps []guard.Pattern, c *guard.Call) bool {
	return slices.ContainsFunc(ps, func(p guard.Pattern) bool { return p.Matches(c) })
}

// call takes in what the agent does.
func (j *judge) call(t *transcript.Turn, dir string) {
	c := guard.Look(t.Tool.Name, t.Tool, dir)
	p := &call{turn: *t, shows: cmp.Or(t.Tool.Command, strings.TrimSpace(t.Tool.Name+" "+t.Tool.Path))}
	if delegates(t.Tool) {
		j.asked++
	}
	for _, w := range j.watched {
		follows := matches(w.done, c)
		if !follows && matches(w.undone, c) {
			j.find(w, Contradicted, t, p.shows)
		}
		if written(t.Tool, w.write) {
			follows = true
		} else if written(t.Tool, w.avoid) {
			j.find(w, Contradicted, t, strings.Join(w.avoid, ", ")+" in "+t.Tool.Path)
		}
		for n := range w.order {
			follows = j.inOrder(w, n, c, t, p.shows) || follows
			if code(c) {
				w.orders[n].edited, w.orders[n].sent = true, j.asked
			}
		}
		if follows {
			p.followed = append(p.followed, w)
		}
	}
	if len(p.followed) > 0 {
		j.calls[t.Tool] = p
	}
}

// inOrder takes in a call for an order, and reports whether it follows it.
func (j *judge) inOrder(w *watch, n int, c *guard.Call, t *transcript.Turn, shows string) bool {
	w.ran(n, c)
	if !matches(w.order[n].then, c) {
		return false
	}
	s := &w.orders[n]
	follows := !slices.Contains(s.ran, false)
	if !slices.Contains(s.ran, true) && s.edited && s.sent == j.asked {
		j.find(w, Contradicted, t, shows)
	}
	clear(s.ran)
	s.edited, s.sent = false, j.asked
	return follows
}

// ran notes which of the first commands of an order a call runs.
func (w *watch) ran(n int, c *guard.Call) {
	for i, p := range w.order[n].first {
		if p.Matches(c) {
			w.orders[n].ran[i] = true
		}
	}
}

// result takes in what a tool answered.
func (j *judge) result(t *transcript.Turn) {
	if p, ok := j.calls[t.Tool]; ok {
		delete(j.calls, t.Tool)
		for _, w := range p.followed {
			if !t.Refused {
				j.find(w, Followed, &p.turn, p.shows)
			}
		}
	}
	m, ok := rules.MistakeOf(t)
	if !ok {
		return
	}
	line := rules.Stable(m.Error)
	for _, w := range j.watched {
		if w.errors[m.Print] || w.lines[line] {
			j.find(w, CameBack, t, m.Error)
		}
	}
}

// quotes reports whether words, with blanks around each, have a run of the lesson's.
func (f *form) quotes(words string) bool {
	return slices.ContainsFunc(f.runs, func(r string) bool { return strings.Contains(words, r) })
}

// spaced are the words of a text with a blank around each.
func spaced(text string) string { return " " + strings.Join(pairs.Words(text), " ") + " " }

// spoke takes in what the agent said.
func (j *judge) spoke(t *transcript.Turn) {
	words := ""
	for _, w := range j.watched {
		switch {
		case !w.active || w.had[Cited]:
		case strings.Contains(t.Text, w.handle):
			j.find(w, Cited, t, w.handle)
		case !w.said && len(w.runs) > 0:
			if words == "" {
				words = spaced(t.Text)
			}
			if w.quotes(words) {
				j.find(w, Cited, t, t.Text)
			}
		}
	}
}

const (
	maxHeard    = 20_000 // bytes of what a person said at once that are looked at
	maxSentence = 300    // of a sentence that may say a lesson again
)

// heard takes in what the person said.
func (j *judge) heard(t *transcript.Turn) {
	text := t.Text[:min(len(t.Text), maxHeard)]
	words := spaced(text)
	for _, w := range j.watched {
		w.said = w.said || w.quotes(words)
	}
	for _, sentence := range sentences(text) {
		sentence = strings.TrimSpace(sentence)
		if sentence == "" || len(sentence) > maxSentence {
			continue
		}
		said := pairs.NewSaying(sentence)
		for _, w := range j.watched {
			if w.active && j.acts > w.since && said.Covers(w.saying) {
				j.find(w, Contradicted, t, sentence)
				j.find(w, CameBack, t, sentence)
			}
		}
	}
}

// written reports whether a call writes one of some words that it does not replace.
func written(c *transcript.ToolCall, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return word(c.New, w) && !word(c.Old, w) })
}

// scratch matches commands in a temporary folder, which are none of the project's.
var scratch = lessons.LazyRegexp(`^\s*cd\s+["']?(?:/tmp|/var/tmp|/private/tmp|\$TMPDIR|\$\(mktemp)\b`)

// code reports whether a call changes a file that is more than text.
func code(c *guard.Call) bool {
	return slices.ContainsFunc(c.Files, func(f string) bool {
		f = strings.ToLower(f)
		return !strings.HasSuffix(f, ".md") && !strings.HasSuffix(f, ".txt") && !strings.HasSuffix(f, ".mdx")
	})
}

// delegates reports whether a call sends off a subagent.
func delegates(c *transcript.ToolCall) bool {
	return slices.Contains([]string{"Task", "Agent", "task", "spawn_agent", "delegate"}, c.Name)
}

// known are the hashes by which a mistake is known again.
func known(m rules.Mistake) []string {
	out := []string{hash(m.Print)}
	if line := rules.Stable(m.Error); telling(line) {
		out = append(out, hash(line))
	}
	return out
}

// printsOf are those of the errors that taught a lesson.
func printsOf(l lessons.Lesson) (out []string) {
	f := formOf(l)
	for _, all := range []map[string]bool{f.errors, f.lines} {
		for p := range all {
			out = append(out, hash(p))
		}
	}
	slices.Sort(out)
	return out
}

func hash(s string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return strconv.FormatUint(h.Sum64(), 36)
}
