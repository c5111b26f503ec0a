package recall

import (
	"time"

	"learnings/lessons"
	"learnings/lessons/claims"
)

// A Tree is the working tree of a project. A nil Tree knows nothing.
type Tree = claims.Tree

// TreeOf is the tree of the folder in which a session works. What was not looked up
// before the limit counts as true; what was is kept in the state folder.
func TreeOf(dir, state string, limit time.Duration) *Tree {
	return claims.Open(dir, claims.Options{State: state, Limit: limit})
}

// Gone says what a lesson names that a tree no longer has; "" for nothing.
func Gone(t *Tree, l lessons.Lesson) string { return claims.Gone(t.Missing(l)) }
