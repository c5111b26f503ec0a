package transcript

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// opencode decodes sessions of OpenCode: messages, each with parts. An export
// is one document of them, and what is read from its database is made into one;
// in the storage folder of older versions each message and each part is a file
// of its own.
type opencode struct {
	base
	sub  bool   // a subagent's session: what is in the person's place is another agent's
	turn Turn   // of the message whose parts come
	role string // of that message
	sums bool   // that message is a compaction's summary
}

func newOpenCode(b base) decoder { return &opencode{base: b, sub: b.d.session.Parent != ""} }

func isOpenCode(g glimpse) bool {
	info := g.object("info")
	return g.get("messages").is('[') && info.get("id").isString() && info.get("projectID") != nil && info.get("time").is('{')
}

func (c *opencode) member(key string, v raw) {
	if key == "info" {
		c.session(v.members(nil))
	}
}

// session reads what a session says of itself.
func (c *opencode) session(o object) {
	s := &c.d.session
	once(&s.ID, o.get("id"))
	once(&s.Version, o.get("version"))
	once(&s.Parent, o.get("parentID"))
	fill(&s.Dir, o.get("directory"))
	c.sub = s.Parent != ""
	times := o.get("time")
	c.d.atUnix(times.get("created"))
	c.d.atUnix(times.get("updated"))
}

func (c *opencode) record(o object) {
	info := o.get("info").members(nil)
	c.message(info)
	for v := range o.get("parts").elements() {
		c.part(v.members(nil), c.d.lineAt(v))
	}
	c.end(info)
}

// message reads the head of a message.
func (c *opencode) message(o object) {
	c.role = o.get("role").word()
	c.sums = o.get("summary").isTrue() || o.get("mode").equals("compaction")
	c.turn = c.d.here(c.d.atUnix(o.get("time").get("created")))
	c.turn.UUID, c.turn.Sidechain = o.get("id").word(), c.sub
	s := &c.d.session
	once(&s.Role, o.get("agent"))
	if c.role == "assistant" {
		once(&s.Model, o.get("modelID"))
		fill(&s.Dir, o.get("path").get("cwd"))
	}
}

// end reads what follows from a message behind its parts.
func (c *opencode) end(info object) {
	if info.get("error").get("name").equals("MessageAbortedError") && !c.sub {
		c.d.say(c.turn, Person, Interrupt, "")
	}
}

func (c *opencode) part(o object, line int) {
	t := c.turn
	t.Line = max(line, t.Line)
	text := o.get("text")
	switch kind := o.get("type").word(); {
	case kind == "tool":
		c.tool(o, t)
	case kind == "reasoning":
		c.d.speak(t, Agent, Thinking, text)
	case kind == "subtask":
		c.d.speak(t, Harness, Notice, o.get("prompt")) // a command of the person's, written out
	case kind != "text":
	case c.role == "user" && o.get("synthetic").isTrue():
		c.d.speak(t, Harness, Notice, text)
	case c.role == "user":
		c.d.person(t, unquoted(text.text()), Message)
	case c.sums:
		c.d.speak(t, Harness, Summary, text)
	default:
		c.d.speak(t, Agent, Message, text)
	}
}

