package rules

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// An agent spins when it does the same thing over and over and gets no further.
// A single spin says little, because a test may be flaky or a file long. So a
// spin is an observation: it becomes a proposal only when another session spins
// on the same thing.

// A Spin is a stretch of a session in which the agent got no further.
type Spin struct {
	Kind  SpinKind
	What  string // the command, the file, or the words; for Alternates both, joined with "` and `"
	Turn  int    // index of the turn that showed it
	Times int
}

// A SpinKind is a way to spin.
type SpinKind string

const (
	Repeats    SpinKind = "repeats"    // the same call with the same answer, four times in a row
	Fails      SpinKind = "fails"      // the same call three times in a row, failing each time
	Alternates SpinKind = "alternates" // two calls by turns, three times each, with the same answers
	Echoes     SpinKind = "echoes"     // the same words three times, with nothing in between
	Rereads    SpinKind = "rereads"    // the same part of a file four times, without an edit
	Reverts    SpinKind = "reverts"    // an edit made and reverted, twice
)

// How often something must happen to be a spin.
const (
	timesRepeated  = 4
	timesFailed    = 3
	timesEchoed    = 3
	timesReread    = 4
	timesReverted  = 2
	timesAlternate = 3
)

// An act is a call with its answer.
type act struct {
	call   uint64 // a hash
	tool   *transcript.ToolCall
	text   string // the answer
	failed bool
}

// same reports the same call with the same answer, but for what differs from run to run.
func (a act) same(b act) bool {
	return a.call == b.call && (a.text == b.text || fingerprint(a.text) == fingerprint(b.text))
}

// A spinner watches the turns of a session.
type spinner struct {
	dir     string
	seed    maphash.Seed
	acts    []act // the latest ones, at most maxActs
	words   string
	said    int
	read    map[string]int // how often each part of a file was read since the last edit, by call
	put     map[string]int // how often each edit was reverted, by path, old and new text
	found   []Spin
	reached map[string]bool // spins that were found already
}

const (
	maxActs  = 2 * timesAlternate
	maxPut   = 400
	minWords = 40 // bytes; "Done." is no echo
)

// Spins finds where the agent of a session got no further, in the order of the
// session. Each spin is given once.
func Spins(s transcript.Session, turns []transcript.Turn) []Spin {
	w := spinner{dir: s.Dir, seed: maphash.MakeSeed(), read: map[string]int{}, put: map[string]int{}, reached: map[string]bool{}}
	for i := range turns {
		t := &turns[i]
		if t.Sidechain {
			continue
		}
		switch {
		case t.Speaker == transcript.Person:
			w.acts, w.words, w.said = nil, "", 0
		case t.Kind == transcript.Call && t.Tool != nil:
			w.words, w.said = "", 0
			w.called(i, t.Tool)
		case t.Kind == transcript.Result && t.Tool != nil && !t.Refused:
			w.answered(i, t)
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			w.speaks(i, t.Text)
		}
	}
	return w.found
}

func (w *spinner) tell(kind SpinKind, what string, turn, times int) {
	if key := string(kind) + "\x00" + what; what != "" && !w.reached[key] {
		w.reached[key] = true
		w.found = append(w.found, Spin{kind, what, turn, times})
	}
}

// called looks for the spins that show before the call is answered.
func (w *spinner) called(turn int, c *transcript.ToolCall) {
	switch {
	case changes(c):
		clear(w.read)
		w.edited(turn, c)
	case reads(c):
		key := callKey(c)
		if len(w.read) > maxPut {
			clear(w.read)
		}
		w.read[key]++
		if n := w.read[key]; n == timesReread {
			w.tell(Rereads, w.name(c), turn, n)
		}
	}
}

// edited notes an edit, and whether it reverts an earlier one.
func (w *spinner) edited(turn int, c *transcript.ToolCall) {
	if c.Path == "" || c.Old == "" || c.New == "" || c.Old == c.New {
		return
	}
	if len(w.put) > maxPut {
		clear(w.put)
	}
	back := c.Path + "\x00" + c.New + "\x00" + c.Old
	if n, ok := w.put[back]; ok {
		if w.put[back] = n + 1; n+1 == timesReverted {
			w.tell(Reverts, w.name(c), turn, n+1)
		}
		return
	}
	if key := c.Path + "\x00" + c.Old + "\x00" + c.New; w.put[key] == 0 {
		w.put[key] = 0
	}
}

