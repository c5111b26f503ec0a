// Package plain writes lessons for people and scripts, and reads them again where the
// form allows: JSON, a table, a text. These files belong to no other program; a write
// replaces them as a whole.
package plain

import (
	"cmp"
	"fmt"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// lesson makes a proposal of a record as --json prints it. Only content is needed:
// what a script leaves out gets a default.
func lesson(r lessons.Record, name string) (lessons.Lesson, error) {
	if r.Score == 0 && r.Confidence != "" {
		c, err := lessons.ParseConfidence(r.Confidence)
		if err != nil {
			return lessons.Lesson{}, err
		}
		r.Score = c
	}
	l := lessons.Lesson{
		ID: r.ID, Status: lessons.Pending, Category: cmp.Or(r.Category, "pattern"),
		Wording: lessons.Wording{Content: r.Content, Insight: r.Insight, Example: r.Example},
		Tags:    r.Tags, Triggers: r.Triggers, Scope: lessons.Scope{Project: r.Project, Role: r.Role, Global: r.Global},
		Confidence: cmp.Or(r.Score, 0.6), Created: r.Created,
		Origin: lessons.Origin{Source: r.Source, Extractor: r.Extractor, Rule: r.Rule, Score: r.RawScore},
	}
	if l.ID == "" {
		l.ID = exchange.ID(name, r.Project+"\x00"+r.Role, r.Content)
	}
	for _, w := range r.Evidence {
		l.Evidence = append(l.Evidence, lessons.Evidence{
			Agent: w.Agent, Session: w.Session, UUID: w.UUID, Path: w.Path, Line: w.Line, By: w.By, Author: w.Author, Link: w.Link,
			From: w.From, At: timeOf(w.At), Quote: w.Quote, Before: w.Before, After: w.After,
		})
	}
	return l, nil
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// replace plans that the file at to.Path holds text and nothing else.
func replace(to exchange.Target, f exchange.Format, ls []lessons.Lesson, text []byte) (*exchange.Plan, error) {
	before, err := exchange.ReadFile(to.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", exchange.ErrFormat, err)
	}
	p := exchange.NewPlan(to, f, ls)
	p.File(to.Path, before, text)
	return p, nil
}
