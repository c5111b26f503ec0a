package transcript

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"slices"
)

// The formats. A new agent needs one file with its reader, and a row in forms for each
// of its containers.
const (
	ClaudeCode Format = "claude-code"    // Claude Code, one JSON object a line
	Codex      Format = "codex"          // Codex rollouts, one envelope a line
	Gemini     Format = "gemini-cli"     // Gemini CLI, one document or one message a line
	Qwen       Format = "qwen-code"      // Qwen Code, Gemini's messages in Claude Code's envelopes
	OpenCode   Format = "opencode"       // OpenCode's database or export
	Kilo       Format = "kilo"           // Kilo Code's database, which is in OpenCode's form
	Antigrav   Format = "antigravity"    // Google's Antigravity, one step a line
	VSCode     Format = "copilot-chat"   // Copilot's chats in VS Code: a document, or a log of its changes
	Amp        Format = "amp"            // Amp's threads, one document each
	SpecStory  Format = "specstory"      // SpecStory's Markdown of sessions of other agents
	Aider      Format = "aider"          // Aider's chat history, many chats in one file
	Copilot    Format = "copilot-cli"    // GitHub's Copilot CLI, one event a line
	Pi         Format = "pi"             // pi, and agents built on it, one record a line
	Cline      Format = "cline"          // Cline and Roo Code: what a task shows, or what Cline's own program keeps
	MiniSWE    Format = "mini-swe-agent" // mini-swe-agent's trajectories
	SWEAgent   Format = "swe-agent"      // SWE-agent's trajectories
	Cursor     Format = "cursor"         // Cursor's agent transcripts, one message a line
	Droid      Format = "droid"          // Factory's Droid, one record a line
	Kiro       Format = "kiro"           // Kiro's command line: a document, one record a line, or its database
	Crush      Format = "crush"          // Crush's databases, one in each project
	Goose      Format = "goose"          // Goose's database, or one message a line
	Junie      Format = "junie"          // JetBrains' Junie, one event a line
	Octomind   Format = "octomind"       // Octomind's session logs, one message or entry a line
	GitHub     Format = "github"         // reviews of pull requests, as GitHub's REST API gives them
)

// A form is a row of the table: one container of a format.
type form struct {
	name Format
	// How a file is recognized, by one of: a record on its own line, perhaps without
	// its end; the beginning of a document; the beginning of a text.
	line  func(o object) bool
	whole func(g glimpse) bool
	text  func(head []byte) bool

	open   func(b base) decoder
	read   func(d *Reader, o object) // decodes a record; replaces open for a format with no state but calls
	lists  []string                  // of a document: the keys of lists of records; "" for a document that is a list
	many   bool                      // there may be several such lists, in sequence or within one list
	stem   bool                      // the only id of a session is the name of its file
	packed bool                      // files may be packed with zstd
	anew   bool                      // files are rewritten in place, or late records change early ones: a changed file is read from its start
	places func(h host) []string     // where sessions usually are; nil if in projects or unknown
	dir    func(path string) string  // the project's folder, if the path of the file shows it; nil if it never does
	double func(path string) bool    // another file beside this one has the same session in better form; nil if none can
}

var itself = []string{""} // the lists of a document that is a list

