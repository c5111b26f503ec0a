package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/store"
)

// A toolCall is a tool call as the agent reports it, after a failure or after each call.
type toolCall struct {
	id     string // the agent's id; may be ""
	tool   string
	says   string // the command or file, on one line
	print  uint64 // a hash of the input
	failed bool
	error  string // the error message
	input  *arguments
}

// found are the fields of an agent's JSON by path.
type found map[string]leaf

// text returns the first of these fields that is a non-empty string.
func (f found) text(paths ...string) string {
	for _, p := range paths {
		if l := f[p]; l.str && strings.TrimSpace(l.text) != "" {
			return l.text
		}
	}
	return ""
}

// is reports whether a field is a number or bool that is spelt text.
func (f found) is(path, text string) bool { l, ok := f[path]; return ok && !l.str && l.text == text }

func (f found) number(path string) float64 {
	n, err := strconv.ParseFloat(f[path].text, 64)
	if l, ok := f[path]; !ok || l.str || err != nil {
		return 0
	}
	return n
}

// below returns the paths of an object's fields, or of the field itself, sorted.
func (f found) below(root string) []string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(f)) {
		if p == root || strings.HasPrefix(p, root+".") {
			out = append(out, p)
		}
	}
	return out
}

// unpack parses a field that holds JSON in a string.
func (f found) unpack(path string) {
	l := f[path]
	if !l.str || !strings.HasPrefix(l.text, "{") {
		return
	}
	// If it was cut, its beginning counts.
	inner, err := scan(strings.NewReader(l.text), func(string) bool { return true })
	if len(inner) == 0 || errors.Is(err, errNotJSON) {
		return
	}
	delete(f, path)
	for p, in := range inner {
		f[path+"."+p] = in
	}
}

// The fields in which agents put the input and the result of a call.
var (
	inputs  = []string{"tool_input", "toolInput", "toolArgs", "postToolUse.parameters", "preToolUse.parameters", "tool_result.input"}
	results = []string{"tool_response", "tool_result", "toolResult", "tool_output", "postToolUse"}
)

// beside are input fields that agents word differently each time: they do not identify
// the call.
var beside = map[string]bool{"description": true, "timeout": true, "explanation": true, "justification": true, "requires_approval": true}

