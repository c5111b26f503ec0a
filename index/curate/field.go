package curate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
)

// The fields that [Field] can change.
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

// Fields are the fields that [Field] can change.
var Fields = []string{FieldCategory, FieldProject, FieldRole, FieldScope, FieldTags, FieldTriggers, FieldUntil, FieldFiles}

// The values of [FieldScope].
const (
	thisProject  = "this project"
	everyProject = "every project"
)

// Scopes are the values of [FieldScope].
var Scopes = []string{thisProject, everyProject}

// FieldText returns a field of a lesson in the form that [Field] reads.
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
	case FieldUntil:
		if !l.Limit.Until.IsZero() {
			return l.Limit.Until.Format(time.DateOnly)
		}
	default:
		if terms := termsField(field, &l); terms != nil {
			return strings.Join(*terms, ", ")
		}
	}
	return ""
}

// termsField returns a field that holds several terms; nil for any other.
func termsField(field string, l *lessons.Lesson) *[]string {
	return map[string]*[]string{FieldTags: &l.Tags, FieldTriggers: &l.Triggers, FieldFiles: &l.Limit.Paths}[field]
}

// Field returns the action that sets a field to what a person typed. Tags, triggers and
// files are separated by commas; the action adds the terms of text that before lacks and
// removes those that only before has, so that other lessons keep their own terms. The end
// is a day, as in 2026-12-31, or a time from now, as in 30d (m is a month).
func Field(field, before, text string, now time.Time) (Action, error) {
	text = strings.Join(strings.Fields(text), " ")
	shows := text
	if shows == "" {
		shows = "none"
	}
	var g Typed
	switch field {
	case FieldCategory:
		g.Category = &text
	case FieldProject:
		if err := CheckProject(text); err != nil {
			return Action{}, err
		}
		g.Project = &text
	case FieldRole:
		g.Role = &text
	case FieldScope:
		if !slices.Contains(Scopes, text) {
			return Action{}, fmt.Errorf("a lesson holds in %s or %s, not in %q", thisProject, everyProject, text)
		}
		global := text == everyProject
		g.Global = &global
	case FieldUntil:
		g.Until = &text
	case FieldTags, FieldTriggers, FieldFiles:
		return termsAction(field, termsOf(before), termsOf(text))
	default:
		return Action{}, fmt.Errorf("%q is no field", field)
	}
	if _, err := g.On(lessons.Lesson{}, now); err != nil {
		return Action{}, err
	}
	return fieldAction(field, shows, func(l lessons.Lesson) lessons.Lesson {
		l, _ = g.On(l, now) // it was parsed above
		return l
	}), nil
}

func fieldAction(field, shows string, change func(lessons.Lesson) lessons.Lesson) Action {
	a := edits(change)
	a.Verb, a.Done, a.once = "set "+field+" "+shows+" of", field+" "+shows+":", false
	return a
}

// termsAction adds the terms that only is has and removes those that only was has.
func termsAction(field string, was, is []string) (Action, error) {
	without := func(a, b []string) []string {
		return slices.DeleteFunc(slices.Clone(a), func(t string) bool { return slices.Contains(b, t) })
	}
	add, drop := without(is, was), without(was, is)
	var shows []string
	for _, t := range add {
		if field == FieldFiles && !lessons.FilePattern(t) {
			return Action{}, fmt.Errorf("%q is no pattern of files, such as cmd/** or *.proto", t)
		}
		shows = append(shows, "+"+t)
	}
	for _, t := range drop {
		shows = append(shows, "-"+t)
	}
	if len(shows) == 0 {
		return Action{}, ErrUnchanged
	}
	return fieldAction(field, strings.Join(shows, " "), func(l lessons.Lesson) lessons.Lesson {
		terms := termsField(field, &l)
		*terms = lessons.JoinTerms(without(*terms, drop), add)
		return l
	}), nil
}

// termsOf splits a text at commas.
func termsOf(text string) (out []string) {
	for t := range strings.SplitSeq(text, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "#"); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// untilOf parses when a lesson ends; "" is never.
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
	n := len(text) - 1
	count, err := strconv.Atoi(strings.TrimSpace(text[:n]))
	if days := map[byte]int{'d': 1, 'w': 7, 'm': 30, 'y': 365}[text[n]]; err == nil && count > 0 && count < 10_000 && days > 0 {
		return now.AddDate(0, 0, count*days).Truncate(24 * time.Hour), nil
	}
	return time.Time{}, fmt.Errorf("%q is no end: type a day as in 2026-12-31, or how long as in 30d or 6w", text)
}

// Typed holds the typed values of the fields of one lesson; nil leaves a field as it is.
// [Field] is the same for one field of many lessons.
type Typed struct {
	Content, Insight, Example *string
	Category, Project, Role   *string
	Confidence                *string   // a number, a word, or [Computed]
	Tags, Triggers, Paths     *[]string // each element may hold several, separated by commas; they replace the old ones
	Agent                     *string
	Until                     *string // as [Field] reads [FieldUntil]
	Global                    *bool
}

// Computed makes a confidence computed again, no longer the person's own.
const Computed = "auto"

// On sets the fields of a lesson. It returns an error for a value that it cannot parse; it
// does not check that the resulting lesson is valid.
func (g Typed) On(l lessons.Lesson, now time.Time) (lessons.Lesson, error) {
	for _, f := range []struct{ given, field *string }{
		{g.Content, &l.Content}, {g.Insight, &l.Insight}, {g.Example, &l.Example},
		{g.Project, &l.Scope.Project}, {g.Role, &l.Scope.Role}, {g.Agent, &l.Limit.Agent},
	} {
		if f.given != nil {
			*f.field = strings.TrimSpace(*f.given)
		}
	}
	for _, f := range []struct{ given, field *[]string }{{g.Tags, &l.Tags}, {g.Triggers, &l.Triggers}, {g.Paths, &l.Limit.Paths}} {
		if f.given != nil {
			*f.field = termsOf(strings.Join(*f.given, ","))
		}
	}
	if g.Global != nil {
		l.Scope.Global = *g.Global
	}
	var err error
	if g.Category != nil {
		if l.Category, err = lessons.ParseCategory(*g.Category); err != nil {
			return l, err
		}
	}
	if g.Until != nil {
		if l.Limit.Until, err = untilOf(*g.Until, now); err != nil {
			return l, err
		}
	}
	if g.Confidence != nil && *g.Confidence == Computed {
		l = l.Unrated()
	} else if g.Confidence != nil {
		c, err := lessons.TypedConfidence(*g.Confidence)
		if err != nil {
			return l, err
		}
		l = l.Rated(c)
	}
	return l, nil
}
