package curate

import (
	"learnings/index"
	"learnings/lessons"
)

// Waiting limits a query to the proposals that wait for a person, ordered by
// [lessons.InQueue] unless the query has words or an order of its own.
func Waiting(q index.Query) index.Query {
	if q.Sort == "" && q.Order() != index.Relevance {
		q.Sort = index.Queue
	}
	return q.Waiting()
}

// Duplicates is the lane of what is said more than once. Its proposals are in a lane of
// their own as well; see [Clusters].
const Duplicates lessons.Lane = "duplicates"

// Outdated is the lane of approved lessons that name what their project no longer has.
// Sessions do not get them until a person has looked.
const Outdated lessons.Lane = "outdated"

// Lanes are all lanes of the queue, in display order.
var Lanes = []lessons.Lane{lessons.Likely, lessons.Maybe, Duplicates, lessons.FromOutside, lessons.Quarantined, Outdated}
