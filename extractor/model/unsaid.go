package model

import (
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/match"
)

// This file gathers what the words of a lesson are looked up in; package unsaid does
// that.

// unsaid returns the commands, addresses, packages, paths and names in a wording that
// are neither in what is quoted nor in anything the person said. When the content has
// no word in common with what is quoted, it returns the words that the content is
// about. What the agent said counts as the person's where they agreed with it, answered
// it or refused it, for then they have read it.
func (d *Digest) unsaid(w lessons.Wording, at found) []string {
	near := match.Heard{d.around(at)}
	if d.persons == nil {
		p := d.allPersons()
		d.persons = &p
	}
	return match.Unsaid(w, near, append(near, *d.persons))
}

// around returns what a quote has to be read with: its turn, and what of the agent's
// the turn answers. An error belongs with the call that failed and the one that worked.
func (d *Digest) around(at found) match.Speech {
	t := &d.turns[at.turn]
	own := d.readable(at.turn)
	texts := []string{own, at.quote, d.safe(t.Name)}
	if t.Tool != nil {
		texts = append(texts, d.call(t.Tool))
	}
	if t.Speaker == transcript.Tool {
		if cure := d.cure(at.turn); cure >= 0 {
			texts = append(texts, d.call(d.turns[cure].Tool))
		}
	}
	if t.Speaker == transcript.Person && match.Affirms(own) {
		if i := d.answered(at.turn); i >= 0 {
			texts = append(texts, d.readable(i))
		}
	}
	return match.NewSpeech(texts)
}

// answered returns the agent's message that a person's turn answers, or -1.
func (d *Digest) answered(turn int) int {
	for i := turn - 1; i >= 0; i-- {
		switch t := &d.turns[i]; {
		case t.Sidechain:
		case t.Speaker == transcript.Person:
			return -1
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			return i
		}
	}
	return -1
}

// allPersons returns all that the person said in the session, without the output of
// commands that they ran themselves.
func (d *Digest) allPersons() match.Speech {
	var texts []string
	for i := range d.turns {
		if t := &d.turns[i]; t.Speaker == transcript.Person && t.Kind != transcript.Shell && !t.Sidechain && !t.Scripted {
			texts = append(texts, d.readable(i))
		}
	}
	return match.NewSpeech(texts)
}
