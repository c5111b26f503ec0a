package main

import (
	"fmt"
	"time"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// proven are the facts of a lesson's proof that say more than its confidence.
func proven(l lessons.Lesson) [][2]string {
	var out [][2]string
	p := l.Proof
	if p.Own {
		out = append(out, [2]string{"Set by you", fmt.Sprintf("computed: %s; `edit %s --confidence auto` goes back to it", l.Unrated().Confidence, l.ID)})
	}
	if p.Outcomes > 0 {
		out = append(out, [2]string{"Proof", fmt.Sprintf("%s, the last %s; %.2f speak for it, %.2f against; began at %s",
			term.Plural(p.Outcomes, "outcome"), p.Last.Local().Format(time.DateOnly), p.Alpha, p.Beta, prior(l))})
	}
	if l.Pinned {
		out = append(out, [2]string{"Pinned", "stays fresh, and is not due again"})
	} else if at, ok := l.Due(); ok {
		times := ""
		if p.Confirmations > 0 {
			times = fmt.Sprintf(", confirmed %d times", p.Confirmations)
		}
		out = append(out, [2]string{"Look again", at.Local().Format(time.DateOnly) + times})
	}
	return out
}

func prior(l lessons.Lesson) lessons.Confidence {
	if l.Proof.Prior != 0 {
		return l.Proof.Prior
	}
	return l.Confidence
}
