package recall

import (
	"hash/fnv"

	"learnings/lessons"
)

// Held reports whether a lesson is held out of a session. A lesson is held out of a share
// of all sessions. The result for a session never changes, so that a resumed or compacted
// session, its prompts and its subagents agree. Nothing is held out of a session without a
// name.
func Held(session string, id lessons.ID, share float64) bool {
	if session == "" || !(share > 0) {
		return false
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte("holdout\x00" + session + "\x00" + string(id)))
	x := h.Sum64()
	// The last step of splitmix64, because the bits of FNV are not uniform enough.
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return float64(x>>11)/(1<<53) < share
}

// holdOut marks the choices held out of the session, except pinned ones.
func (s Situation) holdOut(choices []Choice) {
	for i := range choices {
		c := &choices[i]
		if c.In && !c.Lesson.Pinned && Held(s.Session, c.Lesson.ID, s.Holdout) {
			c.In, c.Held, c.Why = false, true, "held out of this session; "+c.Why
		}
	}
}
