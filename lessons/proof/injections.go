// Package proof stores and evaluates how much lessons are worth: which ones sessions were
// given ([Session], and the log of [Injection]), their outcomes in the sessions that were
// read ([Reading], summed up in a [Book]), and what a person's decisions say about
// confidences ([Calibration]).
//
// The data is in the state database: ids, times, hashes, and a few words around each
// outcome, without secrets. If it is lost, sessions may be told things twice and are read
// again.
package proof

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/state"
)

const maxHere = 30 // lessons of one kind in one entry

// An Injection records what a session was given at one moment, and what it was not.
type Injection struct {
	At      time.Time
	Session string
	Part    string // the subagent, if any
	Agent   string // as in transcripts; "" if unknown
	Event   string // session-start, user-prompt, tool-failure, subagent-start
	Project string
	Lessons []lessons.ID // given
	Held    []lessons.ID // held out of the session instead of given
	Matched []lessons.ID // matched, but did not fit
}

// field shortens an overlong name.
func field(s string) string { return strings.ToValidUTF8(s[:min(len(s), 256)], "") }

func join(all []lessons.ID) string {
	words := make([]string, 0, len(all))
	for _, id := range all[:min(len(all), maxHere)] {
		words = append(words, strings.ReplaceAll(string(id), ",", ""))
	}
	return strings.Join(words, ",")
}

func split(s string) (all []lessons.ID) {
	for id := range strings.SplitSeq(s, ",") {
		if id != "" {
			all = append(all, lessons.ID(id))
		}
	}
	return all
}

// LogInjection records an injection. It ignores one without lessons.
func LogInjection(dir string, r Injection) error {
	if len(r.Lessons)+len(r.Held)+len(r.Matched) == 0 {
		return nil
	}
	err := state.At(dir).Update(func(t state.Tx) error { return insert(t, r) })
	if err != nil {
		return fmt.Errorf("recording what was given: %w", err)
	}
	return nil
}

func insert(t state.Tx, r Injection) error {
	_, err := t.Exec("INSERT INTO given (at, event, session, part, agent, project, lessons, held, matched) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		r.At.UnixMilli(), field(r.Event), field(r.Session), field(r.Part), field(r.Agent), field(r.Project), join(r.Lessons), join(r.Held), join(r.Matched))
	return err
}

const selected = "SELECT at, event, session, part, agent, project, lessons, held, matched FROM given "

func scan(rows *state.Rows) (r Injection, err error) {
	var at int64
	var given, held, matched string
	err = rows.Scan(&at, &r.Event, &r.Session, &r.Part, &r.Agent, &r.Project, &given, &held, &matched)
	r.At, r.Lessons, r.Held, r.Matched = time.UnixMilli(at).UTC(), split(given), split(held), split(matched)
	return r, err
}

// Injections yields the records, oldest first. With ids, it yields only those of these
// lessons.
func Injections(dir string, of ...lessons.ID) iter.Seq2[Injection, error] {
	return func(yield func(Injection, error) bool) {
		// Collect first: the caller may write while iterating.
		var all []Injection
		err := state.At(dir).Each(func(rows *state.Rows) error {
			r, err := scan(rows)
			if len(of) == 0 || slices.ContainsFunc(slices.Concat(r.Lessons, r.Held, r.Matched), func(id lessons.ID) bool { return slices.Contains(of, id) }) {
				all = append(all, r)
			}
			return err
		}, selected+"ORDER BY at, n")
		if err != nil {
			yield(Injection{}, fmt.Errorf("reading what was given: %w", err))
			return
		}
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// latest is how many records of a project are searched for its last session.
const latest = 200

// LatestInjected returns the lessons that the project's last other session was given for
// what was said or done in it.
func LatestInjected(dir, project, session string) (ids []lessons.ID) {
	last := ""
	err := state.At(dir).Each(func(rows *state.Rows) error {
		r, err := scan(rows)
		last = cmp.Or(last, r.Session)
		if r.Session == last {
			ids = append(slices.Clone(r.Lessons), ids...)
		}
		return err
	}, selected+"WHERE project = ? AND session <> ? AND event NOT IN ('session-start', 'subagent-start') ORDER BY at DESC, session DESC, n DESC LIMIT ?", project, session, latest)
	if err != nil {
		return nil
	}
	var out []lessons.ID
	for _, id := range ids {
		if !slices.Contains(out, id) && len(out) < maxHere {
			out = append(out, id)
		}
	}
	return out
}

// Tag is the element around every block of lessons given to a session.
const Tag = "learnings-context"

// maxInBlocks limits the lessons of one text: a session is given about five at once.
const maxInBlocks = 100

var (
	tagIDs = lessons.LazyRegexp(`(?:<|&lt;)` + Tag + `\b[^<>]{0,400}\blessons="([a-z0-9_,-]+)"`) // until 2026-11
	anID   = lessons.LazyRegexp(`^[a-z0-9_-]{1,64}$`)
	// row matches a lesson of a block: its handle ends the line of its sentence.
	row = lessons.LazyRegexp(`(?m)^- .*\[L-([a-z0-9_-]{1,64})\]\r?$`)
)

// InBlocks returns the lessons named by the blocks in a text. Only call it for text that
// a harness put into a transcript: a page that an agent reads may hold such blocks, too.
func InBlocks(text string) (ids []lessons.ID) {
	add := func(id string) {
		if len(ids) < maxInBlocks && !slices.Contains(ids, lessons.ID(id)) {
			ids = append(ids, lessons.ID(id))
		}
	}
	if !strings.Contains(text, Tag) {
		return nil
	}
	for _, m := range tagIDs().FindAllStringSubmatch(text, -1) {
		for id := range strings.SplitSeq(m[1], ",") {
			if anID().MatchString(id) {
				add(id)
			}
		}
	}
	parts := strings.Split(text, Tag)
	for i, block := range parts[1:] {
		if before := parts[i]; strings.HasSuffix(before, "</") || strings.HasSuffix(before, "&lt;/") { // a closing tag
			continue
		}
		for _, m := range row().FindAllStringSubmatch(block, -1) {
			add(m[1])
		}
	}
	return ids
}
