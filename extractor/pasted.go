package extractor

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// This file separates what a person typed from what somebody else wrote and the person
// pasted: a mail, a ticket, a review, a page. It may ask for anything, and the person has
// stated none of it.

var (
	// attributes matches a line that gives the word to somebody else, up to its colon.
	attributes = lessons.LazyRegexp(`(?i)(?:\b(?:says?|said|wrote|writes|replied|answered|commented|posted|reads|states|sent(?: (?:me|us))?(?: this)?)|\b(?:e-?mail|mail|slack|teams|discord|message|comments?|feedback|review(?:er)?|ticket|thread|readme|article|blog post|changelog|transcript|bot|coderabbit|copilot|chatgpt|log|logs|output|stack ?trace|traceback)(?: (?:from|of|by|on|in|for) [^:]{1,60})?(?: (?:below|above|here))?)\s*:\s*$`)

	// ours matches words by which a person gives the word to themselves, or to the agent
	// addressed.
	ours = lessons.LazyRegexp(`(?i)\b(?:i|we|i'?ve|we'?ve|you|my|our|commit|log|error|exact)\b[^.;]*\s*:\s*$`)

	// header matches the first line of a mail or of an exported ticket.
	header = lessons.LazyRegexp(`(?i)^\s*(?:from|to|subject|sent|reply-to|reported by|reporter|author|assignee)\s*:\s+\S|^\s*on .{6,80} wrote:\s*$`)
)

// leastCited is the length in bytes from which words in quotation marks are somebody's
// sentence and not a name.
const leastCited = 20

// pasted reports whether a quote stands only in what somebody else wrote: in a block
// quote or a fence, after a line that names who wrote it or where it stood, or in
// quotation marks after such a word. What follows such a line counts to the end of the
// message, because nothing tells where it ends.
func pasted(text, quote string) bool {
	quote = plainWords(quote)
	if quote == "" {
		return false
	}
	var typed, foreign strings.Builder
	fenced, announced, others := false, false, false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		fence, block := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"), strings.HasPrefix(bare, ">")
		if announced && bare != "" {
			others, announced = others || !fence && !block, false // a block ends by itself
		}
		others = others || !fenced && header().MatchString(line)
		to := &typed
		if fenced || others || block {
			to = &foreign
			line = strings.TrimLeft(line, "> \t")
		}
		to.WriteString(line)
		fenced = fenced != fence
		announced = announced || !fenced && attributes().MatchString(bare) && !ours().MatchString(bare)
	}
	own := plainWords(typed.String())
	if !strings.Contains(own, quote) {
		return strings.Contains(plainWords(foreign.String()), quote)
	}
	return cited(typed.String(), quote)
}

// cited reports whether a quote stands in quotation marks after a word that gives the word
// to somebody else.
func cited(text, quote string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\"“”", r) })
	i := slices.IndexFunc(parts, func(p string) bool { return strings.Contains(plainWords(p), quote) })
	if i%2 == 0 || i < 0 || len(parts[i]) < leastCited {
		return false
	}
	lead := parts[i-1][strings.LastIndexAny(parts[i-1], ".!?\n")+1:]
	lead = strings.TrimRight(lead, ": ,") + ":"
	return attributes().MatchString(lead) && !ours().MatchString(lead)
}

// plainWords are the words of a text in lower case, with one blank between them.
func plainWords(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
