package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"learnings/cmd/internal/graft"
)

// A part is one thing of ours in one file.
type part struct {
	path string
	what string
	kind
}

// A kind is a form in which something of ours stands in a file. A text that is nil is a
// file that is not there.
type kind interface {
	// look says what of ours is there.
	look(text []byte) (look, error)
	// put gives the text with it, for a text without.
	put(text []byte) ([]byte, error)
	// take gives the text without it: the very text when nothing is there, nil when all
	// of it was ours. What somebody made by hand is taken too, or stays.
	take(text []byte, handmade bool) ([]byte, error)
}

type look struct {
	state  State
	events []string
}

// ignored reports that an agent which wants plain JSON would not read a text of a file.
func (a Agent) ignored(path string, text []byte) bool {
	return a.plain && filepath.Ext(path) == ".json" && len(bytes.TrimSpace(text)) > 0 && !json.Valid(bytes.TrimPrefix(text, []byte("\ufeff")))
}

// errForeign says that somebody else has our place.
var errForeign = errors.New("holds something that is not ours")

// An event is a hook that an agent is to call.
type event struct {
	theirs, ours string
	matcher      string // "" for all
	timeout      int    // in the agent's unit
	guard        bool   // only for who wants it: the agent stops all calls when we are gone
}

// hooks are those of a settings file in the shape of Claude Code, which most agents have
// taken over: {"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", …}]}]}}.
// Flat is Cursor's: the handler itself in the place of the group.
type hooks struct {
	events []event
	flat   bool
	guard  bool
	call   func(event string) (command string, args []string) // args nil: all in the command
}

// A handler is one call.
type handler struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout"`
}

type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// A finding is a handler of ours in a file.
type finding struct {
	theirs   string
	path     []string // of the handler, or of its group when it has no other
	exact    any      // as it stands there
	ours     string
	handmade bool
}

// find gives our handlers, the last of each list first: they can be taken out in that order.
func (h hooks) find(f *graft.JSON) []finding {
	var events map[string]json.RawMessage
	if json.Unmarshal(f.Get("hooks"), &events) != nil {
		return nil
	}
	var out []finding
	for _, theirs := range slices.Sorted(maps.Keys(events)) {
		var groups []json.RawMessage
		if json.Unmarshal(events[theirs], &groups) != nil {
			continue
		}
		for i := len(groups) - 1; i >= 0; i-- {
			for _, one := range h.within(groups[i]) {
				one.theirs, one.path = theirs, append([]string{"hooks", theirs, strconv.Itoa(i)}, one.path...)
				out = append(out, one)
			}
		}
	}
	return out
}

// within gives our handlers in one group; their paths begin there.
func (h hooks) within(raw json.RawMessage) []finding {
	if one, ok := called(raw); ok && h.flat {
		one.exact = plain(raw)
		return []finding{one}
	}
	var g struct {
		Hooks []json.RawMessage `json:"hooks"`
	}
	if json.Unmarshal(raw, &g) != nil {
		return nil
	}
	var out []finding
	for k := len(g.Hooks) - 1; k >= 0; k-- {
		one, ok := called(g.Hooks[k])
		switch {
		case ok && len(g.Hooks) == 1:
			one.exact = plain(raw)
		case ok:
			one.path = []string{"hooks", strconv.Itoa(k)}
		default:
			continue
		}
		out = append(out, one)
	}
	return out
}

// called says which event of ours a handler calls us for.
func called(raw json.RawMessage) (f finding, ok bool) {
	var h struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
		Bash    string   `json:"bash"`
	}
	if json.Unmarshal(raw, &h) != nil {
		return f, false
	}
	if h.Command == "" {
		h.Command = h.Bash
	}
	f.ours, ok = Event(h.Command, h.Args)
	f.handmade = !slices.Contains(call(h.Command, h.Args), "--for")
	return f, ok
}

// plain is JSON as values that can be compared.
func plain(v any) (out any) {
	raw, ok := v.(json.RawMessage)
	if !ok {
		raw, _ = json.Marshal(v)
	}
	_ = json.Unmarshal(raw, &out)
	return out
}

// wanted are the events to be wired: those of the guard where it is wanted or was.
func (h hooks) wanted(found []finding) []event {
	return slices.DeleteFunc(slices.Clone(h.events), func(e event) bool {
		return e.guard && !h.guard && !slices.ContainsFunc(found, func(f finding) bool { return f.ours == e.ours })
	})
}

// entry is what stands in the list of an event.
func (h hooks) entry(e event) any {
	command, args := h.call(e.ours)
	if h.flat {
		return struct {
			Command string `json:"command"`
			Timeout int    `json:"timeout"`
			Matcher string `json:"matcher,omitempty"`
		}{command, e.timeout, e.matcher}
	}
	return group{e.matcher, []handler{{"command", command, args, e.timeout}}}
}

func (h hooks) look(text []byte) (look, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return look{}, err
	}
	found := h.find(f)
	l := look{state: Present}
	for _, f := range found {
		l.events = append(l.events, f.ours)
	}
	slices.Sort(l.events)
	wanted := h.wanted(found)
	if len(found) == 0 {
		l.state = Absent
	} else if len(found) != len(wanted) {
		l.state = Older
	}
	for _, e := range wanted {
		as := plain(h.entry(e))
		if l.state == Present && !slices.ContainsFunc(found, func(f finding) bool { return f.theirs == e.theirs && reflect.DeepEqual(f.exact, as) }) {
			l.state = Older
		}
	}
	return l, nil
}

