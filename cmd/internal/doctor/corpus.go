package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
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
		{Group: "Corpus", Name: "files", Ask: c.lessons},
		{Group: "Corpus", Name: "sync", Ask: c.sync},
	}
}

// mostBad is how many broken files are named.
const mostBad = 5

// lessons checks the files, the journal and the index. This is one question because the
// index is compared with the files.
func (c Corpus) lessons(ctx context.Context, r *Reply) {
	h, err := store.Examine(c.Dir, store.Options{State: c.State}, c.Deep)
	if err != nil {
		r.Bad("mount or make the folder, or choose another with --dir or LEARNINGS_DIR", "%v", err)
		return
	}
	c.index(ctx, h, r)
	if h.State != nil {
		r.Also("state", Wrong, "the next command moves it aside and begins a new one: the lessons stay, their history goes", "%v", h.State)
		return
	}
	if !h.Known && !c.Deep {
		text := "none yet"
		if any, err := os.ReadDir(c.Dir); err == nil && len(any) > 0 {
			text = "nobody has looked at them on this machine"
		}
		r.Fine("%s", text)
		return
	}
	if h.Outside > 0 && !c.TrustEdits {
		r.Also("outside", Note, "read them with `learnings search outside:yes`, then `learnings approve --outside`",
			"%s another program wrote: no session is given any before you confirm them", term.Plural(h.Outside, "active lesson"))
	}
	if !h.Foreign.IsZero() {
		r.Also("forged", Note, "`learnings history` has what was decided; look which program writes into the state folder",
			"%s a decision was in the journal that this program did not make: it was not carried out", h.Foreign.Format(time.DateTime))
	}
	c.files(h, r)
	c.journal(h, r)
}

func (c Corpus) files(h store.Health, r *Reply) {
	if len(h.Bad) == 0 {
		text := "none is broken"
		if c.Deep {
			text = "every one was read, none is broken"
		}
		if h.News > 0 {
			text += fmt.Sprintf("; %s of others that the next command takes in", term.Plural(h.News, "change"))
		}
		r.Fine("%s", text)
	}
	for i, err := range h.Bad {
		if i == mostBad {
			r.Bad("put right those above, and ask again", "%d more are no lessons", len(h.Bad)-i)
			break
		}
		r.Bad("put it right with an editor, or remove it: the files lie in "+c.Short(c.Dir), "%v", err)
	}
}

func (c Corpus) journal(h store.Health, r *Reply) {
	const name = "journal"
	if len(h.Aside) > 0 {
		r.Also(name, Note, "what it held cannot be undone; remove the file when you do not need it", "one was damaged and put aside: %s", c.Short(h.Aside[0]))
	}
	if len(h.Left) > 0 {
		r.Also("forgotten", Wrong, "`learnings forget "+string(h.Left[0])+"` finishes it, as does the next write",
			"forgetting was cut short, and words of %s are still here", term.Plural(len(h.Left), "lesson"))
	}
	switch {
	case h.Busy && h.Cut:
		r.Also(name, OK, "", "a write is under way")
	case h.Cut:
		r.Also(name, Note, "`learnings index` finishes it, as the next write does", "a write was cut short")
	case h.Busy:
		r.Also(name, Note, "if it stays so, see which program uses "+c.Short(c.State), "another process has the corpus locked")
	case len(h.Aside)+len(h.Left) == 0:
		r.Also(name, OK, "", "%s, no write is cut short", term.Size(h.Size))
	}
}

