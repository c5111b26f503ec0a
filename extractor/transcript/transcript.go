// Package transcript reads the session files of coding agents as one sequence of turns.
//
// Every agent keeps its own format, and each format mixes what a person typed with what
// the harness injected around it. A [Turn] says who spoke, in what manner, and on which
// line of the file, so that callers need not know the formats.
//
// Transcripts are hostile input. Lines may be of any length, cut short, doubled or not
// JSON at all. A bad line is reported as a [LineError] in the stream, and reading goes
// on with the next. A session that is one JSON document is read whole, up to
// [MaxDocument] bytes. Texts are passed on unchanged, with terminal escapes; callers
// make them safe to show.
//
// The package stores nothing and decides nothing about lessons.
package transcript

import (
	"fmt"
	"time"
)

// A Format is the way one agent keeps its sessions, recognized by content and never
// only by the name of a file. An agent may have several containers for the same
// records; they are one format. The table is in formats.go.
type Format string

// A Speaker is who made a turn.
type Speaker string

const (
	Person  Speaker = "person"  // typed by the user, in any field of the file
	Agent   Speaker = "agent"   // written or done by the model
	Tool    Speaker = "tool"    // what a tool answered
	Harness Speaker = "harness" // injected by the program around the model
)

// A Kind is the manner of a turn.
type Kind string

const (
	Message   Kind = "message"   // a message of a person or an agent
	Steering  Kind = "steering"  // a person's message typed while the agent worked (queued, or beside a tool result)
	Rejection Kind = "rejection" // a person's reason for refusing a tool call; Tool is the refused call
	Answer    Kind = "answer"    // a person's answer or note to a question that the agent asked by a tool
	Command   Kind = "command"   // arguments that a person typed behind a slash command; Text holds the arguments, Name the command
	Shell     Kind = "shell"     // a shell command that a person typed ("!" mode)
	Call      Kind = "call"      // the agent called Tool
	Result    Kind = "result"    // Tool answered; Text is the answer, Failed whether it was an error
	Thinking  Kind = "thinking"  // the agent's reasoning, where the file has it
	Interrupt Kind = "interrupt" // a person stopped the agent without a word
	Summary   Kind = "summary"   // a compaction summary
	Plan      Kind = "plan"      // a plan that the harness pasted as if typed
	Notice    Kind = "notice"    // anything else that the harness injected
)

// A Turn is one utterance or one act of a session.
type Turn struct {
	Line      int    // of the file, from 1: the line on which the record begins
	UUID      string // the record's own id; copied records keep it, so it tells doubles across files
	Session   string // the session that the record says it belongs to
	Speaker   Speaker
	Kind      Kind
	At        time.Time // zero if unknown; the start of the chat if only that has a time
	Text      string    // what was said; tool results and calls are cut in the middle to MaxText bytes
	Name      string    // of a Command: the command, with its slash; of an Answer: the question, in the agent's words
	Tool      *ToolCall // set for Call, Result, Rejection and Answer where the call is known
	Failed    bool      // the tool said that it failed; never set for a rejection by the person
	Refused   bool      // the person refused or stopped the call, so it neither worked nor failed; set for Result and Rejection
	Scripted  bool      // the prompt came from a program, such as a script that calls "claude -p" or "codex exec"
	Author    string    // who said it, if several persons speak; "" for the one at the terminal
	Link      string    // the web address of what was said, or ""
	Sidechain bool      // between an agent and its subagent; "person" turns of a sidechain are the parent agent's and are given as Agent
}

// MaxText is the most bytes of Text that is kept of a tool's answer, a tool's call or a
// harness notice: head and tail, with a mark between. A person's words are never cut.
const MaxText = 8 << 10

// A ToolCall is a call of a tool by the agent.
type ToolCall struct {
	ID      string
	Name    string // as the agent names it: Bash, Edit, exec_command, apply_patch, …
	Command string // of a shell-like tool, as one string
	Path    string // of a file tool, as given
	Old     string // of an edit: what it replaced, cut to MaxText
	New     string // of an edit or a write: what it put there, cut to MaxText
	Input   string // all arguments as in the file, cut to MaxText: JSON, except for free-form tools such as Codex's apply_patch
}

// Text returns an argument of the call that a rule can be about: its command, its path,
// or what it writes, as "patch"; "" for others.
func (c *ToolCall) Text(key string) string {
	switch key {
	case "command":
		return c.Command
	case "path":
		return c.Path
	case "patch":
		return c.New
	}
	return ""
}

// Words returns the arguments that are lists; transcripts have none.
func (c *ToolCall) Words(string) []string { return nil }

// A Session is what a file says about its session.
type Session struct {
	Agent   Format
	ID      string
	Dir     string // the first working directory that the session names
	Branch  string
	Role    string // agent mode or subagent type; "" if the file names none
	Version string // of the agent
	Model   string
	Start   time.Time // the earliest time in what was read
	Parent  string    // the session that started this one, for a subagent's own file
	// Scripted says that a program gives the prompts, as far as has been read.
	Scripted bool `json:",omitempty"`
	// Events says of Codex that the person's words come as events, so the items that repeat
	// them do not count, and of Copilot that calls come only as events.
	Events bool `json:",omitempty"`
}

// A LineError reports a line that could not be read. Reading goes on with the next.
type LineError struct {
	Path string // "" if the reader was given no path
	Line int
	Err  error
}

func (e *LineError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

func (e *LineError) Unwrap() error { return e.Err }
