package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons/gitsync"
	"learnings/lessons/store"
)

// A Corpus holds the inputs of the checks of a corpus.
type Corpus struct {
	Dir, State, Index string
	By                string                   // what chose it, as settings.Places has it
	Git               string                   // the program; "" if it is missing
	Env               []string                 // for git
	Deep              bool                     // read every file, and the whole journal
	TrustEdits        bool                     // sessions get what other programs write
	Short             func(path string) string // formats a path for people
}

// Questions returns the checks of the corpus.
func (c Corpus) Questions() []Question {
	return []Question{
		{Group: "Corpus", Name: "folders", Ask: c.folders},
		{Group: "Corpus", Name: "lessons", Ask: c.lessons},
		{Group: "Corpus", Name: "sync", Ask: c.sync},
	}
}

// mostBad is how many broken files are named.
const mostBad = 5

// lessons checks the files, the journal and the index. This is one question because the
// index is compared with the files.
func (c Corpus) lessons(ctx context.Context) []Check {
	h, err := store.Examine(c.Dir, store.Options{State: c.State}, c.Deep)
	if err != nil {
		return []Check{Bad("files", "mount or make the folder, or choose another with --dir or LEARNINGS_DIR", "%v", err)}
	}
	out := []Check{c.index(ctx, h)}
	if h.State != nil {
		return append(out, Bad("state", "the next command moves it aside and begins a new one: the lessons stay, their history goes", "%v", h.State))
	}
	if !h.Known && !c.Deep {
		text := "none yet"
		if any, err := os.ReadDir(c.Dir); err == nil && len(any) > 0 {
			text = "nobody has looked at them on this machine"
		}
		return append(out, Check{Name: "files", State: OK, Text: text})
	}
	if h.Outside > 0 && !c.TrustEdits {
		out = append(out, Notable("outside", "read them with `learnings search outside:yes`, then `learnings approve --outside`",
			"%s another program wrote: no session is given any before you confirm them", term.Plural(h.Outside, "active lesson")))
	}
	if !h.Foreign.IsZero() {
		out = append(out, Notable("forged", "`learnings history` has what was decided; look which program writes into the state folder",
			"%s a decision was in the journal that this program did not make: it was not carried out", h.Foreign.Format(time.DateTime)))
	}
	return append(append(out, c.files(h)...), c.journal(h)...)
}

func (c Corpus) files(h store.Health) (out []Check) {
	if len(h.Bad) == 0 {
		text := "none is broken"
		if c.Deep {
			text = "every one was read, none is broken"
		}
		if h.News > 0 {
			text += fmt.Sprintf("; %s of others that the next command takes in", term.Plural(h.News, "change"))
		}
		return append(out, Fine("files", "%s", text))
	}
	hint := "put it right with an editor, or remove it: the files lie in " + c.Short(c.Dir)
	for i, err := range h.Bad {
		if i == mostBad {
			out = append(out, Bad("files", "put right those above, and ask again", "%d more are no lessons", len(h.Bad)-i))
			break
		}
		out = append(out, Bad("files", hint, "%v", err))
	}
	return out
}

func (c Corpus) journal(h store.Health) (out []Check) {
	if len(h.Aside) > 0 {
		out = append(out, Notable("journal", "what it held cannot be undone; remove the file when you do not need it",
			"one was damaged and put aside: %s", c.Short(h.Aside[0])))
	}
	if len(h.Left) > 0 {
		out = append(out, Bad("forgotten", "`learnings forget "+string(h.Left[0])+"` finishes it, as does the next write",
			"forgetting was cut short, and words of %s are still here", term.Plural(len(h.Left), "lesson")))
	}
	switch {
	case h.Busy && h.Cut:
		out = append(out, Fine("journal", "a write is under way"))
	case h.Cut:
		out = append(out, Notable("journal", "`learnings index` finishes it, as the next write does", "a write was cut short"))
	case h.Busy:
		out = append(out, Notable("journal", "if it stays so, see which program uses "+c.Short(c.State), "another process has the corpus locked"))
	case len(out) == 0:
		out = append(out, Fine("journal", "%s, no write is cut short", term.Size(h.Size)))
	}
	return out
}

func (c Corpus) index(ctx context.Context, h store.Health) Check {
	const name = "index"
	ix, err := index.At(c.Index).Examine(ctx)
	switch {
	case errors.Is(err, index.ErrNoIndex) && !h.Known:
		return Fine(name, "none, and nothing to search in yet")
	case errors.Is(err, index.ErrNoIndex):
		return Notable(name, "`learnings index` makes it; until then hooks read the files of their project", "there is none of this version")
	case errors.Is(err, index.ErrBusy):
		return Notable(name, "ask again in a while", "another process is writing it")
	case err != nil:
		return Bad(name, "`learnings index --rebuild`", "%v", err)
	}
	text := term.Size(ix.Size)
	lag, known := h.Lag(ix.Cursor)
	switch {
	case !known && h.Known:
		return Notable(name, "`learnings index`", "%s; it follows a journal that is no more, and the next search rebuilds it", text)
	case lag > 0:
		text += fmt.Sprintf("; the next search takes in %s", term.Plural(lag, "write"))
	}
	if ix.Spare > 0 {
		text += fmt.Sprintf("; a crash has left %s beside it, which the next rebuild removes", term.Plural(ix.Spare, "old index"))
	}
	return Fine(name, "%s", text)
}

// sync compares the copy with its remote, as of the last fetch.
func (c Corpus) sync(ctx context.Context) []Check {
	const name = "sync"
	s, err := gitsync.At(gitsync.Options{Dir: c.Dir, State: c.State, Git: c.Git, Env: c.Env}).Standing(ctx)
	if err != nil {
		return []Check{Bad(name, "see what `git -C "+c.Dir+" status` says", "%v", err)}
	}
	if s == nil {
		return []Check{Fine(name, "not set up: the lessons are on this machine alone")}
	}
	var out []Check
	switch {
	case s.Problem != "":
		out = append(out, Bad(name, s.Hint, "%s", s.Problem))
	case s.Behind > 0:
		out = append(out, Notable(name, "`learnings sync`", "%s of %s not taken in%s", term.Plural(s.Behind, "commit"), s.Remote, ahead(s.Ahead)))
	default:
		out = append(out, Fine(name, "branch %s of %s%s", s.Branch, s.Remote, ahead(s.Ahead)))
	}
	return out
}

func ahead(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %s to push", term.Plural(n, "commit"))
}
