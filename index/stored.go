package index

import (
	"encoding/json"

	"learnings/lessons"
)

// stored is a lesson as the index keeps it: as JSON, without what it does not have. It is
// read as a [lessons.Lesson].
func stored(l lessons.Lesson) ([]byte, error) { return json.Marshal(shorten(l)) }
