package curate

import (
	"strings"
	"time"

	"learnings/lessons"
)

// Typed is what a person gives for the fields of one lesson, as it was typed; nil is a
// field that stays. [Field] is the same for one field of many lessons.
type Typed struct {
	Content, Insight, Example *string
	Category, Project, Role   *string
	Confidence                *string   // a number, a word, or [Computed]
	Tags, Triggers, Paths     *[]string // each may hold several, between commas; they replace the old ones
	Agent                     *string
	Until                     *string // as [Field] reads [FieldUntil]
	Global                    *bool
}

// Computed stands for a confidence that is no longer the person's own.
const Computed = "auto"

// On gives a lesson the fields. What cannot be read is an error; whether what comes of it
// is a whole lesson is not looked at.
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
		c, err := lessons.ParseConfidence(*g.Confidence)
		if err != nil {
			return l, err
		}
		l = l.Rated(c)
	}
	return l, nil
}
