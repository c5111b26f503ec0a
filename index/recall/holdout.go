package recall

import (
	"hash/fnv"

	"learnings/lessons"
)

// Held reports whether a lesson is held out of a session, which holds for one share of
// all sessions. It is the same whenever it is asked, so that a session that is resumed or
// compacted, its prompts and its subagents agree. Of a session without a name nothing is
// held out.
func Held(session string, id lessons.ID, share float64) bool {
	if session == "" || !(share > 0) {
		return false
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte("holdout\x00" + session + "\x00" + string(id)))
	x := h.Sum64()
	// The last step of splitmix64: the bits of FNV alone are not even enough.
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return float64(x>>11)/(1<<53) < share
}

// holdOut takes out what is held out of the session. What is pinned never is.
func (s Situation) holdOut(choices []Choice) {
	for i := range choices {
		c := &choices[i]
		if c.In && !c.Lesson.Pinned && Held(s.Session, c.Lesson.ID, s.Holdout) {
			c.In, c.Held, c.Why = false, true, "held out of this session; "+c.Why
		}
	}
}
