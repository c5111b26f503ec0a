// Package exchange moves lessons between the corpus and the stores of other programs.
//
// A [Format] is one kind of store, or a form for people. It detects what it can read, reads
// it as [Entry]s, lists what it cannot hold of a lesson, and plans a write. A [Plan] does
// nothing until it is applied: it can be shown first, it refuses to overwrite what somebody
// changed meanwhile, and it keeps a copy of what was there before.
//
// What a store holds beyond lessons stays: a format changes the entry of a lesson and
// leaves the rest of a file byte for byte as it was.
//
// Every store is hostile input. What is read is a proposal until a person decides.
package exchange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"learnings/lessons"
	"learnings/lessons/file"
)

// Errors that callers decide on.
var (
	// ErrFormat means that a path does not hold what the format expects. The file is left
	// as it is.
	ErrFormat = errors.New("cannot be read in this format")
	// ErrOneWay means that a format can only be read, or only be written.
	ErrOneWay = errors.New("goes only one way")
	// ErrChanged means that somebody changed a file between the plan and the write.
	ErrChanged = errors.New("was changed meanwhile")
)

// A Format is the store of one program, or a form for people. Its methods must be safe for
// concurrent use.
type Format interface {
	// Detect reports whether path, a file or a folder, is in this format. It looks at names
	// and the beginnings of files, and never fails.
	Detect(path string) bool

	// Read returns what is stored at path. Found.Unread lists parts that cannot be read;
	// the error means that nothing can. Read changes nothing and takes no lock.
	Read(ctx context.Context, path string) (Found, error)

	// Lacks lists in words what the format cannot hold of a lesson, such as "its
	// confidence".
	Lacks(l lessons.Lesson) []string

	// Plan plans how the store at to.Path comes to hold the lessons in addition to what it
	// holds: the entry of a lesson is changed or left, and missing ones are added. If a
	// lesson is not Approved its entry is removed, provided that the other program can
	// remove entries.
	Plan(ctx context.Context, to Target, ls []lessons.Lesson) (*Plan, error)
}

// A Found is the contents of a store.
type Found struct {
	Entries []Entry
	Unread  []Unread
}

// An Entry is one lesson of another program's store.
type Entry struct {
	// Lesson is the entry as a proposal: Pending, with an ID derived from the store and the
	// key, so that the same entry always is the same lesson.
	Lesson lessons.Lesson

	Key    string // the other program's key, such as "err-001"; unique in the store
	Place  string // where a person finds it, such as "errors.yaml:14"
	Active bool   // the other program gives it to its agents
	Aside  bool   // a person or the other program has put it aside there

	// Approved is an approval by somebody else, for a person who trusts them.
	Approved lessons.Approval
}

// An Unread is a part of a store that could not be read.
type Unread struct {
	Path string
	Line int // from 1; 0 for the whole file
	Err  error
}

func (u Unread) Error() string {
	if u.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", u.Path, u.Line, u.Err)
	}
	return fmt.Sprintf("%s: %v", u.Path, u.Err)
}

func (u Unread) Unwrap() error { return u.Err }

// A Target is where a plan writes.
type Target struct {
	Path string    // a file or a folder; it may not exist
	Now  time.Time // for what the other program dates

	// Ledger remembers which entry was made for which lesson. If nil, entries are found by
	// their text.
	Ledger *Ledger
}

// Lacks lists what a format cannot hold of a lesson, in words such as "its confidence".
type Lacks []string

// If adds a formatted item if is holds.
func (w *Lacks) If(is bool, format string, args ...any) {
	if is {
		*w = append(*w, fmt.Sprintf(format, args...))
	}
}

// Terms returns the distinct ones of some tags, each on one line, as many as a lesson has.
func Terms(all []string) (out []string) {
	for _, t := range all {
		if t = lessons.Line(t); t != "" && !slices.Contains(out, t) && len(out) < lessons.MaxTerms {
			out = append(out, t)
		}
	}
	return out
}

