package extractor

import (
	"path"
	"slices"
	"strings"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/proof"
)

// Text that was given to a session must not come back as a lesson learned from it, or each
// lesson would breed copies in other words. That holds for our own text, for what other
// memories gave, and for the instruction files that every session begins with. Such text is
// in a transcript where a hook injected it, an agent asked for it, or a person pasted it.
// The rules are:
//
//   - Elements and sections by which memories and harnesses mark what they give are cut
//     out of every turn, no matter who made it.
//   - The answer of a tool that reads a memory or an instruction file is ignored.
//   - What a person marked as private is ignored.

const lessonsTag = proof.Tag

// foreign lists the elements of other memories and of harnesses. An element that is not
// closed counts only at the start of a line, because people also mention elements.
var foreign = []string{
	"claude-mem-context", "recall", "lessons", "memory", "memories", "relevant-memories", "relevant_memories", "user_memory", "past-learnings",
	"observation", "session_summary", "prior_context",
	"system-reminder", "system_instruction", "system-instruction", "user_instructions", "INSTRUCTIONS", "persisted-output", "private", "private-context",
}

// foreignHeads are the first letters of foreign; they rule out most of the "<" in code.
const foreignHeads = "clrmposuI"

// sections are headings, without their marks, under which memories put what
// they give, and wholeFiles those above an instruction file with headings of
// its own, which none of them ends.
var (
	sections   = []string{"Lessons from Past Sessions", "Additional Relevant Lessons", "Past Learnings Relevant to This Task", "Relevant Memories", "Recalled Memories", "Auto-memory", "auto memory"}
	wholeFiles = []string{"AGENTS.md instructions", "CLAUDE.md instructions", "claudeMd", "MEMORY.md"}
)

// whole is the rank of a section that only the text's end ends.
const whole = 7

var (
	// recentContext is the heading of claude-mem's block.
	recentContext = lessons.LazyRegexp(`^\[?[^\]]{1,80}\]? recent context(?:,|$)`)
	// contentsOf is how Claude Code introduces an instruction or memory file.
	contentsOf = lessons.LazyRegexp(`^Contents of \S*(?:CLAUDE|AGENTS|GEMINI|MEMORY)(?:\.local)?\.md\b`)
	// ownCommand is a call of this program that prints lessons.
	ownCommand = lessons.LazyRegexp(`(?:^|[;&|(]|/)\s*learnings(?:\.exe)?\s+(?:-\S+\s+)*(?:show|search|inject|hook|review|history|stats|extract|mcp)\b`)
	// reading is a command that prints an instruction or memory file, or asks
	// a memory.
	reading = lessons.LazyRegexp(`\b(?:cat|head|tail|sed|less|more|bat|nl|type|Get-Content)\b[^|;&]*\b(?:(?:CLAUDE|AGENTS|GEMINI|MEMORY)(?:\.local|\.override)?\.md|\.cursorrules|copilot-instructions\.md)|(?:^|[;&|(]\s*)(?:npx\s+)?(?:claude-mem|octobrain)\b`)
)

// memoryTools are parts of the names of tools that answer from a memory.
var memoryTools = []string{"learnings", "claude-mem", "claude_mem", "mem-search", "mem_search", "episodic-memory", "octobrain", "memory__", "recall", "remember", "memorize", "save_memory", "search_nodes", "open_nodes"}

// instructionFiles are read by agents at the start of every session.
var instructionFiles = []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md", "MEMORY.md", ".cursorrules", ".windsurfrules", ".clinerules", "copilot-instructions.md"}

// withoutInjected removes from a turn what was given to the session.
func withoutInjected(t transcript.Turn) transcript.Turn {
	if t.Kind == transcript.Result && t.Tool != nil && remembers(t.Tool) {
		t.Text = ""
		return t
	}
	text := cutInjected(t.Text)
	if len(text) == len(t.Text) {
		return t
	}
	t.Text = text
	if strings.TrimSpace(text) == "" {
		t.Speaker, t.Kind = transcript.Harness, transcript.Notice
	}
	return t
}