// unquoted is a prompt without the quotes that "opencode run" puts around an
// argument with spaces in it.
func unquoted(text string) string {
	inside, ok := strings.CutPrefix(text, `"`)
	inside, closed := strings.CutSuffix(inside, `"`)
	if plain := strings.ReplaceAll(inside, `\"`, ""); !ok || !closed || strings.Contains(plain, `"`) || strings.HasSuffix(plain, `\`) {
		return text
	}
	return strings.ReplaceAll(inside, `\"`, `"`)
}

// What OpenCode answers for the person.
const (
	opencodeRefused  = "The user rejected permission to use this specific tool call"
	opencodeFeedback = "with the following feedback:"
	opencodeRule     = "The user has specified a rule which prevents you"
	opencodeAborted  = "Tool execution aborted"
)

func (c *opencode) tool(o object, t Turn) {
	state := o.get("state").members(nil)
	call := newCall(o.get("callID").word(), o.get("tool").word(), state.get("input"))
	times := state.get("time")
	if at := c.d.atUnix(times.get("start")); !at.IsZero() {
		t.At = at
	}
	c.d.called(t, call)
	if at := c.d.atUnix(times.get("end")); !at.IsZero() {
		t.At = at
	}
	switch state.get("status").word() {
	case "completed", "success":
		exit := state.get("metadata").get("exit")
		failed := exit != nil && string(exit) != "0" && string(exit) != "null"
		c.d.result(t, call, state.get("output").cut(), failed, false, "")
		if call.Name == "question" && !t.Sidechain {
			c.answers(state, t, call)
		}
	case "error":
		text := strings.TrimPrefix(state.get("error").cut(), "Error: ")
		reason := ""
		if begins(text, opencodeRefused) {
			_, reason, _ = strings.Cut(text, opencodeFeedback)
		}
		c.d.result(t, call, text, true, begins(text, opencodeRefused, opencodeRule, opencodeAborted), strings.TrimSpace(reason))
	}
}

// answers gives out what the person answered to the agent's questions.
func (c *opencode) answers(state object, t Turn, call *ToolCall) {
	var asked []string
	for q := range state.get("input").get("questions").elements() {
		asked = append(asked, q.get("question").text())
	}
	t.Tool = call
	n := 0
	for a := range state.get("metadata").get("answers").elements() {
		if t.Name = ""; n < len(asked) {
			t.Name = asked[n]
		}
		n++
		if said := strings.Join(words(a), ", "); said != "" {
			c.d.say(t, Person, Answer, said)
		}
	}
}

// opencodeStore decodes a session of the storage folder, in which it is
//
//	session/<project>/<session>.json
//	message/<session>/<message>.json
//	part/<message>/<part>.json
//
// The file that is read is the first; OpenCode writes it anew with each
// message. Line numbers of turns count the files in this order.
type opencodeStore struct {
	opencode
	head object
}

func newOpenCodeStore(b base) decoder { return &opencodeStore{opencode: opencode{base: b}} }

func isOpenCodeStore(g glimpse) bool {
	return g.get("id").isString() && g.get("projectID").isString() && g.get("directory").isString() &&
		g.get("time").get("created") != nil && g.get("messages") == nil
}

func opencodePlaces(h host) []string {
	// The same on every system: it goes by XDG alone.
	root := filepath.Join(h.root("XDG_DATA_HOME", ".local", "share"), "opencode")
	return []string{filepath.Join(root, "storage", "session"), filepath.Join(root, "opencode.db")}
}

// isKilo recognizes a session of Kilo Code by the mark that [stored.opencode] sets.
func isKilo(g glimpse) bool {
	return isOpenCode(g) && g.object("info").get("program").equals(string(Kilo))
}

func kiloPlaces(h host) []string {
	return []string{filepath.Join(h.root("XDG_DATA_HOME", ".local", "share"), "kilo", "kilo.db")}
}

func (c *opencodeStore) member(key string, v raw) {
	c.head = append(c.head, field{[]byte(key), v})
}

var errNoFiles = errors.New("the messages of the session lie in files beside this one, and its path is not known")

func (c *opencodeStore) files(step func(error) bool) {
	c.session(c.head)
	path := c.d.opts.Path
	if path == "" {
		step(&LineError{Line: 1, Err: errNoFiles})
		return
	}
	// A root, so that no id leads out of the folder.
	root, err := os.OpenRoot(filepath.Join(filepath.Dir(path), "..", ".."))
	if err != nil {
		step(&LineError{Path: path, Line: 1, Err: fmt.Errorf("opening the storage folder: %w", err)})
		return
	}
	defer root.Close()
	c.d.line = 1
	c.each(root, "message", c.d.session.ID, step, func(o object) bool {
		c.message(o)
		more := c.each(root, "part", c.turn.UUID, step, func(o object) bool {
			c.part(o, c.d.line)
			return step(nil)
		})
		c.turn.Line = c.d.line
		c.end(o)
		return more && step(nil)
	})
}

// maxPart is the largest file of a message or a part that is read.
const maxPart = 16 << 20

// each reads the files of a folder, which are named so that their order is
// that of time, and says whether more are wanted.
func (c *opencodeStore) each(root *os.Root, kind, id string, step func(error) bool, use func(object) bool) bool {
	if id == "" || strings.ContainsAny(id, `/\`) || !filepath.IsLocal(id) {
		return step(&LineError{Path: c.d.opts.Path, Line: 1, Err: fmt.Errorf("%q is no id of a %s folder", id, kind)})
	}
	dir := filepath.Join(kind, id)
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(dir)) // sorted
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".json" || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, e.Name())
		c.d.line++
		c.d.doc.data = nil // lines are counted in files
		var o object
		data, err := readPart(root, name)
		if err == nil {
			o, _, err = parseObject(data, 0, nil)
		}
		if err != nil && !step(&LineError{Path: filepath.Join(root.Name(), name), Line: 1, Err: err}) || err == nil && !use(o) {
			return false
		}
	}
	return err == nil || step(&LineError{Path: filepath.Join(root.Name(), dir), Line: 1, Err: err})
}

func readPart(root *os.Root, name string) ([]byte, error) {
	if info, err := root.Stat(name); err == nil && info.Size() > maxPart {
		return nil, fmt.Errorf("a file of more than %d MiB", maxPart>>20)
	}
	return root.ReadFile(name)
}
