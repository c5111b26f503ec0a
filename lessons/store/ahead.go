package store

import (
	"os"
	"sync"

	"learnings/lessons"
)

// An ahead writes new texts to files, as a staging does, while its writer still waits for
// the lock: the disk takes longer than all that needs the lock. It is for speed only: what
// it has not, because there is no corpus yet or anything fails, is written later.
//
// Until they are taken the files are open and locked, by which others tell them from what
// a crash has left.
type ahead struct {
	root  *os.Root
	texts map[lessons.ID]*aheadText
}

type aheadText struct {
	rev  lessons.Rev
	temp string
	file *os.File // nil where it failed
	done sync.WaitGroup
}

// mostAhead is of how many lessons files are held open.
const mostAhead = 16

// ahead begins with the texts of lessons.
func (d tree) ahead(ls []lessons.Lesson, texts [][]byte) *ahead {
	if len(ls) > mostAhead {
		return nil
	}
	root, err := os.OpenRoot(d.dir)
	if err != nil {
		return nil // there is no corpus yet
	}
	a := &ahead{root: root, texts: map[lessons.ID]*aheadText{}}
	for i, l := range ls {
		t := &aheadText{rev: revOf(texts[i]), temp: tempIn(".")}
		a.texts[l.ID] = t
		t.done.Go(func() { t.file = a.write(t.temp, texts[i]) })
	}
	return a
}

// write gives a file that has a text, on disk, and is locked; nil when anything fails.
func (a *ahead) write(name string, text []byte) *os.File {
	f, err := a.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, newMode)
	if err != nil {
		return nil
	}
	if err = claim(f); err == nil {
		if _, err = f.Write(text); err == nil {
			err = f.Sync()
		}
	}
	if err != nil {
		_ = f.Close()
		_ = a.root.Remove(name)
		return nil
	}
	return f
}

// take gives the name of a file that has the new text of a step, which is the caller's
// from then on, or "". It needs the lock of the corpus.
func (a *ahead) take(f fileStep) string {
	if a == nil {
		return ""
	}
	t := a.texts[f.ID]
	if t == nil || t.rev != f.After.Rev || modeOf(a.root, f.Before) != newMode {
		return ""
	}
	t.done.Wait()
	if t.file == nil {
		return ""
	}
	_ = t.file.Close()
	delete(a.texts, f.ID)
	return t.temp
}

// discard removes what was not taken.
func (a *ahead) discard() {
	if a == nil {
		return
	}
	for _, t := range a.texts {
		if t.done.Wait(); t.file != nil {
			_ = t.file.Close()
			_ = a.root.Remove(t.temp)
		}
	}
	_ = a.root.Close()
}
