// Package past answers questions about finished sessions. It reads each transcript
// once, into a [Session]: figures of what was done, and the events in their order.
// [Kept] caches that in the state, and each question is a query over it: which sessions
// match ([Query]), which mistakes recur ([Find]), which calls a guard would have
// stopped ([Try]), what came of the lessons that were given ([OutcomeReader]), and what
// sessions would have been given ([Backtest]).
package past

import (
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// Options say what may be read of sessions. Several goroutines may call the functions
// at once.
type Options struct {
	Kept     *Kept                         // cache; nil reads every transcript
	Project  func(dir string) string       // names the project of a working directory
	Excluded func(dir, path string) string // what excludes a session; nil or "" excludes none
	Paused   func(time.Time) bool          // reports whether to ignore what was done at a time; nil ignores nothing
	Redact   func(string) string           // removes secrets from what is shown or kept; nil removes none
}

// Listener returns a listener that follows these options.
func (o Options) Listener() transcript.Listener {
	return transcript.Listener{Excluded: o.Excluded, Paused: o.Paused}
}

func (o Options) redact(s string) string {
	if o.Redact == nil {
		return s
	}
	return o.Redact(s)
}

// text redacts a text of a transcript and bounds its length.
func (o Options) text(s string, most int) string {
	s = o.redact(s[:min(len(s), 2*most)]) // half a secret is not recognised
	return strings.ToValidUTF8(s[:min(len(s), most)], "\ufffd")
}

// A Session is a transcript that was read. If the person excludes it, it has no events.
type Session struct {
	Record
	Project  string
	Excluded bool
	Events   []Event
	fresh    bool // it was read, rather than kept
}

// What is the kind of an event.
type What string

const (
	Said  What = "said"  // a person said or stopped something
	Call  What = "call"  // the agent called a tool
	Came  What = "came"  // a tool answered
	Given What = "given" // a harness put a block of lessons into the session
)

// An Event is one thing that happened in a session. Its texts are without secrets.
type Event struct {
	What    What      `json:"w"`
	Line    int       `json:"l"` // of the transcript, from 1
	At      time.Time `json:"t,omitzero"`
	UUID    string    `json:"u,omitempty"` // of the record: agents copy records into new sessions
	Session string    `json:"s,omitempty"` // named by the record, if it is another one
	Side    bool      `json:"x,omitempty"` // between the agent and a subagent
	Text    string    `json:"m,omitempty"` // what was said, or the answer of a failed call

	Kind     transcript.Kind `json:"k,omitempty"` // of what was said
	Corrects bool            `json:"c,omitempty"` // it objects to what the agent did

	ID    string       `json:"i,omitempty"` // of a call
	Tool  string       `json:"n,omitempty"`
	Path  string       `json:"p,omitempty"` // of a file tool
	Does  *guard.Call  `json:"d,omitempty"`
	Of    int          `json:"o,omitempty"` // of an answer: the index of its call, from 1; 0 if unknown
	Ended CallEnd      `json:"e,omitempty"`
	Fails *Failure     `json:"f,omitempty"`
	Gave  []lessons.ID `json:"g,omitempty"` // lessons of a block
}

// A Failure says why a call failed.
type Failure struct {
	ID    lessons.ID  `json:"i"` // the same for equal mistakes
	Print string      `json:"p"` // the text that the id is made from; mistakes are ordered by it
	Doing string      `json:"d"`
	Says  string      `json:"s"`           // the line that says what was wrong
	Known []string    `json:"k"`           // hashes that identify the error
	Cure  *rules.Cure `json:"c,omitempty"` // how the call worked a little later; nil if nothing shows that
}

// of returns the call that an answer belongs to.
func (s *Session) of(e *Event) *Event {
	if e.Of > 0 && e.Of <= len(s.Events) {
		return &s.Events[e.Of-1]
	}
	return &Event{}
}

// does returns what a call would do in the folder of its session.
func (s *Session) does(e *Event) *guard.Call {
	c := guard.Call{}
	if e.Does != nil {
		c = *e.Does
	}
	c.Dir = s.Record.Session.Dir
	return &c
}

// name returns the id of the session, or else the path of its transcript.
func (s *Session) name() string {
	if id := s.Record.Session.ID; id != "" {
		return id
	}
	return s.Path
}

// A Record is what an agent did in one session. Subagents have sessions of their own.
type Record struct {
	transcript.Info

	Prompt      string  // the beginning of what a person said first, on one line; "" if nobody did
	Corrections int     // times a person corrected the agent, or refused a call with a reason
	Did         [7]int  // calls by kind
	Spin        int     // the most failures of one action in a row with the same error, ignoring other actions between
	Stuck       string  // what was tried then
	Again       int     // the most repetitions of one call with the same arguments
	Blind       int     // edits of files that the session had not read
	Errors      []Error // the most frequent first, at most maxErrors
}

// An Error is one mistake of a session: failures with the same fingerprint.
type Error struct {
	ID          lessons.ID // of the fingerprint, as in `learnings check recurring`
	Doing       string     // the tool, or the program and its subcommand
	Says        string     // the line that says what was wrong
	Count       int
	First, Last time.Time // zero if the transcript does not say
}

// Of returns the number of calls of a kind.
func (r *Record) Of(t Tool) int { return r.Did[t] }

// ReadsPerEdit returns the number of reads for each edit; false if nothing was edited.
func (r *Record) ReadsPerEdit() (float64, bool) {
	if r.Of(Edits) == 0 {
		return 0, false
	}
	return float64(r.Of(Reads)) / float64(r.Of(Edits)), true
}

// FewReads is the number of reads for each edit below which edits often have to be
// redone.
const FewReads = 2.0

// Took returns the time from the first to the last record; false if the transcript has
// no times.
func (r *Record) Took() (time.Duration, bool) {
	start, end := r.Session.Start, r.End
	if start.IsZero() || end.Before(start) {
		return 0, false
	}
	return end.Sub(start), true
}

// A Kind classifies a session as a whole.
type Kind string

// The kinds of sessions. A session may be of several.
const (
	Spinning    Kind = "spinning"    // the same error or the same call again and again
	Blind       Kind = "blind"       // more files were edited unread than read first
	Exploration Kind = "exploration" // only reads and searches, no edits
)

// Kinds lists all kinds.
var Kinds = []Kind{Spinning, Blind, Exploration}

const (
	leastSpin   = 3 // failures in a row
	leastAgain  = 6 // the same call in a session
	leastBlind  = 2 // edits
	leastLooked = 5 // reads and searches
)

// Is reports whether a session is of a kind.
func (r *Record) Is(k Kind) bool {
	switch k {
	case Spinning:
		return r.Spin >= leastSpin || r.Again >= leastAgain
	case Blind:
		return r.Blind >= leastBlind && 2*r.Blind > r.Of(Edits)
	case Exploration:
		return r.Of(Edits) == 0 && r.Of(Reads)+r.Of(Searches) >= leastLooked
	}
	return false
}

// Kinds returns the kinds of the session.
func (r *Record) Kinds() []Kind {
	return slices.DeleteFunc(slices.Clone(Kinds), func(k Kind) bool { return !r.Is(k) })
}

// A Tool is the kind of a tool call.
type Tool int

// The kinds of calls, in the order of [Record.Did].
const (
	Reads    Tool = iota // a file
	Edits                // or writes a file
	Searches             // files, by name or content
	Runs                 // a program
	Web                  // fetches or searches the web
	Asks                 // starts another agent
	Others
)

var kindNames = [...]string{"read", "edit", "search", "run", "web", "agent", "other"}

// Name returns the kind in one word, such as "read".
func (t Tool) Name() string { return kindNames[t] }

// toolNames are the names that agents give their tools, lower case without punctuation,
// for calls that name neither a file nor a command.
var toolNames = map[Tool]string{
	Reads: `read readfile readfiles readmanyfiles view viewfile open cat fsread notebookread extractlines readlines viewimage readimage getfile openfile scrolldown scrollup`,
	Edits: `edit multiedit write notebookedit writefile editfile editedexistingfile newfilecreated writetofile replaceinfile searchreplace searchandreplace replace
		strreplace strreplaceeditor strreplacebasededittool create createfile insert insertcontent applydiff applypatch patch editor texteditor batchedit fswrite fsappend deletefile undoedit`,
	Searches: `grep glob ls list listdir listdirectory listfiles listfilestoplevel listfilesrecursive find findfile findfiles searchfile searchdir searchfiles searchfilecontent grepsearch grepfiles
		filesearch globfilesearch globpath codebasesearch codesearch semanticsearch astgrep structuralsearch listcodedefinitionnames listcodeusages lsp viewsignatures rg searchtext codebaseinvestigator`,
	Runs: `bash shell exec execcommand execute executecommand executebash runcommand runcommands runterminal runterminalcmd runterminalcommand runterminalcommandv2 runshellcommand shellexec localshell powershell
		writestdin bashoutput killshell killbash readbash writebash stopbash python terminal runinterminal getterminaloutput shellcommand unifiedexec`,
	Web:  `webfetch websearch googlewebsearch fetch fetchurl fetchwebpage browser browseraction browsersearch readhtml searchweb websearchcall webreader openurl`,
	Asks: `task agent spawnagent subagent newtask delegate delegatetoagent dispatchagent runsubagent explore waitagent sendinput oracle`,
	Others: `askuserquestion askuser question skill toolsearch todowrite todoread taskcreate taskupdate tasklist taskget taskoutput taskstop updateplan enterplanmode exitplanmode
		planmoderespond attemptcompletion reportintent savememory submit think usemcptool`,
}

// names is toolNames by name.
var names = sync.OnceValue(func() map[string]Tool {
	all := make(map[string]Tool, 200)
	for t, names := range toolNames {
		for name := range strings.FieldsSeq(names) {
			all[name] = t
		}
	}
	return all
})

// searchers and fetchers are programs that search files and fetch from the web.
var (
	searchers = []string{"grep", "rg", "find", "fd", "fdfind", "ls", "tree", "ag", "ack", "egrep", "fgrep", "locate", "which", "findstr"}
	fetchers  = []string{"curl", "wget", "http", "xh"}
)

// ToolOf returns the kind of a call, by its arguments or else by the name of the tool.
func ToolOf(c *transcript.ToolCall) Tool {
	if c == nil {
		return Others
	}
	known, ok := names()[plain(c.Name)]
	switch {
	case ok && known == Edits && c.Command == "view": // an editor with subcommands
		return Reads
	case ok && known == Edits && c.Path != "":
		return Edits
	case ok && known != Runs && c.Command == "" && known != Edits:
		return known
	case rules.Edits(c):
		return Edits
	case rules.Reads(c):
		return Reads
	case c.Command != "":
		if writes(c.Command[:min(len(c.Command), 2000)]) {
			return Edits
		}
		switch program := rules.Program(c.Command); {
		case slices.Contains(searchers, program):
			return Searches
		case slices.Contains(fetchers, program):
			return Web
		}
		return Runs
	case ok:
		return known
	}
	return guess(plain(c.Name))
}

// writes reports whether a command line writes a file whose text it contains.
func writes(command string) bool {
	return strings.Contains(command, "sed -i") || strings.Contains(command, "patch -p") || strings.Contains(command, "| tee ") ||
		strings.Contains(command, "<<") && (strings.HasPrefix(command, "cat >") || strings.Contains(command, " cat >") || strings.HasPrefix(command, "cat <<") && strings.Contains(command, "> "))
}

// guess judges by parts of an unlisted name, such as one of an MCP server.
func guess(name string) Tool {
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(name, p) })
	}
	switch {
	case has("readfile", "readmultiplefiles", "readtextfile", "viewfile"):
		return Reads
	case has("writefile", "editfile", "replacein", "createfile", "applypatch"):
		return Edits
	case has("searchfile", "listdirectory", "directorytree", "grep", "glob", "codesearch", "findfile"):
		return Searches
	case has("browser", "webfetch", "websearch", "fetchurl", "playwright", "puppeteer", "navigate", "deepwiki", "context7"):
		return Web
	case has("subagent", "spawnagent"):
		return Asks
	case has("bash", "shell", "terminal", "runcommand", "execcommand", "executecommand"):
		return Runs
	}
	return Others
}

// plain returns a name in lower case, without punctuation, at most as long as names
// are.
func plain(name string) string {
	const most = 120
	b := make([]byte, 0, min(len(name), most))
	for i := 0; i < len(name) && len(b) < most; i++ {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			b = append(b, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			b = append(b, c)
		}
	}
	return string(b)
}
