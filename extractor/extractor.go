// Package extractor turns the transcripts of coding agents into proposed
// lessons.
//
//	transcript file ─► turns, in windows ─► Proposer… ─► finish ─► Batch ─► extractor/intake: store.Put, then Ledger.Commit
//
// A [Proposer] is not trusted with the finishing: it ensures that a proposal is pending,
// has evidence that is in the transcript, is not our own injected text coming back, holds
// no secrets, and is not in the corpus already. Its id follows from its evidence, so that
// reading a transcript again proposes the same lessons.
//
// The package stores no lessons; extractor/intake does. It stores the lessons of a batch
// first and then commits its mark: after a crash between the two, one transcript is read
// again and nothing is lost.
//
// A [Ledger] remembers how far each transcript was read. If it is deleted, all are read again.
package extractor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Proposer suggests lessons from turns of a session, which come in the order of the
// file. When a session is long or was read before, the first turns were given before
// and serve as context. The proposer fills in the wording, category, confidence, tags,
// triggers and evidence (line, quote, speaker, surroundings) of a proposal; ID, scope,
// path, session and the rest are filled in here where they are empty.
//
// An error ends the reading of the transcript.
type Proposer interface {
	Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error)
}

// An Observer is a [Proposer] that also reports what says little when it happens once,
// and becomes a lesson when another session shows the same. An observation is kept
// apart until then; its content, or the family of it ([rules.Family]), must be the same in
// every session.
type Observer interface {
	Observe(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error)
}

// Known is what the corpus knows about a proposal.
type Known struct {
	ID     lessons.ID     // of the lesson that already says the same; "" if none
	Status lessons.Status // of that lesson
	Reopen bool           // propose it although it was rejected, because its evidence has grown
	More   bool           // the proposal has the lesson's own id, and is of another moment
	Offer  bool           // the proposal rereads the moment that the lesson came from, perhaps in better words
}

// ByRules returns the proposers that need no model.
func ByRules() []Proposer { return []Proposer{rules.Rules{}} }

// Options say how to extract. Project, Standing, Excluded and Paused are called by
// several goroutines at once, the other functions by one at a time.
type Options struct {
	Proposers []Proposer
	Known     func(context.Context, lessons.Lesson) (Known, error) // nil knows nothing
	Project   func(dir string) string                              // returns the project of a working directory; nil leaves it empty
	Standing  func(dir string, l lessons.Lesson) lessons.Lesson    // marks what the instructions for a working directory already say of a proposal; nil marks nothing
	Excluded  func(dir, path string) string                        // returns what excludes a session by its working directory and transcript, or ""; nil excludes nothing
	Paused    func(time.Time) bool                                 // reports whether to ignore what was said at a time; nil ignores nothing
	Role      string                                               // of sessions that name none; "" means "developer"
	Progress  func(Progress)                                       // called after each file, in their order; may be nil
	MinChars  int                                                  // a transcript in which fewer characters were said and done waits until it grows, unless it is Named or a person plainly taught something
	Workers   int                                                  // number of files read at once; 0 means one per core
	From      func(path string) Mark                               // if set, each file is read from this mark to the size in its File, ignoring the ledger
	// Weigh sets the confidence and the lane of a finished proposal; nil keeps those of
	// the proposer.
	Weigh func(context.Context, lessons.Lesson) (lessons.Lesson, error)
	// ScriptsAreMine treats prompts that a program gave ("claude -p", "codex exec") as
	// the person's words instead of an agent's.
	ScriptsAreMine bool
	// After, if set, is called after each file is read, by the goroutine that read it
	// and with these options.
	After func(context.Context, transcript.File, Options)
	Anew  bool // read everything from its start, marked or not
}

// DefaultRole is the role of a session that names none.
const DefaultRole = "developer"

// Progress says how far a run is. Files with nothing new are not counted.
type Progress struct {
	Path    string // the file that was read last
	Files   int    // to read
	Done    int    // files read
	Bytes   int64  // to read
	Read    int64  // bytes read
	Lessons int    // proposed so far
}

// A Batch is what one transcript gave.
type Batch struct {
	File     transcript.File // its path is absolute
	Session  transcript.Session
	Lessons  []lessons.Lesson // new, ready to store
	Seen     []lessons.Lesson // observed in no other session so far; not to be stored
	Again    []Again          // moments that teach what is already known
	Given    []Given          // lessons that the session was given, each once per transcript
	Replies  []Reply          // the person's answers that proposals came from
	Prompts  []string         // typed by a person, without secrets; at most mostPrompts
	Bad      []*transcript.LineError
	BadMore  int    // bad lines beyond those of Bad
	Injected bool   // a proposal made of lessons that we had given to the session was dropped
	Read     int64  // bytes
	Excluded string // the pattern that excludes the session; nothing of it was read
	Short    bool   // too little was said so far; the transcript is read from its start when it has grown
	Mark     Mark   // to commit once the lessons are stored
}

// Again is a moment that teaches what a lesson, of the corpus or of an earlier batch,
// already says. The caller may add the evidence to that lesson.
type Again struct {
	ID       lessons.ID
	Status   lessons.Status
	Evidence []lessons.Evidence
	Triggers []string           // for a pending lesson that has none
	Least    lessons.Confidence // minimum for a pending lesson now that one more session shows it; 0 changes nothing
	Offer    *lessons.Lesson    // the proposal, if its words should be offered as an edit of a pending lesson
}

const (
	// maxBad is how many bad lines of a file are listed.
	maxBad = 20
	// maxLessons is the most that one reading of a file may propose, the surest first.
	// The richest labelled session holds 28.
	maxLessons = 200
	// maxSeen is the most observations that are kept of one transcript.
	maxSeen = 20
)

// ErrSilent means that a model was not asked about a session, or did not answer.
var ErrSilent = errors.New("no answer of the model")

// A FileError says why a transcript cannot be read at all. Hint tells the person at the
// terminal what to do about it.
type FileError struct {
	Path string
	Err  error
	Hint string
}

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// fileError wraps an error with its file and a fitting hint.
func fileError(path string, info fs.FileInfo, err error) error {
	e := &FileError{Path: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Hint = "check the path; `learnings sessions` lists the sessions that were found"
	case errors.Is(err, fs.ErrPermission):
		e.Hint = fmt.Sprintf("make it readable (chmod u+r %s), or run as its owner", path)
	case info == nil:
		e.Hint = "check that the disk is there, and try again"
	case info.IsDir():
		e.Hint = "name the session files in it, or give the folder to `learnings extract` to have it searched"
	case info.Mode()&fs.ModeNamedPipe != 0:
		e.Hint = "save what comes out of it to a file first, and give that file"
	case !info.Mode().IsRegular():
		e.Hint = "give a session file: JSON lines as Claude Code or Codex write them"
	case info.Size() == 0:
		e.Hint = "the agent has written nothing to it yet; try again after the session"
	case errors.Is(err, transcript.ErrNoSession):
		e.Hint = "session files are JSON lines as Claude Code or Codex write them; `learnings sessions --from FOLDER` finds them"
	default:
		e.Hint = "check that the disk is there, and try again"
	}
	return e
}