func (c Corpus) index(ctx context.Context, h store.Health, r *Reply) {
	say := func(s State, hint, format string, args ...any) { r.Also("index", s, hint, format, args...) }
	ix, err := index.At(c.Index).Examine(ctx)
	lag, known := h.Lag(ix.Cursor)
	switch size := term.Size(ix.Size); {
	case errors.Is(err, index.ErrNoIndex) && !h.Known:
		say(OK, "", "none, and nothing to search in yet")
	case errors.Is(err, index.ErrNoIndex):
		say(Note, "`learnings index` makes it; until then hooks read the files of their project", "there is none of this version")
	case errors.Is(err, index.ErrBusy):
		say(Note, "ask again in a while", "another process is writing it")
	case err != nil:
		say(Wrong, "`learnings index --rebuild`", "%v", err)
	case !known && h.Known:
		say(Note, "`learnings index`", "%s; it follows a journal that is no more, and the next search rebuilds it", size)
	default:
		if lag > 0 {
			size += fmt.Sprintf("; the next search takes in %s", term.Plural(lag, "write"))
		}
		if ix.Spare > 0 {
			size += fmt.Sprintf("; a crash has left %s beside it, which the next rebuild removes", term.Plural(ix.Spare, "old index"))
		}
		say(OK, "", "%s", size)
	}
}

// sync compares the copy with its remote, as of the last fetch.
func (c Corpus) sync(ctx context.Context, r *Reply) {
	s, err := gitsync.At(gitsync.Options{Dir: c.Dir, State: c.State, Git: c.Git, Env: c.Env}).Standing(ctx)
	if err != nil {
		r.Bad("see what `git -C "+c.Dir+" status` says", "%v", err)
		return
	}
	if s == nil {
		r.Fine("not set up: the lessons are on this machine alone")
		return
	}
	ahead := ""
	if s.Ahead > 0 {
		ahead = fmt.Sprintf(", %s to push", term.Plural(s.Ahead, "commit"))
	}
	switch {
	case s.Problem != "":
		r.Bad(s.Hint, "%s", s.Problem)
	case s.Behind > 0:
		r.Note("`learnings sync`", "%s of %s not taken in%s", term.Plural(s.Behind, "commit"), s.Remote, ahead)
	default:
		r.Fine("branch %s of %s%s", s.Branch, s.Remote, ahead)
	}
}

// folders checks the permissions of the corpus and the state folder. Either may be
// missing until the first write.
func (c Corpus) folders(_ context.Context, r *Reply) {
	by := ""
	if c.By != "default" {
		by = " (" + c.By + ")"
	}
	c.folder("folder", c.Dir, by, r)
	c.folder("state", c.State, "", r)
	if c.By == "--dir" {
		r.Also("folder", Note, "for agents to use it, set LEARNINGS_DIR where they are started", "hooks that agents start know nothing of --dir")
	}
}

func (c Corpus) folder(name, dir, by string, r *Reply) {
	say := func(s State, hint, format string, args ...any) { r.Also(name, s, hint, format+by, args...) }
	const other = "choose another with --dir, LEARNINGS_DIR or XDG_STATE_HOME"
	at, err := nearest(dir)
	where := c.Short(dir)
	if err != nil {
		say(Wrong, other, "%s cannot be used: %v", where, err)
		return
	}
	switch info, err := os.Stat(at); {
	case err != nil || !info.IsDir():
		say(Wrong, "put a folder in its place, or "+other, "%s is not a folder", c.Short(at))
	case !writable(at):
		say(Wrong, "chmod u+rwx "+term.ShellQuote(at), "%s cannot be written", c.Short(at))
	case at != dir:
		say(OK, "", "%s, made when something is written", where)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o055 != 0:
		say(Note, "chmod -R go-rwx "+term.ShellQuote(dir), "other users of this machine may read %s", where)
	default:
		say(OK, "", "%s", where)
	}
}

// nearest returns the path itself or its nearest existing parent.
func nearest(path string) (string, error) {
	for {
		_, err := os.Lstat(path)
		up := filepath.Dir(path)
		if !errors.Is(err, fs.ErrNotExist) || up == path {
			return path, err
		}
		path = up
	}
}

// readTime is the time limit for finding and reading sessions.
const readTime = 6 * time.Second

// seen lists the agents whose sessions are there and of a form that is not known.
func (c Agents) seen(_ context.Context, r *Reply) {
	for _, u := range transcript.Elsewhere(c.World.Home, c.World.Getenv) {
		r.Note("a newer learnings may read them", "seen, not readable yet: %s in %s", u.Agent, c.Short(u.Path))
	}
}

