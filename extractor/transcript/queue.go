package transcript

import "strings"

// A queue follows the messages that a person typed while Claude Code worked.
// They may come again as a line of the user or as an attachment, and they may
// not: so they are given out where they were typed, and left out where the
// same text comes again soon.
type queue struct {
	given  map[string]repeat // by the text, trimmed
	popped string            // what the person took back to edit
	spoken int               // messages of the person so far, repeats apart
	held   *queuedText
}

// A repeat is a text that was given out when it was queued.
type repeat struct {
	n     int // how often it may come again
	since int // queue.spoken when it was queued
}

// staleAfter is how many messages a person types until a text that was queued
// before is no repeat any more: people say "continue" twice and mean it.
const staleAfter = 8

// A queuedText waits for the next record: when that takes it out of the queue
// at once, the agent was not working, and it comes as an ordinary message.
type queuedText struct {
	turn  Turn
	words []string
}

// expect notes that text was given out and may come again.
func (q *queue) expect(text string) {
	text = strings.TrimSpace(text)
	q.given[text] = repeat{q.given[text].n + 1, q.spoken}
}

// repeats says whether text is one that was given out when it was queued.
func (q *queue) repeats(text string) bool {
	text = strings.TrimSpace(text)
	r, ok := q.given[text]
	if !ok {
		return false
	}
	if r.n--; r.n == 0 {
		delete(q.given, text)
	} else {
		q.given[text] = r
	}
	return q.spoken-r.since <= staleAfter
}

// queued reads a change of the queue.
func (c *claude) queued(o object) {
	at := c.d.at(o.get("timestamp"))
	content := o.get("content")
	switch o.get("operation").word() {
	case "enqueue":
		c.release()
		c.queue.held = &queuedText{
			turn:  Turn{Line: c.d.line, Session: o.get("sessionId").word(), At: at},
			words: texts(content),
		}
	case "dequeue":
		c.queue.held = nil
	case "popAll":
		c.release()
		c.queue.popped = strings.TrimSpace(plainText(content))
	default:
		c.release()
	}
}

// release gives out the queued message that is held back.
func (c *claude) release() {
	held := c.queue.held
	if held == nil {
		return
	}
	c.queue.held = nil
	for _, text := range held.words {
		if c.queue.popped != "" && c.queue.popped == strings.TrimSpace(text) {
			c.queue.popped = ""
			continue
		}
		if name, args, ok := slash(text); ok {
			c.d.command(held.turn, name, args)
			c.queue.expect(name + " " + args)
			continue
		}
		c.said(text, held.turn, Steering)
		c.queue.expect(text)
	}
}

// plainText is a string, or the texts of a list of blocks.
func plainText(v raw) string { return strings.Join(texts(v), "\n") }

// texts is a string, or each text of a list of blocks.
func texts(v raw) []string {
	if v.isString() {
		return []string{v.text()}
	}
	var out []string
	for b := range v.elements() {
		if t := b.get("text"); t.isString() {
			out = append(out, t.text())
		}
	}
	return out
}