// remembers reports whether a call reads a memory or an instruction file.
func remembers(c *transcript.ToolCall) bool {
	name := strings.ToLower(c.Name)
	if slices.ContainsFunc(memoryTools, func(m string) bool { return strings.Contains(name, m) }) {
		return true
	}
	if c.Path != "" {
		p := strings.ReplaceAll(c.Path, `\`, "/")
		if slices.Contains(instructionFiles, path.Base(p)) || strings.Contains(p, "/.claude/") && strings.Contains(p, "/memory/") || strings.Contains(p, "/.cursor/rules/") || strings.Contains(p, "/.claude/rules/") {
			return true
		}
	}
	if c.Command == "" {
		return false
	}
	return strings.Contains(c.Command, "learnings") && ownCommand().MatchString(c.Command) ||
		(strings.Contains(c.Command, ".md") || strings.Contains(c.Command, "rules") || strings.Contains(c.Command, "mem") || strings.Contains(c.Command, "octobrain")) && reading().MatchString(c.Command)
}

// cutInjected removes from s what memories and harnesses put there.
func cutInjected(s string) string {
	s = cutOwn(s)
	if strings.IndexByte(s, '<') >= 0 {
		never := make(map[string]bool) // names that nothing closes any more
		s, _ = transcript.CutElements(s, func(s string, i int) int { return foreignLen(s, i, never) })
	}
	if strings.HasPrefix(s, "#") || strings.Contains(s, "\n#") || strings.Contains(s, "Contents of ") {
		s = cutSections(s)
	}
	return s
}

// cutOwn removes our blocks. If a block has lost its start or end, cutOwn removes
// everything that could belong to it.
func cutOwn(s string) string {
	const open, end = "<" + lessonsTag, "</" + lessonsTag + ">"
	if !strings.Contains(s, lessonsTag) {
		return s
	}
	var b strings.Builder
	for s != "" {
		from, to := strings.Index(s, open), strings.Index(s, end)
		switch {
		case to >= 0 && (from < 0 || to < from):
			b.Reset()
			s = s[to+len(end):]
		case from < 0:
			b.WriteString(s)
			s = ""
		case to < 0:
			b.WriteString(s[:from])
			s = ""
		default:
			b.WriteString(s[:from])
			s = s[to+len(end):]
		}
	}
	return b.String()
}

// foreignLen is the length of the element that begins at s[i], or 0.
func foreignLen(s string, i int, never map[string]bool) int {
	rest := s[i+1:]
	if rest == "" || strings.IndexByte(foreignHeads, rest[0]) < 0 {
		return 0
	}
	for _, tag := range foreign {
		after, ok := strings.CutPrefix(rest, tag)
		if !ok || after == "" || strings.IndexByte("> \t\n", after[0]) < 0 {
			continue
		}
		if !never[tag] {
			if end := strings.Index(after, "</"+tag+">"); end >= 0 {
				return 1 + len(tag) + end + len(tag) + 3
			}
			never[tag] = true
		}
		if after[0] == '>' && strings.HasPrefix(after, ">\n") && (i == 0 || s[i-1] == '\n') {
			return len(s) - i
		}
	}
	return 0
}

// cutSections removes the sections of others, up to the next heading of the same or a
// higher rank. A section that is a list ends at the first line that is not an item.
func cutSections(s string) string {
	var kept strings.Builder
	rank := 0 // of the section that is being cut; 0 for none
	list := false
	for line := range strings.Lines(s) {
		t := strings.TrimSpace(line)
		hashes := len(t) - len(strings.TrimLeft(t, "#"))
		title := strings.TrimSpace(t[hashes:])
		heads := hashes > 0 && hashes < 7 && title != "" && len(t) > hashes && t[hashes] == ' '
		switch {
		case rank == whole:
		case heads && slices.ContainsFunc(wholeFiles, func(s string) bool { return begins(title, s) }), strings.HasPrefix(t, "Contents of ") && contentsOf().MatchString(t):
			rank, list = whole, false
		case heads && isGiven(title):
			rank, list = hashes, false
		case rank > 0 && heads && hashes <= rank:
			rank = 0
		case rank > 0 && strings.HasPrefix(t, "- ["):
			list = true
		case list && t != "" && !strings.HasPrefix(t, "- ") && !strings.HasPrefix(line, " "):
			rank, list = 0, false
		}
		if rank == 0 {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func isGiven(title string) bool {
	return slices.ContainsFunc(sections, func(s string) bool { return begins(title, s) }) || strings.Contains(title, " recent context") && recentContext().MatchString(title)
}

func begins(title, s string) bool {
	rest, ok := strings.CutPrefix(title, s)
	return ok && (rest == "" || strings.IndexByte(" :(,", rest[0]) >= 0)
}

// OwnMarker begins a line of the first message of every session in which an agent was
// asked to extract lessons. Such sessions are not extracted, or each extraction would
// lead to the next.
const OwnMarker = "[learnings-extraction]"

// Own reports whether a session is one of our extractions: its first message is our
// prompt, or the task that a command received with it.
func Own(turns []transcript.Turn) bool {
	for i := range turns {
		if t := &turns[i]; t.Speaker == transcript.Person && (t.Kind == transcript.Message || t.Kind == transcript.Command) {
			return isOwn(t.Text)
		}
	}
	return false
}

func isOwn(text string) bool {
	return strings.HasPrefix(text, OwnMarker) || strings.Contains(text, "\n"+OwnMarker)
}

// injected reports whether a proposal was made of injected text all the same.
func injected(l lessons.Lesson) bool {
	texts := []string{l.Content}
	for _, e := range l.Evidence {
		texts = append(texts, e.Quote)
	}
	return slices.ContainsFunc(texts, func(s string) bool {
		return strings.Contains(s, lessonsTag) || len(cutInjected(s)) != len(s)
	})
}

// This file finds the lessons that a session was given: the block that we give names them.
// It counts only where a harness put it into the transcript, because a page that an agent
// reads can hold such a block too.

// A Given is a lesson that a session was given.
type Given struct {
	ID   lessons.ID
	At   time.Time // zero if the transcript does not say
	Line int       // of the transcript, from 1
}

// A Reply is what a person said to an agent that had been given lessons. It may be
// about one of them.
type Reply struct {
	Lesson lessons.Lesson // the finished proposal made of it
	Given  []lessons.ID   // before it was said
}

// maxGiven is the most lessons kept of one transcript. A session is given about five,
// and again after each compaction.
const maxGiven = 100

// give notes the lessons that a turn gave.
func (p *pass) give(t transcript.Turn) {
	if t.Speaker != transcript.Harness || t.Sidechain {
		return
	}
	for _, id := range proof.InBlocks(t.Text) {
		known := slices.ContainsFunc(p.given, func(g Given) bool { return g.ID == id })
		if known || len(p.given) >= maxGiven {
			continue
		}
		g := Given{ID: id, At: t.At, Line: t.Line}
		p.given = append(p.given, g)
		p.batch.Given = append(p.batch.Given, g)
	}
}

// givenBefore restores what the mark says was given.
func (p *pass) givenBefore(ids []string) {
	for _, id := range ids {
		p.given = append(p.given, Given{ID: lessons.ID(id)})
	}
}

// givenIDs returns the ids of all given lessons, for the mark.
func (p *pass) givenIDs() []string {
	var out []string
	for _, g := range p.given {
		out = append(out, string(g.ID))
	}
	return out
}

// reply collects the proposals that came from a person's answer after lessons had been
// given.
func (p *pass) reply() {
	for _, l := range p.batch.Lessons {
		i := slices.IndexFunc(l.Evidence, func(e lessons.Evidence) bool { return e.By == lessons.ByPerson && len(e.Before) > 0 })
		if i < 0 {
			continue
		}
		var ids []lessons.ID
		for _, g := range p.given {
			if g.Line < l.Evidence[i].Line {
				ids = append(ids, g.ID)
			}
		}
		if len(ids) > 0 {
			p.batch.Replies = append(p.batch.Replies, Reply{Lesson: l, Given: ids})
		}
	}
}
