package recall

import (
	"time"

	"learnings/lessons"
	"learnings/lessons/claims"
)

// A Tree is the working tree of a project. A nil Tree knows nothing.
type Tree = claims.Tree

// TreeOf returns the tree of a session's folder. It takes what it could not look up within
// the limit for true, and caches the rest in the state folder.
func TreeOf(dir, state string, limit time.Duration) *Tree {
	return claims.Open(dir, claims.Options{State: state, Limit: limit})
}

// Gone returns what a lesson names that a tree no longer has; "" for nothing.
func Gone(t *Tree, l lessons.Lesson) string { return claims.Gone(t.Missing(l)) }