// forms is the table of formats. If two rows match a file, the earlier one takes it.
var forms = []*form{
	{name: ClaudeCode, line: isClaude, open: newClaude, places: under("CLAUDE_CONFIG_DIR", ".claude", "projects")},
	{name: Codex, line: isCodex, open: newCodex, places: under("CODEX_HOME", ".codex", "sessions", "archived_sessions")},
	{name: Gemini, whole: isGemini, open: newGemini, lists: []string{"messages"}, anew: true, places: under("GEMINI_CLI_HOME", "", ".gemini/tmp"), dir: geminiDir},
	{name: Gemini, line: isGeminiLine, open: newGemini, anew: true, dir: geminiDir},
	{name: Qwen, line: isQwen, read: qwen, places: under("QWEN_HOME", ".qwen", "projects", "tmp")},
	{name: Kilo, whole: isKilo, open: newOpenCode, lists: []string{"messages"}, anew: true, places: under("XDG_DATA_HOME", ".local/share", "kilo/kilo.db")},
	{name: OpenCode, whole: isOpenCode, open: newOpenCode, lists: []string{"messages"}, anew: true, places: opencodePlaces},
	{name: Antigrav, line: isAntigravity, open: newAntigravity, places: under("", ".gemini", "antigravity-cli/brain", "antigravity/brain"), double: antigravityDouble},
	{name: VSCode, whole: isVSCode, open: newVSCode, lists: []string{"requests"}, anew: true, places: vscodePlaces, dir: vscodeDir},
	{name: VSCode, line: isVSCodeLog, open: newVSCode, anew: true, dir: vscodeDir},
	{name: Amp, whole: isAmp, open: newAmp, lists: []string{"messages"}, anew: true, places: under("XDG_DATA_HOME", ".local/share", "amp/threads")},
	{name: SpecStory, text: isSpecStory, open: newSpecStory, anew: true, dir: specDir},
	{name: Aider, text: isAider, open: newAider, dir: aiderDir},
	{name: Copilot, line: isCopilot, open: newCopilot, places: under("COPILOT_HOME", ".copilot", "session-state", "jb")},
	{name: Pi, line: isPi, read: pi, places: under("PI_CODING_AGENT_DIR", ".pi/agent", "sessions")},
	{name: Cline, whole: isClineUI, open: newClineUI, lists: itself, anew: true, places: clinePlaces},
	{name: Cline, whole: isClineSDK, open: newClineSDK, lists: []string{"messages", ""}, anew: true, dir: clineDir},
	{name: MiniSWE, whole: isMiniSWE, open: newMiniSWE, lists: []string{"messages"}, anew: true, places: miniPlaces},
	{name: SWEAgent, whole: isSWEAgent, open: newSWEAgent, lists: []string{"trajectory", "history"}, stem: true, anew: true},
	{name: Cursor, line: isCursor, read: cursor, stem: true, places: under("", ".cursor", "projects")},
	{name: Droid, line: isDroid, read: droid, places: under("", ".factory", "sessions")},
	{name: Kiro, whole: isKiro, open: newKiro, lists: []string{"history"}, many: true, anew: true, places: kiroPlaces},
	{name: Kiro, line: isKiroLine, open: newKiroLines, stem: true, anew: true},
	{name: Crush, whole: isKeptBy(Crush), open: newKept, lists: []string{"messages"}, anew: true, places: crushPlaces, dir: crushDir},
	{name: Goose, whole: isKeptBy(Goose), open: newKept, lists: []string{"messages"}, anew: true, places: goosePlaces},
	{name: Goose, line: isGooseLine, open: newKept, stem: true, anew: true},
	{name: Junie, line: isJunie, open: newJunie, anew: true, places: under("", ".junie", "sessions")},
	{name: Octomind, line: isOctomind, open: newOctomind, packed: true, anew: true, places: octomindPlaces},
	{name: GitHub, whole: isGitHub, open: newGitHub, lists: itself, many: true, anew: true},
	{name: GitHub, line: isGitHubLine, open: newGitHub, anew: true},
}

// rowsOf returns the rows of a format.
func rowsOf(name Format) (rows []*form) {
	for _, f := range forms {
		if f.name == name {
			rows = append(rows, f)
		}
	}
	return rows
}

// A host is what a place may depend on.
type host struct {
	home string
	os   string // as runtime.GOOS
	env  func(string) string
}

// root returns the folder that a variable names, or else a folder in the home
// directory.
func (h host) root(variable string, folder ...string) string {
	if dir := h.env(variable); variable != "" && dir != "" {
		return dir
	}
	return filepath.Join(append([]string{h.home}, folder...)...)
}

// config returns the folder where programs with a window keep their settings.
func (h host) config() string {
	switch h.os {
	case "darwin":
		return filepath.Join(h.home, "Library", "Application Support")
	case "windows":
		return h.root("APPDATA", "AppData", "Roaming")
	}
	return h.root("XDG_CONFIG_HOME", ".config")
}

// under returns folders in the one that a variable names, or else in one in the home
// directory.
func under(variable, folder string, below ...string) func(host) []string {
	return func(h host) (out []string) {
		for _, name := range below {
			out = append(out, filepath.Join(h.root(variable, filepath.FromSlash(folder)), filepath.FromSlash(name)))
		}
		return out
	}
}

// DefaultPlaces returns where the agents keep their sessions for the user with the home
// directory home. env returns the agents' and the system's variables, or "".
func DefaultPlaces(home string, env func(string) string) Places {
	return placesOn(hostOf(home, env))
}

func hostOf(home string, env func(string) string) host { return host{home, runtime.GOOS, env} }

func placesOn(h host) (out Places) {
	for _, f := range forms {
		if f.places == nil {
			continue
		}
		for _, path := range f.places(h) {
			out = append(out, Place{Path: path, Format: f.name})
		}
	}
	return out
}

