package curate

import (
	"learnings/index"
	"learnings/lessons"
)

// Waiting limits a query to the proposals that wait for a person, in the order of
// [lessons.InQueue] unless the query has one of its own: that of words, or one
// that was asked for.
func Waiting(q index.Query) index.Query {
	if q.Sort == "" && q.Order() != index.Relevance {
		q.Sort = index.Queue
	}
	return q.Where(index.Status, string(lessons.Pending))
}

// Duplicates is the lane of what is said more than once: its proposals are in a lane of
// their own as well, see [Clusters].
const Duplicates lessons.Lane = "duplicates"

// Outdated is the lane of approved lessons that name what their project no longer has: no
// session is given them until a person has looked.
const Outdated lessons.Lane = "outdated"

// Lanes are all lanes of the queue, in the order in which they are shown.
var Lanes = []lessons.Lane{lessons.Likely, lessons.Maybe, Duplicates, lessons.FromOutside, lessons.Quarantined, Outdated}
