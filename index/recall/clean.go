package recall

import "learnings/lessons"

// Clean makes text of a lesson or a session safe for an agent to read: it has no escape
// sequences, no invisible characters, and no tags of the frames that we or a harness put
// around our text.
func Clean(s string) string { return harmless(lessons.Block(s)) }