func (f found) call() toolCall {
	c := toolCall{
		id:   f.text("tool_use_id", "toolUseId", "toolCallId", "tool_call_id"),
		tool: f.text("tool_name", "toolName", "postToolUse.toolName", "preToolUse.toolName", "tool_result.name"),
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00", c.tool)
	for _, root := range inputs {
		paths := f.below(root)
		for _, p := range paths {
			last := p[strings.LastIndexByte(p, '.')+1:]
			if beside[last] {
				continue
			}
			l := f[p]
			fmt.Fprintf(h, "%s\x00%s\x00%d\x00", strings.TrimPrefix(p, root), strings.Join(strings.Fields(l.text), " "), max(l.size, maxText))
		}
		if len(paths) > 0 {
			c.says = f.says(root, paths)
			break
		}
	}
	c.print, c.input = h.Sum64(), f.arguments()
	c.failed, c.error = f.failure()
	return c
}

// says returns the part of an input by which a person recognises the call.
func (f found) says(root string, paths []string) string {
	for _, name := range []string{"command", "cmd", "file_path", "filePath", "path", "url", "pattern", "query"} {
		if s := f.text(root + "." + name); s != "" {
			return s
		}
		var words []string
		for i := range maxItems {
			if s := f.text(fmt.Sprintf("%s.%s.%d", root, name, i)); s != "" {
				words = append(words, s)
			}
		}
		if len(words) > 0 {
			return strings.Join(words, " ")
		}
	}
	return f.text(paths...)
}

var (
	exitCode = lessons.LazyRegexp(`(?i)\bexit(?:ed)?(?: with)?[ _](?:exit )?(?:code|status)[:= ]+(-?\d+)`)
	// bad matches lines by which programs report failure.
	bad = lessons.LazyRegexp(`(?i)^\W{0,3}(?:\S+[: ] ?){0,3}(?:error|fatal|panic|failed|failure|exception|traceback|denied|refused|cannot|can't|unable|not found|no such|unknown|undefined|unexpected|invalid|missing|npm err!)(?:[\s:!(\[.,;]|$)`)
)

// failure reports whether a call failed, and its error. Some agents say so; others only
// pass on the program's output, which must be searched for an error.
func (f found) failure() (bool, string) {
	if f.is("is_interrupt", "true") || f.is("isInterrupt", "true") {
		return false, "" // the person interrupted it
	}
	said := f.text("error", "error.message", "error_message")
	if said != "" {
		return true, said
	}
	failed, told := false, false
	var parts []string
	for _, root := range results {
		for _, p := range f.below(root) {
			name, l := p[strings.LastIndexByte(p, '.')+1:], f[p]
			switch {
			case !l.str && (name == "exit_code" || name == "exitCode" || name == "returncode"):
				failed, told = failed || f.number(p) != 0, true
			case !l.str && (name == "is_error" || name == "isError"):
				failed, told = failed || l.text == "true", true
			case !l.str && name == "success":
				failed, told = failed || l.text == "false", true
			case l.str && (name == "result_type" || name == "resultType"):
				failed = failed || l.text == "failure" || l.text == "error"
			case l.str && (name == "error" || strings.HasSuffix(p, ".error.message")) && strings.TrimSpace(l.text) != "":
				failed, parts = true, append([]string{l.text}, parts...)
			case l.str && name == "stderr":
				parts = append([]string{l.text}, parts...)
			case l.str && printed(root, p, name):
				parts = append(parts, l.text)
			}
		}
	}
	text := strings.TrimSpace(strings.Join(parts, "\n"))
	if m := exitCode().FindAllStringSubmatch(text, -1); len(m) > 0 && !failed {
		last := m[len(m)-1][1]
		failed, told = last != "0", true
	}
	if !failed && !told && f.bare() {
		failed = complains(text, bad())
	}
	if !failed {
		return false, ""
	}
	return true, text
}

// printed reports whether a field of a result is program output.
func printed(root, path, name string) bool {
	return path == root || slices.Contains([]string{
		"stdout", "output", "content", "result", "text", "llmContent", "textResultForLlm", "text_result_for_llm", "returnDisplay",
	}, name)
}

// bare reports whether the result is only a string.
func (f found) bare() bool {
	return slices.ContainsFunc(results, func(root string) bool { return f[root].str })
}

// complains reports whether one of the first or last lines of a text reports a failure.
func complains(text string, bad *regexp.Regexp) bool {
	const ends = 4
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if (i < ends || i >= len(lines)-ends) && len(l) < 400 && bad.MatchString(l) {
			return true
		}
	}
	return false
}

var changing = lessons.LazyRegexp(`0x[0-9a-fA-F]+|\d+|/tmp/\S+`)

// errorPrint returns a hash that is equal for errors which differ only in times, counts
// or addresses.
func errorPrint(text string) uint64 {
	h := fnv.New64a()
	for line := range strings.Lines(text[:min(len(text), 4<<10)]) {
		h.Write([]byte(changing().ReplaceAllString(strings.TrimSpace(line), "0")))
		h.Write([]byte{'\n'})
	}
	return h.Sum64()
}

// This file answers before a tool call: it stops a call that matches the guard of an
// approved lesson. For other calls it gives the agent the lessons that name them, if the
// agent takes those. On any error the call passes.

