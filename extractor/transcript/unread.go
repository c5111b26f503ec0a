package transcript

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Unread is a place in which an agent keeps sessions that are not read.
type Unread struct {
	Agent string // "" if unknown
	Path  string
	Why   string
	Some  bool // other sessions there are read
}

// Unknown is why the sessions of agents that are only known by name are not read.
const Unknown = "its form is not known"

// elsewhere are places of agents whose form of sessions is not known here.
var elsewhere = []struct {
	agent string
	paths func(h host) []string
}{
	{"Cursor (the editor's chats)", func(h host) []string {
		return []string{filepath.Join(h.config(), "Cursor", "User", "globalStorage", "state.vscdb")}
	}},
	{"OpenCode before 1.2", func(h host) []string {
		if db := opencodePlaces(h)[0]; !exists(db) { // the first start of 1.2 moves them there
			return []string{filepath.Join(filepath.Dir(db), "storage", "session")}
		}
		return nil
	}},
	{"Zed", func(h host) []string { return []string{h.data("zed", "threads", "threads.db")} }},
	{"Kiro (the editor's chats)", func(h host) []string {
		return []string{filepath.Join(h.config(), "Kiro", "User", "globalStorage", "kiro.kiroagent")}
	}},
	{"Windsurf", under("", ".codeium", "windsurf/cascade")},
	{"Hermes", under("", ".hermes", "state.db")},
	{"Continue", under("", ".continue", "sessions")},
	{"Devin", func(h host) []string { return []string{h.data("devin", "cli", "sessions.db")} }},
	{"Grok Build", under("GROK_HOME", ".grok", "sessions")},
	{"Kimi Code", under("KIMI_CODE_HOME", ".kimi-code", "sessions")},
	{"Kimi Code", under("KIMI_SHARE_DIR", ".kimi", "sessions")}, // its earlier versions
	{"Mistral Vibe", under("VIBE_HOME", ".vibe", "logs/session")},
	{"OpenClaw", under("", ".openclaw", "agents")},
}

// data is a place among the data of programs.
func (h host) data(path ...string) string {
	root := h.root("XDG_DATA_HOME", ".local", "share")
	if h.os == "darwin" && h.env("XDG_DATA_HOME") == "" {
		root = h.config()
	}
	return filepath.Join(append([]string{root}, path...)...)
}

// NotRead tells which of the places, or how many files in them, have sessions of a form
// that is not known: of another version of a known agent, or damaged. It does not open the
// files that known knows; see [FindKnown].
func NotRead(places Places, known func(File) (File, bool)) (out []Unread) {
	for _, p := range places {
		if why, some := unreadable(p, known); why != "" {
			out = append(out, Unread{string(p.Format), p.Path, why, some})
		}
	}
	return out
}

// Elsewhere tells the usual places of agents whose sessions are never read.
func Elsewhere(home string, env func(string) string) []Unread { return elsewhereOn(hostOf(home, env)) }

func elsewhereOn(h host) (out []Unread) {
	for _, e := range elsewhere {
		for _, path := range e.paths(h) {
			if exists(path) {
				out = append(out, Unread{Agent: e.agent, Path: path, Why: Unknown})
			}
		}
	}
	return out
}

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.IsDir() || info.Size() > 0)
}

// unreadable says what in a place is not read though an agent has written it there, and
// whether other files are; "" if all is, or nothing is there.
func unreadable(p Place, known func(File) (File, bool)) (why string, some bool) {
	if info, err := os.Stat(p.Path); err == nil && info.Mode().IsRegular() {
		if _, err := inspect(p.Path, known); err != nil && !p.Named { // for a named file that is an error
			return strings.TrimPrefix(err.Error(), p.Path+": "), false
		}
		return "", false
	}
	read, lines := 0, 0
	var not []string
	_ = filepath.WalkDir(p.Path, func(path string, d fs.DirEntry, err error) error {
		ending := strings.ToLower(filepath.Ext(path))
		if err != nil || !d.Type().IsRegular() || !slices.Contains(logs, ending) {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() == 0 || d.Name() == "index.jsonl" { // Junie's list of sessions
			return nil
		}
		if files, err := lookAt(p, path, known); err == nil && len(files) > 0 {
			read++
			return nil
		}
		if ending != ".jsonl" { // a database may hold anything
			not = append(not, path)
			return nil
		}
		not = slices.Insert(not, lines, path)
		lines++
		return nil
	})
	if read > 0 {
		not = not[:lines]
	}
	switch n := len(not); {
	case n == 0:
		return "", false
	case n == 1 && read == 0:
		return "its file is of no form that is known", false
	case read == 0:
		return fmt.Sprintf("none of %d files is of a form that is known", n), false
	case n == 1:
		return fmt.Sprintf("1 of %d files is of no form that is known: %s", n+read, filepath.Base(not[0])), true
	default:
		return fmt.Sprintf("%d of %d files are of no form that is known, the first: %s", n, n+read, filepath.Base(not[0])), true
	}
}

// logs are endings of files that hold sessions and little else; agents keep
// settings in files with other endings beside them.
var logs = []string{".jsonl", ".db", ".sqlite", ".sqlite3", ".vscdb"}
