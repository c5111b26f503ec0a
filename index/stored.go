package index

import (
	"encoding/json"
	"time"

	"learnings/lessons"
)

// stored is a lesson as the index keeps it: as JSON, without what it does not have. Most
// of a lesson's fields are empty nearly always, and would be half of what is stored. It is
// read as a [lessons.Lesson].
func stored(l lessons.Lesson) ([]byte, error) {
	s := struct {
		sparse
		Evidence []piece `json:",omitzero"`
	}{sparse: sparse(l)}
	for _, e := range shorten(l).Evidence {
		s.Evidence = append(s.Evidence, piece(e))
	}
	return json.Marshal(s)
}

// A sparse has the fields of a lesson, and the compiler sees to it that it has all.
type sparse struct {
	ID       lessons.ID
	Rev      lessons.Rev
	Status   lessons.Status
	Category lessons.Category
	lessons.Wording
	Tags       []string           `json:",omitzero"`
	Triggers   []string           `json:",omitzero"`
	Scope      lessons.Scope      `json:",omitzero"`
	Limit      lessons.Limit      `json:",omitzero"`
	Confidence lessons.Confidence `json:",omitzero"`
	Evidence   []lessons.Evidence `json:"-"`
	Use        lessons.Use        `json:",omitzero"`
	Proof      lessons.Proof      `json:",omitzero"`
	Pinned     bool               `json:",omitzero"`
	Origin     lessons.Origin     `json:",omitzero"`
	Lane       lessons.Lane       `json:",omitzero"`
	Offer      lessons.Offer      `json:",omitzero"`
	Decided    lessons.Decision   `json:",omitzero"`
	Elsewhere  lessons.Approval   `json:",omitzero"`
	Guard      lessons.Guard      `json:",omitzero"`
	HoldsWith  []lessons.Holding  `json:",omitzero"`
	Without    []string           `json:",omitzero"`
	Created    time.Time          `json:",omitzero"`
	Extra      []lessons.Field    `json:",omitzero"`
	Outside    bool               `json:",omitzero"`
}

// A piece of evidence, in the same way.
type piece struct {
	Agent   string          `json:",omitzero"`
	Session string          `json:",omitzero"`
	UUID    string          `json:",omitzero"`
	Path    string          `json:",omitzero"`
	Line    int             `json:",omitzero"`
	By      lessons.Speaker `json:",omitzero"`
	Author  string          `json:",omitzero"`
	Link    string          `json:",omitzero"`
	From    string          `json:",omitzero"`
	At      time.Time       `json:",omitzero"`
	Quote   string          `json:",omitzero"`
	Before  []string        `json:",omitzero"`
	After   []string        `json:",omitzero"`
}
