// Package extractor turns the transcripts of coding agents into proposed
// lessons.
//
//	transcript file ─► turns, in windows ─► Proposer… ─► finish ─► Batch ─► extractor/intake: store.Put, then Ledger.Commit
//
// The finishing is what no [Proposer] is trusted with: a proposal is pending
// and nothing else, has evidence that is really in the transcript, is not our
// own injected text coming back, holds no secrets, and is not one that the
// corpus has already. Its id follows from its evidence, so that reading the
// same transcript again proposes the same lessons.
//
// The package stores no lessons; extractor/intake does. It stores the lessons of
// a batch first and then commits its mark: a crash between the two repeats the
// reading of one transcript and loses nothing.
//
// A [Ledger] remembers how far each transcript was read; it can be deleted, and
// then all are read again.
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

// A Proposer suggests lessons from turns of a session. The turns are in the
// order of the file; when a session is long or was read before, the first
// ones are turns that were given before, for context. Of a proposal it fills
// the wording, category, confidence, tags, triggers and evidence (line, quote,
// who said it, what stands around it); ID, scope, path, session and the rest
// are filled here where they are empty.
//
// An error ends the reading of the transcript.
type Proposer interface {
	Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error)
}

// An Observer is a [Proposer] that also sees what says little when it happens
// once, and is a lesson when another session shows the same. What it gives is
// kept apart until then; its content must be the same in every session.
type Observer interface {
	Observe(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error)
}

// Known is what the corpus says of a proposal.
type Known struct {
	ID     lessons.ID     // of the lesson that says the same already; "" when there is none
	Status lessons.Status // of that lesson
	Reopen bool           // propose it all the same: what is known was rejected, and its evidence has grown
	Offer  bool           // it is another reading of the moment that the lesson was made of, in words that may be better
}

// ByRules are the proposers that need no model.
func ByRules() []Proposer { return []Proposer{rules.Rules{}} }

// Options say how to extract. Of the functions, Project, Standing, Excluded
// and Paused are called by several goroutines at once, the others by one at a time.
type Options struct {
	Proposers []Proposer
	Known     func(context.Context, lessons.Lesson) (Known, error) // nil knows nothing
	Project   func(dir string) string                              // of a working directory; nil leaves the project empty
	Standing  func(dir string, l lessons.Lesson) lessons.Lesson    // marks what the instructions for a working directory say of a proposal; nil marks nothing
	Excluded  func(dir, path string) string                        // what excludes the session of a working directory and a transcript; nil or "" is nothing
	Paused    func(time.Time) bool                                 // what was said at such a time is not read; nil reads everything
	Role      string                                               // for sessions that name none; "" is "developer"
	Progress  func(Progress)                                       // called after each file, in their order; may be nil
	MinChars  int                                                  // characters, of all that was said and done, below which a transcript is left until it has grown; not if it is Named, or a person plainly taught something
	Workers   int                                                  // how many files are read at once; 0 is one for each core
	From      func(path string) Mark                               // reads each file from there to the size that its File has, marked or not; nil reads from the ledger's marks to the ends
	// Weigh gives a finished proposal the confidence and the lane that it is proposed
	// with; nil leaves the proposer's.
	Weigh func(context.Context, lessons.Lesson) (lessons.Lesson, error)
	// ScriptsAreMine says that prompts which a program gave ("claude -p", "codex
	// exec") are the person's words; else they are an agent's.
	ScriptsAreMine bool
	// After is called for each file that was read, by the goroutine that read it and
	// with these options; nil is not called.
	After func(context.Context, transcript.File, Options)
	Anew  bool // read everything from its start, marked or not
}

// DefaultRole is the role of a session that names none.
const DefaultRole = "developer"

// Progress says how far a run is. Files that hold nothing new are not counted.
type Progress struct {
	Path    string // the file that was read last
	Files   int    // that are to be read
	Done    int    // of them
	Bytes   int64  // that are to be read
	Read    int64  // of them
	Lessons int    // proposed so far
}

// A Batch is what one transcript gave.
type Batch struct {
	File     transcript.File // its path is absolute
	Session  transcript.Session
	Lessons  []lessons.Lesson // new ones, to be stored as they are
	Seen     []lessons.Lesson // observed, and in no other session so far; not to be stored
	Again    []Again          // moments that teach what is known
	Given    []Given          // lessons that the session was given, each once for a transcript
	Replies  []Reply          // what a person then said, of all that is proposed
	Prompts  []string         // that a person typed, without secrets; the first of very many
	Bad      []*transcript.LineError
	BadMore  int    // bad lines beyond those of Bad
	Injected bool   // a proposal was made of lessons that we had given to the session, and dropped
	Read     int64  // bytes
	Excluded string // what leaves the session out, so that nothing of it was read
	Short    bool   // too little was said so far; it is read from its start when it has grown
	Mark     Mark   // to be committed when the lessons are stored
}

// Again is a moment that teaches what a lesson says already: one of the corpus
// or one of an earlier batch. Who keeps lessons may add the evidence to it.
type Again struct {
	ID       lessons.ID
	Status   lessons.Status
	Evidence []lessons.Evidence
	Least    lessons.Confidence // of a pending lesson, now that one more session shows it; 0 changes nothing
	Offer    *lessons.Lesson    // the proposal, where its words are to be offered as an edit of a pending lesson; else nil
}

const (
	// maxBad is how many bad lines of a file are told one by one.
	maxBad = 20
	// maxLessons is the most that one reading of one file may propose; the
	// surest are kept. The richest session we have labelled holds 28.
	maxLessons = 200
	// maxSeen is the most observations of one transcript that are remembered.
	maxSeen = 20
)

// A FileError says why a transcript cannot be read at all. Hint says what to
// do about it, in words for the person at the terminal.
type FileError struct {
	Path string
	Err  error
	Hint string
}

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// fileError adds the hint that fits to an error with a file.
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
