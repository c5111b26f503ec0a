// Package importer takes what other programs' stores hold into the corpus, as
// proposals: without secrets, and recognising what the corpus has.
package importer

import (
	"context"
	"fmt"

	"learnings/extractor/intake"
	"learnings/extractor/redact"
	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Import reads the store at path and keeps what is new as proposals. Entries that
// are no valid lesson are in the report with what could not be read. What wrote says
// that we wrote there ourselves, perhaps shortened, is the lesson of which it was
// made; it may be nil. With dry it stores nothing.
func Import(ctx context.Context, in *intake.Intake, name string, f exchange.Format, path string, wrote *exchange.Ledger, dry bool) (exchange.Report, error) {
	r := exchange.Report{Format: name, Path: path, Places: map[lessons.ID]string{}, Dry: dry}
	found, err := f.Read(ctx, path)
	if err != nil {
		return r, fmt.Errorf("reading %s as %s: %w", path, name, err)
	}
	r.Unread = found.Unread
	clean, ours := redact.New(), map[string]lessons.ID{}
	for _, id := range wrote.IDs() {
		w, _ := wrote.Of(id)
		ours[w.Text] = id
	}
	var ls []lessons.Lesson
	for _, e := range found.Entries {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		l := clean.Lesson(proposal(name, path, e))
		if err := l.Validate(); err != nil {
			r.Unread = append(r.Unread, exchange.Unread{Path: e.Place, Err: err})
			continue
		}
		if _, twice := r.Places[l.ID]; twice {
			r.Unread = append(r.Unread, exchange.Unread{Path: e.Place, Err: fmt.Errorf("there is an entry %q before it", e.Key)})
			continue
		}
		r.Places[l.ID] = e.Place
		if id, ok := ours[e.Lesson.Content]; ok {
			if status, ok := in.Status(id); ok {
				r.Known = append(r.Known, exchange.Recognised{Lesson: l, ID: id, Status: status})
				continue
			}
		}
		ls = append(ls, l)
	}
	if a, ok := f.(exchange.Affirmer); ok && a.Affirms() {
		rest, raised, err := in.Affirm(ctx, ls, dry)
		for _, a := range raised {
			if len(a.After.Evidence) == len(a.Before.Evidence) {
				r.Known = append(r.Known, exchange.Recognised{Lesson: a.Lesson, ID: a.After.ID, Status: a.After.Status})
				continue
			}
			r.Raised = append(r.Raised, exchange.Raised{Lesson: a.Lesson, ID: a.After.ID, From: a.Before.Confidence, To: a.After.Confidence})
		}
		if err != nil {
			return r, err
		}
		ls = rest
	}
	got, err := in.Import(ctx, ls, dry)
	r.New = got.New
	for _, k := range got.Known {
		r.Known = append(r.Known, exchange.Recognised{Lesson: k.Lesson, ID: k.ID, Status: k.Status})
	}
	return r, err
}

// Proposing is a format of which nothing is taken but proposals: in the session of an
// agent no store makes a lesson surer on which a person has decided.
func Proposing(f exchange.Format) exchange.Format { return struct{ exchange.Format }{f} }

// proposal is an entry as it waits for a person: whatever the other program made of
// it, here nobody has decided.
func proposal(name, path string, e exchange.Entry) lessons.Lesson {
	l := e.Lesson
	l.Status, l.Decided, l.Pinned, l.HoldsWith, l.Elsewhere = lessons.Pending, lessons.Decision{}, false, nil, e.Approved
	if l.Origin.Extractor == "" {
		l.Origin.Extractor = exchange.By(name)
	}
	if len(l.Evidence) == 0 {
		l.Evidence = []lessons.Evidence{{Agent: name, Path: path, From: "import", By: lessons.ByAgent, Quote: l.Content}}
	}
	for i := range l.Evidence {
		if ev := &l.Evidence[i]; ev.UUID == "" && ev.From == "import" {
			ev.UUID = string(exchange.ID(name, path, e.Key)) // or entries that moved within their file were new
		}
	}
	return l
}