// guarded decides whether to stop a call, and writes the answer for this agent.
func guarded(ctx context.Context, in io.Reader, c Config, o *outcome) error {
	p, err := readPayload(ctx, in, payloadWait)
	if o.rec.session = p.Session; err != nil {
		return err
	}
	if p.Event != "" && eventOf(p.Event) != preTool {
		return fmt.Errorf("called for %s: the agent would not accept the answer to %s", word(p.Event), preTool)
	}
	if p.call.input == nil {
		return nil
	}
	if p.Dir == "" || !filepath.IsAbs(p.Dir) {
		p.Dir = c.Dir
	}
	a := agentNamed(c.For, agentOf(p.Path))
	call := guard.Look(p.call.tool, p.call.input, p.Dir)
	kept := guard.At(c.State)
	get := func(id lessons.ID) (lessons.Lesson, error) {
		st, err := store.Open(c.Corpus, store.Options{State: c.State, Now: c.Now})
		if err != nil {
			return lessons.Lesson{}, err
		}
		return st.Get(id)
	}
	holds := func(l lessons.Lesson) bool {
		s := recall.Situation{Agent: a.transcript, Files: call.Files, Prompt: call.Command, Now: c.Now()}
		s.Agent = cmp.Or(s.Agent, agentOf(p.Path))
		if p.Dir != "" && !l.Scope.Global {
			s.Project = c.Project(p.Dir)
			o.rec.project = s.Project
		}
		return s.Holds(l)
	}
	stop, found, err := kept.Decide(call, get, holds)
	if ctx.Err() != nil {
		return err
	}
	if !found {
		if c.MaxInject < 1 || !a.answers(preTool) {
			return err
		}
		t := telling{Config: c, agent: a, event: preTool, payload: p, outcome: o}
		return errors.Join(err, t.doing(ctx, call))
	}
	o.rec.given, o.rec.via = 1, "guard"
	o.done = func() error { return kept.Note(stop, p.Session, c.Now()) }
	o.text = a.stops(p.Event, stop)
	return err
}

// arguments are a tool's arguments as an agent sends them: an object, an object in a
// string, or just a string.
type arguments struct {
	found
	below string
}

func (f found) arguments() *arguments {
	for _, root := range inputs {
		l, ok := f[root]
		switch {
		case ok && l.str && strings.HasPrefix(strings.TrimSpace(l.text), "{"):
			// If it was cut, its beginning counts.
			fields, _ := scan(strings.NewReader(l.text), func(string) bool { return true })
			return &arguments{fields, ""}
		case ok && l.str:
			return &arguments{found{"": l}, ""}
		case len(f.below(root)) > 0:
			return &arguments{f, root + "."}
		}
	}
	if _, ok := f["command"]; ok { // Cursor, before a shell command
		return &arguments{f, ""}
	}
	return nil
}

// Text returns a string argument, else "".
func (a *arguments) Text(key string) string {
	if l := a.found[a.below+key]; l.str {
		return l.text
	}
	return ""
}

// Words returns an argument that is a list of strings.
func (a *arguments) Words(key string) (out []string) {
	for i := range maxItems {
		l, ok := a.found[fmt.Sprintf("%s%s.%d", a.below, key, i)]
		if !ok || !l.str {
			break
		}
		out = append(out, l.text)
	}
	return out
}

// stops returns the answer that denies a call or makes the agent ask the person. Agents
// that cannot ask get a denial which says that the person may be asked.
func (a agent) stops(called string, s guard.Stop) []byte {
	for _, row := range agents {
		if a.name == "" && a.transcript != "" && row.transcript == a.transcript {
			a = row
		}
	}
	ask := !s.Deny && !a.noAsk
	if a.name == "cursor" { // it only asks before shell commands
		ask = ask && strings.EqualFold(strings.ReplaceAll(called, "-", ""), "beforeShellExecution")
	}
	decision, reason := "deny", forbids(s)
	switch {
	case ask:
		decision = "ask"
	case !s.Deny:
		reason += " Keep to the rule. If it cannot be kept here, ask the person first, who may make the call, or take the guard off."
	default:
		reason += " Keep to the rule; only a person can take the guard off."
	}
	return cmp.Or(a.stop, stopEnveloped).filled("DECISION", decision, "REASON", reason, "RULE", forbids(s))
}

// forbids returns the rule that stops a call, for the person and the model.
func forbids(s guard.Stop) string {
	return fmt.Sprintf("A rule that the person approved forbids %s: %q (lesson %s).", s.Pattern.Says(), s.Lesson.Title(600), s.Lesson.ID)
}