// InProject returns where programs keep sessions within the project of a folder, from that
// folder up to its repository: SpecStory's, Aider's and Crush's.
func InProject(dir string) (out Places) {
	for at := dir; filepath.IsAbs(at); at = filepath.Dir(at) {
		out = append(out, Place{Path: filepath.Join(at, ".specstory", "history"), Format: SpecStory}, Place{Path: filepath.Join(at, ".aider.chat.history.md"), Format: Aider},
			Place{Path: filepath.Join(at, ".crush", crushDatabase), Format: Crush})
		if exists(filepath.Join(at, ".git")) {
			return out
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return out[:min(3, len(out))] // no repository: the folder alone
}

// HeadSize is how many bytes of a file [Detect] wants to see. They tell nearly every session;
// a first line with a picture or a log pasted into it may be longer.
const HeadSize = 64 << 10

// mostHead is how much of a file is looked at for its format at most. No model takes a
// longer message.
const mostHead = 32 << 20

// detectIn tells the format of a file of size bytes, of which it reads no more than it must.
// Only logs of JSON lines have it looked for beyond [HeadSize].
func detectIn(r io.ReaderAt, size int64, lines bool) (Format, bool, error) {
	for most := int64(HeadSize); ; most *= 16 {
		head := make([]byte, min(most, size))
		n, err := r.ReadAt(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", false, err
		}
		format, ok := Detect(head[:n])
		if ok || !lines || most >= size || most >= mostHead {
			return format, ok, nil
		}
	}
}

// Detect tells the format of a session from the first bytes of its file; the
// last line of head may be cut. It looks at records and never at names: a
// file of prose, of another agent or of no records at all is no session.
func Detect(head []byte) (Format, bool) {
	head, packed := unpackHead(head)
	if f := detect(head, forms); f != nil && (f.packed || !packed) {
		return f.name, true
	}
	return "", false
}

// detect finds the row whose container head is the beginning of, nil when it
// is of none.
func detect(head []byte, rows []*form) *form {
	head = bytes.TrimPrefix(head, []byte(byteOrderMk))
	first := space(head, 0)
	if first >= len(head) {
		return nil
	}
	if head[first] == '{' || head[first] == '[' {
		g := look(head[first:])
		for _, f := range rows {
			if f.whole != nil && f.whole(g) {
				return f
			}
		}
	}
	if head[first] != '{' {
		// Before lines of JSON are looked for: prose may quote some.
		for _, f := range rows {
			if f.text != nil && f.text(head) {
				return f
			}
		}
	}
	return detectLines(head, rows)
}

// detectLines looks at lines of JSON until one tells.
func detectLines(head []byte, rows []*form) *form {
	var o object
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, newline)
		for i := space(line, 0); i < len(line); {
			var err error
			var end int
			o, end, err = parseObject(line, i, o[:0])
			for _, f := range rows {
				if f.line != nil && f.line(o) {
					return f
				}
			}
			if err != nil {
				break
			}
			i = space(line, end)
		}
		head = rest
	}
	return nil
}

// A glimpse is what can be seen of a document from its beginning.
type glimpse struct {
	members object // those of an object that are there whole
	open    string // key of the one that is not; "" for a list
	rest    raw    // the beginning of its value, or of the list
}

// look takes a glimpse of the document that begins at b[0].
func look(b []byte) (g glimpse) {
	if b[0] != '{' {
		g.rest = b
		return g
	}
	_, _ = each(b, 0, func(key []byte, at int) (int, error) {
		end, err := check(b, at, 1)
		if err != nil {
			g.open, g.rest = string(key), b[at:]
		} else {
			g.members = append(g.members, field{key, b[at:end]})
		}
		return end, err
	})
	return g
}

// get returns a member, or the beginning of one.
func (g glimpse) get(key string) raw {
	if v := g.members.get(key); v != nil {
		return v
	}
	if key == g.open {
		return g.rest
	}
	return nil
}

// first returns what can be seen of the first element of a member that is a
// list, or with "" of the document.
func (g glimpse) first(key string) object {
	v := g.get(key)
	if !v.is('[') {
		return nil
	}
	o, _, _ := parseObject(v, 1, nil)
	return o
}

var (
	codexTypes  = []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
	claudeState = []string{"queue-operation", "last-prompt", "mode", "permission-mode", "custom-title", "ai-title", "agent-name", "agent-setting", "pr-link", "tag"}
)

func isCodex(o object) bool {
	return slices.Contains(codexTypes, o.get("type").text()) &&
		o.get("timestamp") != nil && (o.get("payload").is('{') || len(o) == 2)
}

func isClaude(o object) bool {
	switch kind := o.get("type").text(); {
	case kind == "user" || kind == "assistant" || kind == "system" || kind == "attachment" || kind == "progress":
		return o.get("sessionId") != nil && o.get("uuid") != nil && (o.get("isSidechain") != nil || o.get("userType") != nil) && !isQwen(o)
	case kind == "" && o.get("isSidechain") != nil && o.get("parentUuid") != nil && o.get("sessionId") != nil:
		return true // cut before its type
	case kind == "file-history-snapshot":
		return o.get("messageId") != nil
	case kind == "summary":
		return o.get("leafUuid") != nil
	case slices.Contains(claudeState, kind):
		return o.get("sessionId") != nil
	}
	return false
}
