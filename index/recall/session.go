package recall

import (
	"cmp"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// This file chooses what a session is given at its start and when a person says something.
// Hooks give it, and previews show it to people.

// OnPrompt limits what a prompt brings up.
var OnPrompt = Budget{Lessons: 3, Tokens: 600, Chars: 3000}

// leastTells is how many telling words a prompt needs, or it is idle.
const leastTells = 2

// A Picker chooses as [Pick] does. With must it has a fallback for an index that cannot
// answer.
type Picker func(s Situation, b Budget, must bool) ([]Choice, error)

// About chooses at most so many lessons on the subject of a prompt, if it has one. It
// leaves out what the session has had.
func (pick Picker) About(s Situation, prompt string, had []lessons.ID, most int) ([]Choice, error) {
	if Idle(prompt) {
		return nil, nil
	}
	s.Prompt, s.OnlySubject, s.Had = prompt, true, had
	b := OnPrompt
	b.Lessons = min(b.Lessons, most)
	return pick(s, b, false)
}

// Whole chooses what a session is given at its start: at most so many lessons on the
// subject of its first prompt, if known, and what any session starts with, within the
// budget.
func (pick Picker) Whole(s Situation, prompt string, b Budget) ([]Choice, error) {
	b = b.OrDefault()
	about, err := pick.About(s, prompt, nil, b.Lessons)
	if err != nil {
		return nil, err
	}
	if ids := IDs(about); len(ids) > 0 {
		b.Chars, s.Had = b.Chars-OnPrompt.Chars, ids
	}
	always, err := pick(s, b, true)
	if err != nil {
		return nil, err
	}
	return append(about, always...), nil
}

// Idle reports whether a prompt says nothing that a lesson could be about: it is empty, a
// command to the agent itself, or hardly a word.
func Idle(said string) bool {
	said = strings.TrimSpace(said)
	first, _, _ := strings.Cut(said, " ")
	first, _, _ = strings.Cut(first, "\n")
	if command, ok := strings.CutPrefix(first, "/"); ok && !strings.ContainsAny(command, "/.") {
		return true
	}
	return strings.HasPrefix(said, "!") || len(index.Telling(cut(said))) < leastTells
}

// A Telling is what a session is told at one moment.
type Telling struct {
	Event   string   // the agent's name of the event
	Choices []Choice // all that were considered
	Budget  Budget
	Text    string // what the model reads; "" for nothing
	Wire    string // in the agent's format; "" for nothing
}

// An Ahead is what the next session would be told.
type Ahead struct {
	Told []Telling // in order, without empty ones
	Out  []Choice  // choices that no telling has in, nearest first
}

// Given returns the lessons that are told.
func (a Ahead) Given() (out []lessons.Lesson) {
	for _, t := range a.Told {
		for _, c := range t.Choices {
			if c.In {
				out = append(out, c.Lesson)
			}
		}
	}
	return out
}

// Nearest returns the choices of several tellings that are not in, each once, those that
// lack least first: first those that share something with the task, then the others. What
// no figure keeps out comes before what one does.
func Nearest(told ...[]Choice) []Choice {
	in := map[lessons.ID]bool{}
	for _, choices := range told {
		for _, c := range choices {
			in[c.Lesson.ID] = in[c.Lesson.ID] || c.In
		}
	}
	at := map[lessons.ID]int{}
	var out []Choice
	for _, choices := range told {
		for _, c := range choices {
			i, again := at[c.Lesson.ID]
			switch {
			case in[c.Lesson.ID]:
			case !again:
				at[c.Lesson.ID] = len(out)
				out = append(out, c)
			case nearer(c, out[i]) < 0:
				out[i] = c
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Choice) int {
		return cmp.Or(nearer(a, b), cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
	})
	return out
}

func nearer(a, b Choice) int {
	return cmp.Or(first(a.Parts.Cover > 0, b.Parts.Cover > 0), cmp.Compare(b.share(), a.share()))
}

// share returns how much of what it needs a choice has, at most 1.
func (c Choice) share() float64 {
	if c.Needs <= 0 {
		return 1
	}
	return min(c.Has/c.Needs, 1)
}
