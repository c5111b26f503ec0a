package recall

import "learnings/lessons"

// Clean makes text of a lesson or a session safe to be read by an agent: no escape
// sequence, nothing that cannot be seen, and no tag of the frames that we or a harness
// put around what we say.
func Clean(s string) string { return harmless(lessons.Block(s)) }
