package curate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
)

// Fields are what [Field] can change of a lesson.
const (
	FieldCategory = "category"
	FieldProject  = "project"
	FieldRole     = "role"
	FieldScope    = "scope"
	FieldTags     = "tags"
	FieldTriggers = "when it shows"
	FieldUntil    = "holds until"
	FieldFiles    = "files"
)

// Fields are all of them.
var Fields = []string{FieldCategory, FieldProject, FieldRole, FieldScope, FieldTags, FieldTriggers, FieldUntil, FieldFiles}

// FieldText is a field of a lesson as [Field] reads it.
func FieldText(field string, l lessons.Lesson) string {
	switch field {
	case FieldCategory:
		return string(l.Category)
	case FieldProject:
		return l.Scope.Project
	case FieldRole:
		return l.Scope.Role
	case FieldScope:
		if l.Scope.Global {
			return everyProject
		}
		return thisProject
	case FieldTags:
		return strings.Join(l.Tags, ", ")
	case FieldTriggers:
		return strings.Join(l.Triggers, ", ")
	case FieldFiles:
		return strings.Join(l.Limit.Paths, ", ")
	case FieldUntil:
		if !l.Limit.Until.IsZero() {
			return l.Limit.Until.Format(time.DateOnly)
		}
	}
	return ""
}

// The values of [FieldScope].
const (
	thisProject  = "this project"
	everyProject = "every project"
)

// Scopes are the values of [FieldScope].
var Scopes = []string{thisProject, everyProject}

// Field is the action that gives lessons a field as a person has typed it. Tags,
// when it shows and files stand between commas: what was there before and is no longer is taken away,
// and what is new is added, so that the others of a lesson stay when the action is made
// on it. The end is a day, as in 2026-12-31, or how long from now, as in 30d (m is a month).
func Field(field, before, text string, now time.Time) (Action, error) {
	text = strings.Join(strings.Fields(text), " ")
	var set func(*lessons.Lesson)
	shows := text
	switch field {
	case FieldCategory:
		c, err := lessons.ParseCategory(text)
		if err != nil {
			return Action{}, err
		}
		set = func(l *lessons.Lesson) { l.Category = c }
	case FieldProject:
		if err := CheckProject(text); err != nil {
			return Action{}, err
		}
		set = func(l *lessons.Lesson) { l.Scope.Project = text }
	case FieldRole:
		set = func(l *lessons.Lesson) { l.Scope.Role = text }
	case FieldScope:
		if !slices.Contains(Scopes, text) {
			return Action{}, fmt.Errorf("a lesson holds in %s or %s, not in %q", thisProject, everyProject, text)
		}
		set = func(l *lessons.Lesson) { l.Scope.Global = text == everyProject }
	case FieldTags, FieldTriggers, FieldFiles:
		add, drop := changedTerms(before, text)
		if len(add)+len(drop) == 0 {
			return Action{}, ErrUnchanged
		}
		for _, p := range add {
			if field == FieldFiles && !lessons.FilePattern(p) {
				return Action{}, fmt.Errorf("%q is no pattern of files, such as cmd/** or *.proto", p)
			}
		}
		shows = told(add, drop)
		set = func(l *lessons.Lesson) {
			terms := map[string]*[]string{FieldTags: &l.Tags, FieldTriggers: &l.Triggers, FieldFiles: &l.Limit.Paths}[field]
			*terms = lessons.JoinTerms(slices.DeleteFunc(slices.Clone(*terms), func(t string) bool { return slices.Contains(drop, t) }), add)
		}
	case FieldUntil:
		until, err := untilOf(text, now)
		if err != nil {
			return Action{}, err
		}
		set = func(l *lessons.Lesson) { l.Limit.Until = until }
	default:
		return Action{}, fmt.Errorf("%q is no field", field)
	}
	if shows == "" {
		shows = "none"
	}
	a := edits(func(l lessons.Lesson) lessons.Lesson {
		set(&l)
		return l
	})
	a.Verb, a.Done, a.once = "set "+field+" "+shows+" of", field+" "+shows+":", false
	return a, nil
}

// changedTerms are the terms that a text has and another had not, and the reverse.
func changedTerms(before, after string) (add, drop []string) {
	was, is := termsOf(before), termsOf(after)
	without := func(a, b []string) []string {
		return slices.DeleteFunc(slices.Clone(a), func(t string) bool { return slices.Contains(b, t) })
	}
	return without(is, was), without(was, is)
}

func termsOf(text string) (out []string) {
	for t := range strings.SplitSeq(text, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "#"); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func told(add, drop []string) string {
	var all []string
	for _, t := range add {
		all = append(all, "+"+t)
	}
	for _, t := range drop {
		all = append(all, "-"+t)
	}
	return strings.Join(all, " ")
}

// untilOf reads when a lesson ends; nothing is never.
func untilOf(text string, now time.Time) (time.Time, error) {
	if text == "" || text == "never" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			if !at.After(now) {
				return at, fmt.Errorf("%s is over already", text)
			}
			return at, nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 && strings.HasSuffix(text, "h") {
		return now.Add(d), nil
	}
	if n := len(text) - 1; n > 0 {
		count, err := strconv.Atoi(strings.TrimSpace(text[:n]))
		if days := map[byte]int{'d': 1, 'w': 7, 'm': 30, 'y': 365}[text[n]]; err == nil && count > 0 && count < 10_000 && days > 0 {
			return now.AddDate(0, 0, count*days).Truncate(24 * time.Hour), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no end: type a day as in 2026-12-31, or how long as in 30d or 6w", text)
}

// Then is one action that does what another does after this one: one step of the
// journal, which is taken back as one.
func (a Action) Then(b Action) Action {
	first, second := a.apply, b.apply
	both := b
	both.Rewords, both.once, both.one, both.draft, both.typed = a.Rewords || b.Rewords, a.once || b.once, a.one || b.one, a.draft, a.typed
	both.Done = a.Done + " and " + b.Done
	both.apply = func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) {
		l, err := first(l, d)
		if err != nil {
			return l, err
		}
		return second(l, d)
	}
	return both
}
