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
	"learnings/lessons/lazy"
	"learnings/lessons/match"
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

// A judge looks for subjects in the turns of one session.
type judge struct {
	subjects []Subject
	forms    []form
	states   []subjectState
	found    []Finding
	acts     int // calls and messages of the agent so far
	asked    int // subagents that were sent off: they may have done what was not seen
	calls    map[*transcript.ToolCall]*call
}

// A subjectState is what is known of one subject so far.
type subjectState struct {
	active bool
	acts   int // of the judge, when it became active
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
	followed []int // subjects that it follows if it is done
}

// newJudge makes a judge. What the agent's subagents did is not looked at: they were given
// lessons of their own.
func newJudge(subjects []Subject) *judge {
	j := &judge{subjects: subjects, calls: map[*transcript.ToolCall]*call{}}
	for _, s := range subjects {
		f := formOf(s.Lesson)
		j.forms = append(j.forms, f)
		st := subjectState{had: map[proof.Kind]bool{}}
		for _, o := range f.order {
			st.orders = append(st.orders, orderState{ran: make([]bool, len(o.first))})
		}
		j.states = append(j.states, st)
	}
	return j
}

// turn takes in the next turn of the session.
func (j *judge) turn(t *transcript.Turn, dir string) {
	if t.Sidechain {
		return
	}
	for i := range j.states {
		if s := j.subjects[i]; !j.states[i].active && t.Line > s.Line && (s.From.IsZero() || t.At.IsZero() || !t.At.Before(s.From)) {
			j.states[i].active, j.states[i].acts = true, j.acts
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
		j.ran(guard.Look("shell", &transcript.ToolCall{Command: t.Text}, dir))
	case t.Speaker == transcript.Person && t.Kind.Spoken():
		j.heard(t)
	}
}

// find notes the first finding of a kind.
func (j *judge) find(i int, k proof.Kind, t *transcript.Turn, shows string) {
	if s := &j.states[i]; !s.active || s.had[k] {
		return
	}
	j.states[i].had[k] = true
	shows = lessons.Line(shows)
	shows = strings.ToValidUTF8(shows[:min(len(shows), maxSign)], "")
	j.found = append(j.found, Finding{j.forms[i].id, proof.Sign{Kind: k, Line: t.Line, UUID: t.UUID, At: t.At, Shows: shows}})
}

func matches(ps []guard.Pattern, c *guard.Call) bool {
	return slices.ContainsFunc(ps, func(p guard.Pattern) bool { return p.Matches(c) })
}

// call takes in what the agent does.
func (j *judge) call(t *transcript.Turn, dir string) {
	c := guard.Look(t.Tool.Name, t.Tool, dir)
	shows := cmp.Or(t.Tool.Command, strings.TrimSpace(t.Tool.Name+" "+t.Tool.Path))
	pending := &call{turn: *t}
	if delegates(t.Tool) {
		j.asked++
	}
	for i := range j.forms {
		f, s := &j.forms[i], &j.states[i]
		follows := matches(f.done, c)
		if !follows && matches(f.undone, c) {
			j.find(i, Contradicted, t, shows)
		}
		for _, w := range f.with {
			if w.whole.Matches(c) {
				follows = true
			} else if w.command.Matches(c) && !asksHelp(t.Tool.Command) {
				j.find(i, Contradicted, t, shows)
			}
		}
		if written(t.Tool, f.write) {
			follows = true
		} else if written(t.Tool, f.avoid) {
			j.find(i, Contradicted, t, strings.Join(f.avoid, ", ")+" in "+t.Tool.Path)
		}
		for n := range f.order {
			if j.inOrder(f.order[n], &s.orders[n], c, i, t, shows) {
				follows = true
			}
		}
		if follows {
			pending.followed = append(pending.followed, i)
		}
	}
	if code(c) {
		for i := range j.states {
			for n := range j.states[i].orders {
				o := &j.states[i].orders[n]
				o.edited, o.sent = true, j.asked
			}
		}
	}
	if len(pending.followed) > 0 {
		j.calls[t.Tool] = pending
	}
}

// inOrder takes in a call for an order, and reports whether it follows it.
func (j *judge) inOrder(o order, s *orderState, c *guard.Call, i int, t *transcript.Turn, shows string) bool {
	for n, p := range o.first {
		if p.Matches(c) {
			s.ran[n] = true
		}
	}
	if !matches(o.then, c) {
		return false
	}
	follows := !slices.Contains(s.ran, false)
	if !slices.Contains(s.ran, true) && s.edited && s.sent == j.asked {
		j.find(i, Contradicted, t, shows)
	}
	clear(s.ran)
	s.edited, s.sent = false, j.asked
	return follows
}

// ran takes in a command that the person ran.
func (j *judge) ran(c *guard.Call) {
	for i := range j.forms {
		for n, o := range j.forms[i].order {
			for k, p := range o.first {
				if p.Matches(c) {
					j.states[i].orders[n].ran[k] = true
				}
			}
		}
	}
}

// result takes in what a tool answered.
func (j *judge) result(t *transcript.Turn) {
	if p, ok := j.calls[t.Tool]; ok {
		delete(j.calls, t.Tool)
		for _, i := range p.followed {
			if !t.Refused {
				j.find(i, Followed, &p.turn, cmp.Or(p.turn.Tool.Command, strings.TrimSpace(p.turn.Tool.Name+" "+p.turn.Tool.Path)))
			}
		}
	}
	m, ok := rules.MistakeOf(t)
	if !ok {
		return
	}
	line := rules.Stable(m.Error)
	for i := range j.forms {
		if f := &j.forms[i]; f.errors[m.Print] || f.lines[line] {
			j.find(i, CameBack, t, m.Error)
		}
	}
}

// spoke takes in what the agent said.
func (j *judge) spoke(t *transcript.Turn) {
	var words string
	for i := range j.forms {
		f, s := &j.forms[i], &j.states[i]
		if !s.active || s.had[Cited] {
			continue
		}
		if strings.Contains(t.Text, f.handle) {
			j.find(i, Cited, t, f.handle)
			continue
		}
		if s.said || len(f.runs) == 0 {
			continue
		}
		if words == "" {
			words = " " + strings.Join(match.Words(t.Text), " ") + " "
		}
		if slices.ContainsFunc(f.runs, func(r string) bool { return strings.Contains(words, r) }) {
			j.find(i, Cited, t, t.Text)
		}
	}
}

// maxSentence is how long a sentence of a person may be to say a lesson again.
const maxSentence = 300

// heard takes in what the person said.
func (j *judge) heard(t *transcript.Turn) {
	words := " " + strings.Join(match.Words(t.Text[:min(len(t.Text), 20_000)]), " ") + " "
	for i := range j.forms {
		f, s := &j.forms[i], &j.states[i]
		if slices.ContainsFunc(f.runs, func(r string) bool { return strings.Contains(words, r) }) {
			s.said = true
		}
	}
	for _, sentence := range sentences(t.Text[:min(len(t.Text), 20_000)]) {
		sentence = strings.TrimSpace(sentence)
		if sentence == "" || len(sentence) > maxSentence {
			continue
		}
		said := match.NewSaying(sentence)
		for i := range j.forms {
			if s := &j.states[i]; s.active && j.acts > s.acts && said.Covers(j.forms[i].saying) {
				j.find(i, Contradicted, t, sentence)
				j.find(i, CameBack, t, sentence)
			}
		}
	}
}

// written reports whether a call writes one of some words that it does not replace.
func written(c *transcript.ToolCall, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return word(c.New, w) && !word(c.Old, w) })
}

// scratch matches commands in a temporary folder, which are none of the project's.
var scratch = lazy.Regexp(`^\s*cd\s+["']?(?:/tmp|/var/tmp|/private/tmp|\$TMPDIR|\$\(mktemp)\b`)

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

func asksHelp(command string) bool {
	return strings.Contains(command, "--help") || strings.HasSuffix(strings.TrimSpace(command), " -h")
}

// prints are the fingerprints by which an error of a turn is known again, as short
// hashes; none for a turn that is no error.
func prints(t *transcript.Turn) []string {
	m, ok := rules.MistakeOf(t)
	if !ok {
		return nil
	}
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
