package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

//go:embed system.md
var systemText string

// answerSchema is the schema of an answer. The order matters: a model writes the quote
// before the lesson.
var answerSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"decision":{"type":"string","enum":["LEARN","NONE"]},` +
	`"lessons":{"type":"array","items":{"type":"object","properties":{` +
	`"quote":{"type":"string"},"handle":{"type":"string"},"content":{"type":"string"},"why":{"type":"string"},` +
	`"category":{"type":"string","enum":["preference","correction","workflow","architecture","tool-usage","error-fix","debugging","pattern"]},` +
	`"scope":{"type":"string","enum":["project","global"]},"confidence":{"type":"string","enum":["certain","clear","likely"]},` +
	`"triggers":{"type":"array","items":{"type":"string"}},"supersedes":{"type":"string"}},` +
	`"required":["quote","handle","content","why","category","scope","confidence","triggers","supersedes"],"additionalProperties":false}}},` +
	`"required":["decision","lessons"],"additionalProperties":false}`)

// Known is what is known in the project of a session. The model is told what is nearest
// to what was said there, and of this run also what it has found so far.
type Known struct {
	Project  string
	Lessons  []lessons.Lesson // approved and pending, the newest first
	Rejected []lessons.Lesson // with their reasons, the newest first
}

// How much of it is told, in lessons and in tokens.
const (
	knownMost, knownTokens       = 40, 1200
	rejectedMost, rejectedTokens = 20, 600
	farMost                      = 8 // of those that share no word with the sessions
)

// prompt writes the request about some sessions, and returns the known lessons that it
// numbers. All text from the sessions and the store is redacted by their digests. What
// is known is told once for consecutive sessions of one project.
func prompt(qs []*question, most int) (llm.Request, []lessons.Lesson) {
	var b strings.Builder
	b.WriteString(extractor.OwnMarker)
	if len(qs) == 1 {
		b.WriteString(" The record of one session follows.\n\n")
	} else {
		fmt.Fprintf(&b, " The records of %d sessions follow. Each is a session of its own: take nothing from one for another, and cite the entry of the session that a lesson is from.\n\n", len(qs))
	}
	var known []lessons.Lesson
	for i, q := range qs {
		name, heading := "", "Session"
		if len(qs) > 1 {
			name = fmt.Sprintf("S%d", i+1)
			heading += " " + name
		}
		if i == 0 || q.known.Project != qs[i-1].known.Project {
			end := i + 1
			for end < len(qs) && qs[end].known.Project == q.known.Project {
				end++
			}
			told, now := tellKnown(qs[i:end], len(known))
			known = append(known, now...)
			if name != "" {
				fmt.Fprintf(&b, "What is known in the project of the sessions from %s on:\n\n", name)
			}
			b.WriteString(told + "\n")
		}
		q.digest.name(name)
		fmt.Fprintf(&b, "%s: %s\n\n<learnings-digest>\n%s</learnings-digest>\n\n", heading, about(q.session, q.digest), q.digest)
	}
	if len(qs) == 1 {
		fmt.Fprintf(&b, "Now decide, and answer with the JSON object: at most %d lessons, each with a quote copied from one entry above.\n", most)
	} else {
		fmt.Fprintf(&b, "Now decide, session by session, and answer with one JSON object for all of them: at most %d lessons of a session, each with its handle (%s) and a quote copied from that entry.\n", most, `"S2M1"`)
	}
	system := strings.ReplaceAll(strings.TrimSpace(systemText), "{max}", strconv.Itoa(most))
	return llm.Request{System: system, User: b.String(), Schema: answerSchema}, known
}

// tellKnown writes what is known of some sessions of a project, the nearest first, and
// returns the lessons that it numbers after from.
func tellKnown(qs []*question, from int) (string, []lessons.Lesson) {
	var known []lessons.Lesson
	d := qs[0].digest
	list := func(ls []lessons.Lesson, most, tokens int, line func(lessons.Lesson) string) (out string) {
		for _, l := range ls[:min(len(ls), most)] {
			line := line(l)
			if tokens -= Tokens(line); tokens < 0 {
				break
			}
			out += line
		}
		if out == "" {
			return "(none)\n"
		}
		return out
	}
	counting := list(nearest(qs, func(q *question) []lessons.Lesson { return q.known.Lessons }), knownMost, knownTokens, func(l lessons.Lesson) string {
		where := "project"
		if l.Scope.Global {
			where = "global"
		}
		known = append(known, l)
		status := string(l.Status)
		if unsure(l) {
			status = "unsure"
		}
		return fmt.Sprintf("[L%d] (%s, %s) %s\n", from+len(known), where, status, d.aside(l.Content, 300))
	})
	rejected := list(nearest(qs, func(q *question) []lessons.Lesson { return q.known.Rejected }), rejectedMost, rejectedTokens, func(l lessons.Lesson) string {
		line := "- " + d.aside(l.Content, 200)
		if l.Decided.Reason != "" {
			line += " (rejected: " + d.aside(l.Decided.Reason, 150) + ")"
		}
		return line + "\n"
	})
	return "<learnings-known>\n" + counting + "</learnings-known>\n\n<learnings-rejected>\n" + rejected + "</learnings-rejected>\n", known
}

// about describes a session. Only the last name of the folder is sent, because the rest
// is private.
func about(s transcript.Session, d *digest) string {
	parts := []string{string(s.Agent)}
	if dir := strings.ReplaceAll(s.Dir, `\`, "/"); dir != "" {
		parts = append(parts, "in folder "+d.aside(filepath.Base(dir), 60))
	}
	if s.Branch != "" {
		parts = append(parts, "on branch "+d.aside(s.Branch, 60))
	}
	if !s.Start.IsZero() {
		parts = append(parts, s.Start.UTC().Format("2006-01-02"))
	}
	return strings.Join(parts, ", ")
}
