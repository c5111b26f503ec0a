package transcript

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Unread is a place in which an agent keeps sessions that are not read.
type Unread struct {
	Agent string
	Path  string
	Why   string
}

// elsewhere are places of agents whose form of sessions is not known here.
var elsewhere = []struct {
	agent string
	path  func(h host) string
}{
	{"Cursor (the editor's chats)", func(h host) string {
		return filepath.Join(h.config(), "Cursor", "User", "globalStorage", "state.vscdb")
	}},
	{"Goose", func(h host) string { return h.data("goose", "sessions", "sessions.db") }},
	{"Zed", func(h host) string { return h.data("zed", "threads", "threads.db") }},
	{"Kiro (its database)", func(h host) string { return h.data("kiro-cli", "data.sqlite3") }},
	{"Amazon Q", func(h host) string { return h.data("amazon-q", "data.sqlite3") }},
	{"Continue", func(h host) string { return filepath.Join(h.home, ".continue", "sessions") }},
}

// data is a place among the data of programs.
func (h host) data(path ...string) string {
	root := h.root("XDG_DATA_HOME", ".local", "share")
	if h.os == "darwin" && h.env("XDG_DATA_HOME") == "" {
		root = h.config()
	}
	return filepath.Join(append([]string{root}, path...)...)
}

// NotRead tells the usual places that hold sessions of a form that is not
// known: of another version of a known agent, or of an agent that is not read.
func NotRead(home string, env func(string) string) []Unread { return notReadOn(hostOf(home, env)) }

func notReadOn(h host) (out []Unread) {
	for _, p := range placesOn(h) {
		if why := unreadable(p); why != "" {
			out = append(out, Unread{string(p.Format), p.Path, why})
		}
	}
	for _, e := range elsewhere {
		if path := e.path(h); exists(path) {
			out = append(out, Unread{e.agent, path, "its form is not known"})
		}
	}
	return out
}

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.IsDir() || info.Size() > 0)
}

// unreadable says why a place holds no session that can be read though its
// agent has written there; "" when it holds one, or nothing.
func unreadable(p Place) string {
	if info, err := os.Stat(p.Path); err == nil && info.Mode().IsRegular() {
		if _, err := inspect(p.Path, nil); err != nil {
			return strings.TrimPrefix(err.Error(), p.Path+": ")
		}
		return ""
	}
	n, errFound := 0, errors.New("one is read")
	err := filepath.WalkDir(p.Path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(logs, strings.ToLower(filepath.Ext(path))) {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() == 0 {
			return nil
		}
		if files, err := lookAt(p, path, nil); err == nil && len(files) > 0 {
			return errFound
		}
		n++
		return nil
	})
	if err != nil || n == 0 {
		return ""
	}
	if n == 1 {
		return "its file is of no form that is known"
	}
	return fmt.Sprintf("none of %d files is of a form that is known", n)
}

// logs are endings of files that hold sessions and little else; agents keep
// settings in files with other endings beside them.
var logs = []string{".jsonl", databaseEnd, ".sqlite", ".sqlite3", ".vscdb"}