func (h hooks) put(text []byte) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	if h.flat && f.Get("version") == nil {
		if err := f.Set(1, "version"); err != nil {
			return nil, err
		}
	}
	for _, e := range h.wanted(nil) {
		if err := f.Append(h.entry(e), "hooks", e.theirs); err != nil {
			return nil, err
		}
	}
	return f.Bytes(), nil
}

func (h hooks) take(text []byte, handmade bool) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(h.find(f), func(f finding) bool { return f.handmade && !handmade })
	for _, one := range found {
		f.Remove(one.path...)
	}
	if len(found) == 0 {
		return text, nil
	}
	return f.Bytes(), nil
}

// An entry is a member of a JSON file that names our MCP server.
type entry struct {
	keys  []string
	value any
	asks  any // the same server without a permission, where either may be there; nil for none
}

func (e entry) look(text []byte) (look, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return look{}, err
	}
	there := f.Get(e.keys...)
	if e.asks != nil && there != nil && reflect.DeepEqual(plain(there), plain(e.asks)) {
		return look{state: Present}, nil
	}
	return look{state: served(there, e.value)}, nil
}

// served compares a server that is there with the one that should be. There is nil for none.
func served(there json.RawMessage, want any) State {
	switch {
	case there == nil:
		return Absent
	case reflect.DeepEqual(plain(there), plain(want)):
		return Present
	}
	var one struct {
		Command any      `json:"command"`
		Args    []string `json:"args"`
	}
	_ = json.Unmarshal(there, &one)
	var line []string
	switch c := one.Command.(type) {
	case string:
		line = append([]string{c}, one.Args...)
	case []any:
		for _, w := range c {
			s, _ := w.(string)
			line = append(line, s)
		}
	}
	if len(line) > 0 && base(line[0]) == "learnings" {
		return Older
	}
	return Foreign
}

func (e entry) put(text []byte) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	if f.Get(e.keys...) != nil {
		return nil, fmt.Errorf("%s %w", strings.Join(e.keys, "."), errForeign)
	}
	if err := f.Set(e.value, e.keys...); err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}

func (e entry) take(text []byte, _ bool) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	if s := served(f.Get(e.keys...), e.value); s == Absent || s == Foreign {
		return text, nil
	}
	f.Remove(e.keys...)
	return f.Bytes(), nil
}

// A tomlEntry is the same in TOML.
type tomlEntry struct {
	keys  []string
	value server
	asks  *server
}

func (e tomlEntry) look(text []byte) (look, error) {
	t, err := graft.GetTOML(text, e.keys...)
	if err != nil || t == nil {
		return look{state: Absent}, err
	}
	there, _ := json.Marshal(t)
	if e.asks != nil && reflect.DeepEqual(plain(json.RawMessage(there)), plain(*e.asks)) {
		return look{state: Present}, nil
	}
	return look{state: served(there, e.value)}, nil
}

func (e tomlEntry) put(text []byte) ([]byte, error) {
	if t, err := graft.GetTOML(text, e.keys...); err != nil {
		return nil, err
	} else if t != nil {
		return nil, fmt.Errorf("[%s] %w", strings.Join(e.keys, "."), errForeign)
	}
	args := make([]string, len(e.value.Args))
	for i, a := range e.value.Args {
		args[i] = quote(a)
	}
	lines := fmt.Sprintf("command = %s\nargs = [%s]\n", quote(e.value.Command), strings.Join(args, ", "))
	if e.value.Approval != "" {
		lines += "default_tools_approval_mode = " + quote(e.value.Approval) + "\n"
	}
	return graft.SetTOML(text, lines, e.keys...)
}

// quote quotes a text as JSON, JavaScript and TOML take it.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\x7f", `\u007f`)
}

func (e tomlEntry) take(text []byte, _ bool) ([]byte, error) {
	l, err := e.look(text)
	if err != nil || l.state == Absent || l.state == Foreign {
		return text, err
	}
	return graft.RemoveTOML(text, e.keys...)
}

// mark stands in each file that is ours as a whole.
const mark = "learnings setup --remove"

// A whole is a file that is ours as a whole.
type whole struct {
	text   string
	asks   string      // the text that permits nothing, where either may be there
	mode   fs.FileMode // to be set; 0 for that of other files
	events []string    // that it calls us for
	own    string      // what it is known by; "" for the mark
}

// preTool is the event before a tool is called.
const preTool = "pre-tool"

// plugin is a program in JavaScript that calls us.
func plugin(w wiring, text string) whole {
	return whole{text: w.calling(text), events: []string{"pre-compact", preTool, "session-start", "stop", "tool-failure", "user-prompt"}}
}

func (w whole) look(text []byte) (look, error) {
	switch {
	case text == nil:
		return look{state: Absent}, nil
	case string(text) == w.text, w.asks != "" && string(text) == w.asks:
		return look{Present, w.events}, nil
	case bytes.Contains(text, []byte(cmp.Or(w.own, mark))):
		return look{Older, w.events}, nil
	}
	return look{state: Foreign}, nil
}

func (w whole) put(text []byte) ([]byte, error) {
	if text != nil {
		return nil, errForeign
	}
	return []byte(w.text), nil
}

func (w whole) take(text []byte, _ bool) ([]byte, error) {
	if l, _ := w.look(text); l.state == Foreign {
		return text, nil
	}
	return nil, nil
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func folderExists(path string) bool {
	info, err := os.Stat(path)
	return filepath.IsAbs(path) && err == nil && info.IsDir()
}