// Some names the first lessons of some.
func Some(ids []lessons.ID) string {
	const most = 5
	out := lessons.Texts(ids[:min(len(ids), most)])
	if len(ids) > most {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// ID returns the id of the lesson for an entry. It depends only on the format, a stable
// name of the store, and the key.
func ID(format, store, key string) lessons.ID {
	return lessons.IDFrom("import", format, store, key)
}

// By returns the proposer of what a format read, for [lessons.Origin].
func By(format string) string { return "import:" + format }

// A Report says what became of the entries of a store.
type Report struct {
	Format, Path string

	New    []lessons.Lesson // as stored, or as they would be
	Known  []Recognised
	Raised []Raised
	Unread []Unread
	Places map[lessons.ID]string // where the store has each lesson that was read
	Aside  map[lessons.ID]bool   // see [Entry]
	Dry    bool                  // nothing was stored
}

// Raised is an entry that was not imported because an approved lesson has its keywords; see
// [Affirmer].
type Raised struct {
	Lesson   lessons.Lesson // as the other store has it
	ID       lessons.ID     // of the lesson in the corpus
	From, To lessons.Confidence
}

// An Affirmer is a format whose program does not add a learning with the keywords of an
// existing one, but raises the confidence of that one. An import from it does the same.
type Affirmer interface{ Affirms() bool }

// A Holder is a format that can tell from the file itself whether it has a lesson. Other
// formats rely on the [Ledger].
type Holder interface {
	Holds(path string, l lessons.Lesson) bool
}

// Recognised is an entry that the corpus already has.
type Recognised struct {
	Lesson lessons.Lesson // as the other store has it
	ID     lessons.ID     // of the lesson in the corpus
	Status lessons.Status // of the lesson in the corpus; "" if it was just imported
}

// WriteOnly is embedded in a format that is only written.
type WriteOnly struct{}

// Detect returns false.
func (WriteOnly) Detect(string) bool { return false }

// Read returns [ErrOneWay].
func (WriteOnly) Read(_ context.Context, path string) (Found, error) {
	return Found{}, fmt.Errorf("%s %w: it is only written", path, ErrOneWay)
}

// ReadOnly is embedded in a format that is only read.
type ReadOnly struct{}

// Lacks returns nothing, because nothing is written.
func (ReadOnly) Lacks(lessons.Lesson) []string { return nil }

// Plan returns [ErrOneWay].
func (ReadOnly) Plan(_ context.Context, to Target, _ []lessons.Lesson) (*Plan, error) {
	return nil, fmt.Errorf("%s %w: it is only read", to.Path, ErrOneWay)
}

// Digest returns a hash of texts in 16 hexadecimal digits.
func Digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Units returns the length of a text in UTF-16 units, as in JavaScript.
func Units(s string) (n int) {
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// Moment parses a time in one of the forms that other programs write, in UTC; zero if it
// cannot.
func Moment(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05.999999999", time.DateOnly,
	} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return t.UTC()
		}
	}
	return time.Time{}
}

// Folder returns a program's folder: the value of its variable, which may begin with ~/, or
// else a name below the home; "" for none.
func Folder(home, value, name string) string {
	value = strings.TrimSpace(value)
	if rest, ok := strings.CutPrefix(value, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	if value != "" || home == "" {
		return value
	}
	return filepath.Join(home, filepath.FromSlash(name))
}

// maxSlug is the most bytes of a slug.
const maxSlug = 40

var notInSlugs = lessons.LazyRegexp(`[^a-z0-9]+`)

// Slug makes a part of a file name of a text: never empty, of a-z, 0-9 and dashes.
func Slug(s string) string {
	out := strings.TrimLeft(notInSlugs().ReplaceAllString(strings.ToLower(s), "-"), "-")
	return cmp.Or(strings.TrimRight(out[:min(len(out), maxSlug)], "-"), "files")
}

// Names within a copy of a corpus: the folder of lessons, and the journal of all changes to
// them.
const (
	CopyLessons = "lessons"
	CopyHistory = "journal.jsonl"
)

// A LessonFile is a lesson's file: a slash-separated path within the corpus, and its text.
type LessonFile struct {
	Path string
	Text []byte
}

// IsCopy reports whether a folder is a copy of a corpus with its history.
func IsCopy(path string) bool {
	line, _, _ := strings.Cut(string(Head(filepath.Join(path, CopyHistory))), "\n")
	var title struct {
		Journal string `json:"journal"`
	}
	info, err := os.Stat(filepath.Join(path, CopyLessons))
	return json.Unmarshal([]byte(line), &title) == nil && title.Journal != "" && err == nil && info.IsDir()
}

// LessonFiles yields the files of a copy, or of a folder of lessons. An error about one
// file is a [file.Error]; the others follow.
func LessonFiles(path string) iter.Seq2[LessonFile, error] {
	if IsCopy(path) {
		path = filepath.Join(path, CopyLessons)
	}
	return func(yield func(LessonFile, error) bool) {
		root, err := os.OpenRoot(path)
		if err != nil {
			yield(LessonFile{}, err)
			return
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !file.Is(name) {
				return err
			}
			f := LessonFile{Path: name}
			if f.Text, err = ReadIn(root, name, file.MaxSize); err != nil {
				err = &file.Error{Path: name, Err: err}
			}
			if !yield(f, err) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(LessonFile{}, err)
		}
	}
}

// ReadIn reads a regular file of limited size below a root, by its slash-separated path. It
// opens nothing else: opening a pipe would block.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	name = filepath.FromSlash(name)
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no plain file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("it is larger than %d KB", most>>10)
	}
	return text, err
}
