package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// Marker begins every prompt of ours. A session whose first message bears it
// is an extraction, and is never extracted from.
const Marker = "[learnings-extraction]"

//go:embed system.md
var systemText string

// answerSchema is what an answer looks like. The order counts: a model writes
// the quote before what it makes of it.
var answerSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"decision":{"type":"string","enum":["LEARN","NONE"]},` +
	`"lessons":{"type":"array","items":{"type":"object","properties":{` +
	`"quote":{"type":"string"},"handle":{"type":"string"},"content":{"type":"string"},"why":{"type":"string"},` +
	`"category":{"type":"string","enum":["preference","correction","workflow","architecture","tool-usage","error-fix","debugging","pattern"]},` +
	`"scope":{"type":"string","enum":["project","global"]},"confidence":{"type":"string","enum":["certain","clear","likely","doubtful"]},` +
	`"triggers":{"type":"array","items":{"type":"string"}},"supersedes":{"type":"string"}},` +
	`"required":["quote","handle","content","why","category","scope","confidence","triggers","supersedes"],"additionalProperties":false}}},` +
	`"required":["decision","lessons"],"additionalProperties":false}`)

// Known is what the person has decided on before. The caller picks what is
// near to the session; only the first of each are told to the model.
type Known struct {
	Lessons  []lessons.Lesson // approved and pending
	Rejected []lessons.Lesson // with their reasons
}

// How much of it is told.
const (
	knownMost, knownTokens       = 40, 1200
	rejectedMost, rejectedTokens = 20, 600
)

// A Prompt is what is sent to a model for one session.
type Prompt struct {
	Digest   *Digest
	Request  llm.Request
	Estimate llm.Cost // at most, as far as can be told

	known []lessons.Lesson // as numbered in the prompt
	all   Known
}

// Text is the whole prompt for a person to read.
func (p Prompt) Text() string {
	return p.Request.System + "\n\n" + p.Request.User
}

// newPrompt writes the prompt for one session. All that comes from the session or
// the store goes through the digest's redaction.
func newPrompt(s transcript.Session, d *Digest, k Known, max int) Prompt {
	told, known := tellKnown(d, k, 0)
	text := Marker + " The record of one session follows.\n\nSession: " + about(s, d) + "\n\n" + told + "\n" + recordOf(d) +
		fmt.Sprintf("\nNow decide, and answer with the JSON object: at most %d lessons, each with a quote copied from one entry above.\n", max)
	return Prompt{Digest: d, known: known, all: k, Request: request(text, max)}
}

// sharedPrompt writes one prompt for several sessions, and gives for each what its
// lessons are checked by. What is known is told once for those that follow it.
func sharedPrompt(qs []*question, max int) ([]Prompt, llm.Request) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s The records of %d sessions follow. Each is a session of its own: take nothing from one for another, and cite the entry of the session that a lesson is from.\n\n", Marker, len(qs))
	var out []Prompt
	var known []lessons.Lesson
	numbered := 0
	for i, q := range qs {
		name := fmt.Sprintf("S%d", i+1)
		if i == 0 || q.told != qs[i-1].told {
			told, now := tellKnown(q.digest, q.known, numbered)
			known = append(make([]lessons.Lesson, numbered), now...)
			numbered += len(now)
			fmt.Fprintf(&b, "What is known in the project of the sessions from %s on:\n\n%s\n", name, told)
		}
		q.digest.name(name)
		fmt.Fprintf(&b, "Session %s: %s\n\n%s\n", name, about(q.session, q.digest), recordOf(q.digest))
		out = append(out, Prompt{Digest: q.digest, known: known, all: q.known})
	}
	fmt.Fprintf(&b, "Now decide, session by session, and answer with one JSON object for all of them: at most %d lessons of a session, each with its handle (%s) and a quote copied from that entry.\n", max, `"S2M1"`)
	return out, request(b.String(), max)
}

// request is the request with a prompt's text.
func request(user string, max int) llm.Request {
	return llm.Request{System: strings.ReplaceAll(strings.TrimSpace(systemText), "{max}", strconv.Itoa(max)), User: user, Schema: answerSchema}
}

// recordOf is a digest as a prompt has it.
func recordOf(d *Digest) string {
	return "<learnings-digest>\n" + d.String() + "</learnings-digest>\n"
}

// tellKnown writes what is known, and gives the lessons that it names by a number
// behind from.
func tellKnown(d *Digest, k Known, from int) (string, []lessons.Lesson) {
	var b strings.Builder
	var known []lessons.Lesson
	b.WriteString("<learnings-known>\n")
	used := 0
	for _, l := range k.Lessons {
		line := fmt.Sprintf("[L%d] (%s) %s\n", from+len(known)+1, where(l), d.aside(l.Content, 300))
		if used += Tokens(line); len(known) == knownMost || used > knownTokens {
			break
		}
		known = append(known, l)
		b.WriteString(line)
	}
	b.WriteString(none(len(known)) + "</learnings-known>\n\n<learnings-rejected>\n")
	used, n := 0, 0
	for _, l := range k.Rejected {
		line := "- " + d.aside(l.Content, 200)
		if l.Decided.Reason != "" {
			line += " (rejected: " + d.aside(l.Decided.Reason, 150) + ")"
		}
		if used += Tokens(line); n == rejectedMost || used > rejectedTokens {
			break
		}
		n++
		b.WriteString(line + "\n")
	}
	b.WriteString(none(n) + "</learnings-rejected>\n")
	return b.String(), known
}

func none(n int) string {
	if n == 0 {
		return "(none)\n"
	}
	return ""
}

// aside is a text from the store, on one line.
func (d *Digest) aside(s string, n int) string {
	return fence(head(lessons.Line(d.redact(s)), n))
}

func where(l lessons.Lesson) string {
	if l.Scope.Global {
		return "global, " + string(l.Status)
	}
	return "project, " + string(l.Status)
}

// about tells what a session was. The folder's last name is enough: what lies
// above it is the user's.
func about(s transcript.Session, d *Digest) string {
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

// Own reports whether a session is an extraction of ours: its first message
// is our prompt, or the task that a command was given with it.
func Own(turns []transcript.Turn) bool {
	for i := range turns {
		t := &turns[i]
		if t.Speaker != transcript.Person || t.Kind != transcript.Message && t.Kind != transcript.Command {
			continue
		}
		for line := range strings.Lines(t.Text) {
			if strings.HasPrefix(line, Marker) {
				return true
			}
		}
		return false
	}
	return false
}