// answered looks for spins among the latest calls and their answers.
func (w *spinner) answered(turn int, t *transcript.Turn) {
	if waits(t.Tool) {
		w.acts = nil
		return
	}
	a := act{maphash.String(w.seed, callKey(t.Tool)), t.Tool, t.Text, t.Failed}
	w.acts = append(w.acts, a)
	w.acts = w.acts[max(0, len(w.acts)-maxActs):]
	last := func(n int, same func(act) bool) bool {
		return len(w.acts) >= n && !slices.ContainsFunc(w.acts[len(w.acts)-n:], func(b act) bool { return !same(b) })
	}
	if last(timesFailed, func(b act) bool { return b.call == a.call && b.failed }) {
		w.tell(Fails, w.name(a.tool), turn, timesFailed)
	} else if last(timesRepeated, a.same) {
		w.tell(Repeats, w.name(a.tool), turn, timesRepeated)
	}
	if len(w.acts) < maxActs {
		return
	}
	odd, even := w.acts[0], w.acts[1]
	for i, b := range w.acts {
		of := odd
		if i%2 == 1 {
			of = even
		}
		if !b.same(of) {
			return
		}
	}
	if odd.call != even.call {
		pair := []string{w.name(odd.tool), w.name(even.tool)}
		slices.Sort(pair)
		w.tell(Alternates, strings.Join(pair, "` and `"), turn, timesAlternate)
	}
}

func (w *spinner) speaks(turn int, text string) {
	if text = strings.Join(strings.Fields(head(text, 400)), " "); text != w.words {
		w.words, w.said = text, 0
	}
	if w.said++; w.said == timesEchoed && len(text) >= minWords {
		w.tell(Echoes, oneLine(text), turn, w.said)
	}
}

// name says what a call is about, in the same words in every session: a file by its
// path in the project, or the command.
func (w *spinner) name(c *transcript.ToolCall) string {
	if c.Path != "" {
		if rel, err := filepath.Rel(w.dir, c.Path); w.dir != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		return filepath.ToSlash(c.Path)
	}
	return oneLine(cmp.Or(c.Command, c.Name))
}

func callKey(c *transcript.ToolCall) string {
	return strings.Join([]string{c.Name, c.Path, c.Command, c.Input}, "\x00")
}

// waits reports that a call polls for something to happen, which may well take
// many calls.
func waits(c *transcript.ToolCall) bool {
	low := strings.ToLower(c.Name + " " + head(c.Command, 400))
	return slices.ContainsFunc([]string{
		"sleep", "wait", "watch", "status", "poll", "gh run", "gh pr checks", "tail -f", "bashoutput", "taskoutput", "write_stdin", "kubectl get", "docker ps", "todo", "plan",
	}, func(x string) bool { return strings.Contains(low, x) })
}

// sureOfSpin is the confidence in a spin that two sessions show.
const sureOfSpin = 0.5

// Observe gives what becomes a lesson only when another session shows it too: spins
// and cures. See extractor.Observer.
func (r Rules) Observe(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	out, err := observeCures(ctx, s, turns)
	if err != nil {
		return nil, err
	}
	for _, spin := range Spins(s, turns) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := &turns[spin.Turn]
		if t.Kind == transcript.Result {
			if i := callOf(turns, spin.Turn); i >= 0 {
				t = &turns[i]
			}
		}
		said := sentence{text: spin.What, words: words(spin.What)}
		out = append(out, finish(s, lessons.Lesson{
			Status: lessons.Pending, Category: "pattern", Wording: lessons.Wording{Content: spin.content()},
			Tags: tags(&said), Triggers: showsOf(s, turns, spin.Turn, spin.content()), Scope: lessons.Scope{Role: s.Role},
			Confidence: sureOfSpin, Created: t.At,
			Origin: lessons.Origin{Source: sessionOf(s, t), Extractor: Name, Rule: fmt.Sprintf("agents of two sessions got no further here; in this one it %s, %d times", spin.Kind, spin.Times)},
			Evidence: []lessons.Evidence{{
				Agent: string(s.Agent), Session: sessionOf(s, t), UUID: t.UUID, Line: t.Line, By: lessons.ByAgent, From: "call",
				At: t.At, Quote: quoteOf(t), Before: transcript.Around(turns, spin.Turn, -1, nil), After: transcript.Around(turns, spin.Turn, +1, nil),
			}},
		}))
	}
	return out, nil
}

func quoteOf(t *transcript.Turn) string {
	if t.Tool != nil && t.Kind == transcript.Call {
		return head(cmp.Or(t.Tool.Command, t.Tool.Path, t.Tool.Input), maxQuote)
	}
	return head(t.Text, maxQuote)
}

// content is a spin as advice for the next session.
func (s Spin) content() string {
	switch s.Kind {
	case Fails:
		return fmt.Sprintf("`%s` keeps failing when it is run again unchanged: read the error and change something first.", s.What)
	case Repeats:
		return fmt.Sprintf("Running `%s` again gives the same answer: do not repeat it unchanged.", s.What)
	case Alternates:
		return fmt.Sprintf("Going back and forth between `%s` leads nowhere: stop and look for another way.", s.What)
	case Rereads:
		return fmt.Sprintf("Read `%s` once and note what matters in it: sessions read it again and again.", s.What)
	case Reverts:
		return fmt.Sprintf("Do not make and take back the same edit of `%s`: find out first which one is right.", s.What)
	}
	return fmt.Sprintf("Do not say the same again (“%s”): do something else, or ask.", s.What)
}

// fingerprint is the beginning of an answer, without what differs from run to run.
func fingerprint(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return unicode.ToLower(r)
	}, head(line, 200))
}
