package hook

import (
	"path/filepath"
	"time"

	"learnings/lessons/claims"
)

// lookup is how long a session waits at most for a look at its tree. What was not looked
// at by then counts as true.
const lookup = 250 * time.Millisecond

// tree is the working tree of a folder, to look up what lessons take for granted.
func (t *telling) tree(dir string) *claims.Tree {
	return claims.Open(dir, claims.Options{Cache: filepath.Join(t.State, claims.Folder), Limit: lookup})
}
