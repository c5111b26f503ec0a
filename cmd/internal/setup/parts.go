package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
)

// A part is one entry or file of ours.
type part struct {
	path string
	what string
	kind
}

// A kind knows one form of our entries. A nil text means a missing file.
type kind interface {
	// look returns the state of our entry.
	look(text []byte) (State, error)
	// put adds our entry to a text without it.
	put(text []byte) ([]byte, error)
	// take removes our entry. It returns the same text if there is none, and nil if
	// nothing else is left.
	take(text []byte) ([]byte, error)
}

// errForeign means that something else is in our place.
var errForeign = errors.New("holds something that is not ours")

// An event is a hook that an agent should call.
type event struct {
	theirs, ours string
	matcher      string // "" for all
	timeout      int    // in the agent's unit
	guard        bool   // only on request: the agent stops all calls when our program is missing
}

// preTool is the event before a tool call.
const preTool = "pre-tool"

// hooks are the hooks in a settings file of Claude Code's shape, which most agents share:
// {"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", …}]}]}}. With flat,
// Cursor's shape, the handler takes the group's place.
type hooks struct {
	events  []event
	flat    bool
	version bool // the file has the number of its form
	guard   bool
	call    func(event string) (command string, args []string) // nil args: everything is in the command

	keepHandmade bool // take leaves hand-written hooks
}

// A handler is one call.
type handler struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout"`
	Matcher string   `json:"matcher,omitempty"` // Cursor's
}

type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// wanted returns the events to wire, with the guard's if it is wanted or was wired.
func (h hooks) wanted(found []Call) []event {
	return slices.DeleteFunc(slices.Clone(h.events), func(e event) bool {
		return e.guard && !h.guard && !slices.ContainsFunc(found, func(c Call) bool { return c.Event == e.ours })
	})
}

// entry returns the value for the list of an event.
func (h hooks) entry(e event) any {
	command, args := h.call(e.ours)
	if h.flat {
		return handler{Command: command, Timeout: e.timeout, Matcher: e.matcher}
	}
	return group{e.matcher, []handler{{"command", command, args, e.timeout, ""}}}
}

func (h hooks) look(text []byte) (State, error) {
	f, err := parseJSON(text)
	if err != nil {
		return "", err
	}
	found := h.find(f)
	wanted := h.wanted(found)
	switch {
	case len(found) == 0:
		return Absent, nil
	case len(found) != len(wanted):
		return Older, nil
	}
	for _, e := range wanted {
		if !slices.ContainsFunc(found, func(c Call) bool { return c.Theirs == e.theirs && c.entry != nil && same(c.entry, h.entry(e)) }) {
			return Older, nil
		}
	}
	return Present, nil
}

func (h hooks) put(text []byte) ([]byte, error) {
	f, err := parseJSON(text)
	if err == nil && h.version && f.get("version") == nil {
		text, err = f.set(1, "version")
	}
	for _, e := range h.wanted(nil) {
		if err == nil {
			text, err = addJSON(text, []any{h.entry(e)}, "hooks", e.theirs)
		}
	}
	return text, err
}

func (h hooks) take(text []byte) ([]byte, error) {
	f, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Backward(h.find(f)) { // from the end of each list
		if err == nil && !(h.keepHandmade && c.handmade()) {
			text, err = takeJSON(text, c.at...)
		}
	}
	return text, err
}

// same compares two values as JSON.
func same(a, b any) bool {
	plain := func(v any) (out any) {
		raw, ok := v.(json.RawMessage)
		if !ok {
			raw, _ = json.Marshal(v)
		}
		_ = json.Unmarshal(raw, &out)
		return out
	}
	return reflect.DeepEqual(plain(a), plain(b))
}

// An entry is our MCP server as a member of a settings file.
type entry struct {
	form
	keys  []string
	value any
}

// server returns the part for our MCP server in a file.
func server(path string, value any, keys ...string) part {
	return part{path, "MCP server", entry{formOf(path), keys, value}}
}

func (e entry) look(text []byte) (State, error) {
	there, err := e.get(text, e.keys...)
	if err != nil {
		return "", err
	}
	return served(there, e.value), nil
}

// served compares a server's entry with the wanted one; there is nil if it is missing.
func served(there json.RawMessage, want any) State {
	switch {
	case there == nil:
		return Absent
	case same(there, want):
		return Present
	}
	var one struct {
		Command any // a string, or a list with the arguments
		Cmd     any // Goose's
	}
	_ = json.Unmarshal(there, &one)
	if one.Command == nil {
		one.Command = one.Cmd
	}
	if list, ok := one.Command.([]any); ok && len(list) > 0 {
		one.Command = list[0]
	}
	if program, ok := one.Command.(string); ok && base(program) == "learnings" {
		return Older
	}
	return Foreign
}

func (e entry) put(text []byte) ([]byte, error) { return e.form.put(text, e.value, e.keys...) }

func (e entry) take(text []byte) ([]byte, error) {
	if s, err := e.look(text); err != nil || s == Absent || s == Foreign {
		return text, err
	}
	return e.form.take(text, e.keys...)
}

// mark is in every file that is entirely ours.
const mark = "learnings setup --remove"

// A whole is a file that is entirely ours.
type whole struct {
	text   string
	mode   fs.FileMode // to set; 0 for the default
	events []string    // that it calls us for
	own    string      // what identifies it; "" for the mark
}

// plugin returns a JavaScript program that calls us.
func plugin(w wiring, text string) whole {
	return whole{text: w.calling(text), events: []string{"pre-compact", preTool, "session-start", "stop", "tool-failure", "user-prompt"}}
}

func (w whole) look(text []byte) (State, error) {
	switch {
	case text == nil:
		return Absent, nil
	case string(text) == w.text:
		return Present, nil
	case bytes.Contains(text, []byte(cmp.Or(w.own, mark))):
		return Older, nil
	}
	return Foreign, nil
}

func (w whole) put(text []byte) ([]byte, error) {
	if text != nil {
		return nil, errForeign
	}
	return []byte(w.text), nil
}

func (w whole) take(text []byte) ([]byte, error) {
	if s, _ := w.look(text); s == Foreign {
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