// sessions checks that the agent's transcripts can be read, the newest or all, and that
// its hooks were called.
func (p patient) sessions(ctx context.Context, r *Reply) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	places := p.places()
	files, newest, errs := map[string]transcript.File{}, transcript.File{}, []error(nil)
	for file, err := range transcript.FindKnown(places, nil) {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if files[file.Path] = file; file.ModTime.After(newest.ModTime) {
			newest = file
		}
	}
	var strange []transcript.Unread
	if ctx.Err() == nil {
		strange = transcript.NotRead(places, func(f transcript.File) (transcript.File, bool) { f, ok := files[f.Path]; return f, ok })
	}
	read := slices.Sorted(maps.Keys(files))
	if !p.Deep {
		read = slices.DeleteFunc(read, func(path string) bool { return path != newest.Path })
	}
	lines, bad, first := 0, 0, error(nil)
	for _, path := range read {
		info, err := transcript.Scan(ctx, files[path])
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if bad += info.BadLines; info.FirstBad != nil && first == nil {
			first = fmt.Errorf("%s:%d: %w", p.Short(path), info.FirstBad.Line, info.FirstBad.Err)
		}
		lines += info.Lines
	}
	if n := len(errs); n > 0 {
		r.Bad("see that you may read it", "%s cannot be read; the first: %v", term.Plural(n, "file"), errs[0])
	}
	for _, u := range strange {
		r.Note("a newer learnings may know it", "%s: %s", p.Short(u.Path), u.Why)
	}
	switch text := fmt.Sprintf("%d, the newest of %s", len(files), term.Moment(newest.ModTime)); {
	case len(files) > 0 && ctx.Err() != nil:
		r.Note("", "%s; not all were looked at in %v", text, readTime)
	case bad > 0:
		r.Note("the rest of them is read all the same", "%s; %s cannot be read, the first: %v", text, term.Plural(bad, "line"), first)
	case len(r.checks) > 0 || len(places) == 0:
	case len(files) == 0:
		r.Fine("none yet")
	case p.Deep:
		r.Fine("%s; all read through, %s", text, term.Plural(lines, "line"))
	default:
		r.Fine("%s, read through", text)
	}
	p.called(newest.ModTime, r)
}

// places returns where the agent keeps its sessions. Their format may have a longer name
// than the agent, such as gemini-cli.
func (p patient) places() transcript.Places {
	agent := transcript.Format(cmp.Or(hook.TranscriptsOf(p.agent.Name), p.agent.Name))
	return slices.DeleteFunc(transcript.DefaultPlaces(p.World.Home, p.World.Getenv), func(at transcript.Place) bool {
		return at.Format != agent && at.Format != agent+"-cli" && at.Format != agent+"-code"
	})
}

// unheard is how much newer than the last hook call the latest session may be. A session
// from before the wiring may go on for long.
const unheard = 24 * time.Hour

// called reports when a hook was last called.
func (p patient) called(newest time.Time, r *Reply) {
	if !slices.ContainsFunc(p.agent.Calls(), func(c setup.Call) bool { return c.Exact || slices.Contains(c.Line(), "--for") }) {
		return // the log does not say which agent called
	}
	var last hook.Entry
	for e, err := range hook.Entries(p.Log) {
		if err == nil && !e.Probe && e.Agent == p.agent.Name && e.At.After(last.At) {
			last = e
		}
	}
	text := fmt.Sprintf("last %s (%s)", term.Moment(last.At), last.Event)
	switch {
	case last.At.IsZero():
		r.Also("called", OK, "", "not yet, as far as the log goes back")
	case newest.Sub(last.At) > unheard:
		r.Also("called", Note, "start a session, and ask again", "%s, but there is a session of %s", text, term.Moment(newest))
	default:
		r.Also("called", OK, "", "%s", text)
	}
}
