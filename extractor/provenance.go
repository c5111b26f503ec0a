package extractor

import (
	"slices"
	"strings"
	"unicode"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file checks a proposal against the transcript. The speaker decides how far it is
// believed, so the speaker is read from the quoted turn and not taken from the proposer:
// the text that a model reads can talk it into anything.

// witnessed sets the speaker of each piece of evidence from the turn that it quotes. It
// returns false when there is no evidence, when a quote is not on its line, or when a
// person is quoted who did not say it. Rules quote exactly; a model may not, so most
// words must match.
func witnessed(l lessons.Lesson, turns []transcript.Turn) (lessons.Lesson, bool) {
	l.Evidence = slices.Clone(l.Evidence)
	for i := range l.Evidence {
		e := &l.Evidence[i]
		if e.Line <= 0 || strings.TrimSpace(e.Quote) == "" {
			return l, false
		}
		t := quoted(*e, turns)
		if t == nil {
			return l, false
		}
		e.By, e.Author, e.Link = speaker(t), t.Author, t.Link
		if e.By == lessons.ByTool && e.From != toolError && t.Tool != nil && readsWeb(t.Tool) {
			e.From = lessons.Web
		}
		if e.By == lessons.ByPerson && t.Author == "" && pasted(t.Text, e.Quote) {
			e.By, e.From = lessons.ByTool, lessons.Pasted
		}
	}
	return l, len(l.Evidence) > 0
}

const toolError = "tool-error"

// quoted finds the turn that a piece of evidence quotes, preferring the speaker that it
// names. Only a person is quoted as a person.
func quoted(e lessons.Evidence, turns []transcript.Turn) *transcript.Turn {
	var found *transcript.Turn
	for i := range turns {
		t := &turns[i]
		another := e.UUID != "" && t.UUID != "" && e.UUID != t.UUID // on the same line
		if t.Line != e.Line || another || !quotes(e.Quote, t) {
			continue
		}
		by := speaker(t)
		switch {
		case by == e.By:
			return t
		case e.By == lessons.ByPerson && !t.Scripted, by == "":
		case found == nil || by == lessons.ByTool: // the least believed
			found = t
		}
	}
	return found
}

// speaker returns who made a turn; "" for text of a harness, which teaches nothing.
// Summaries, plans and the prompts of programs are an agent's words.
func speaker(t *transcript.Turn) lessons.Speaker {
	switch {
	case t.Speaker == transcript.Person && t.Scripted:
		return lessons.ByAgent
	case t.Speaker == transcript.Person:
		return lessons.ByPerson
	case t.Speaker == transcript.Agent, t.Kind == transcript.Summary, t.Kind == transcript.Plan:
		return lessons.ByAgent
	case t.Speaker == transcript.Tool:
		return lessons.ByTool
	}
	return ""
}

// quotes reports whether at least three quarters of the words of a quote are in a turn.
func quotes(quote string, t *transcript.Turn) bool {
	text := t.Text + " " + t.Name
	if t.Kind == transcript.Call && t.Tool != nil {
		text = strings.Join([]string{text, t.Tool.Command, t.Tool.Path, t.Tool.New, t.Tool.Input}, " ")
	}
	said := strings.ToLower(text)
	all, there := 0, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(quote), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		all++
		if strings.Contains(said, word) {
			there++
		}
	}
	return there*4 >= all*3
}

// webTools are parts of the names of tools that read the web.
var webTools = []string{"webfetch", "websearch", "web_fetch", "web_search", "web-fetch", "web-search", "google_web", "fetch_url", "url_fetch", "browser", "__fetch", "web.run", "puppeteer", "playwright"}

// readsWeb reports whether a call answers with text from a web page, which its owner
// controls.
func readsWeb(c *transcript.ToolCall) bool {
	name := strings.ToLower(c.Name)
	if name == "fetch" || slices.ContainsFunc(webTools, func(w string) bool { return strings.Contains(name, w) }) {
		return true
	}
	for _, w := range strings.FieldsFunc(c.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;|&()$`'\"", r) }) {
		switch w {
		case "curl", "wget", "lynx", "iwr", "Invoke-WebRequest":
			return true
		}
	}
	return false
}
