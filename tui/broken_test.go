package tui

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
)

// These journeys break a corpus on screen by other programs, the disk and the clock. The
// screen stays whole, reports the problem, and recovers when the cause is gone.

// files returns the files of all lessons.
func (p place) files() (all []string) {
	p.t.Helper()
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// fileOf returns the file of the lesson that contains text.
func (p place) fileOf(text string) string {
	p.t.Helper()
	for _, f := range p.files() {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), text) {
			return f
		}
	}
	p.t.Fatalf("no file says %q", text)
	return ""
}

func (p place) index() string { return filepath.Join(filepath.Dir(p.dir), "state", "index") }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheCorpusGoesAndComesBack(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.press("a").see("Review 4", "✓ approved")
	must(t, os.Rename(p.dir, p.dir+".away"))
	p.press("R").see("the folder of the corpus is gone", "esc")
	p.press("a").see("not approved", "Review 4")
	must(t, os.RemoveAll(p.dir)) // what was recreated
	must(t, os.Rename(p.dir+".away", p.dir))
	p.press("esc", "R").see("Review 4", "bleve's bm25", "3 left")
	p.press("a")
	if got := p.wait("Review 3", "✓ approved"); strings.Contains(got, "an error") {
		t.Errorf("what is mended is still said:\n%s", got)
	}
	p.status("p2r7e4fx", lessons.Approved)
	p.status("t8o3l6us", lessons.Approved)
	p.press("u", "u").see("Review 5", "✓ undone")
	p.quit()
}

// What an undo brings back is listed also if the index has it before the answer of the
// undo arrives, because the sync of an earlier undo took it in.
func TestTwoUndosAtOnce(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 120, 30).press("a", "a").wants(t, "approved", "Review 3")
	undone := func() tea.Msg { return doneMsg{msg: p.a.fx.TakeBack()(t.Context())} }
	first, second := undone(), undone()
	p.send(first).send(second).wants(t, "undone", "Review 5", "Prefer table tests", "bleve's bm25")
}

// A file under the cursor that becomes rubbish, half a file, a folder or nothing is
// reported in place of the lesson. The lesson returns with its file.
func TestAFileBreaksOnTheScreen(t *testing.T) {
	for name, spoil := range map[string]func(path string, text []byte) error{
		"half": func(path string, text []byte) error { return os.WriteFile(path, text[:len(text)/3], 0o600) },
		"rubbish": func(path string, text []byte) error {
			return os.WriteFile(path, bytes.Repeat([]byte{0, 0xff, 0x1b, '['}, 999), 0o600)
		},
		"empty": func(path string, text []byte) error { return os.WriteFile(path, nil, 0o600) },
		"a folder": func(path string, text []byte) error {
			must(t, os.Remove(path))
			return os.Mkdir(path, 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := at(t, 120, 30, proposals())
			p.wait("Review 5", "Running make generate now.")
			path := p.fileOf("Prefer table tests")
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, spoil(path, text))
			p.press("a")
			p.wait("Review 4") // nothing was approved
			p.press("R")
			got := p.wait("Review 4", "bleve's bm25")
			if want := map[string]string{"half": "closed", "rubbish": "UTF-8", "empty": "frontmatter"}[name]; want != "" {
				p.press("@")
				got += p.wait("1 file cannot be read", want)
				p.press("esc")
			}
			if strings.Contains(got, "\x1b") || !utf8.ValidString(got) {
				t.Errorf("rubbish is shown:\n%s", got)
			}
			must(t, os.RemoveAll(path))
			must(t, os.WriteFile(path, text, 0o600))
			p.press("esc", "R")
			p.wait("Review 5", "from outside 1") // someone wrote the file
			p.press("h", "h").see("Prefer table tests", "1/1")
			p.press("a").see("Review 4", "✓ approved")
			p.quit()
		})
	}
}

// Another program deletes the current lesson.
func TestAFileGoes(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.wait("Review 5", "Running make generate now.")
	must(t, os.Remove(p.fileOf("Prefer table tests")))
	p.press("a").see("not approved", "Review 4", "bleve's bm25")
	p.press("a").see("✓ approved", "Review 3")
	p.status("t8o3l6us", lessons.Approved)
	p.quit()
}

// inPlace replaces the files of a folder. It keeps mapped files intact, since no program
// writes into files that another reads.
func inPlace(dir string, text []byte) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o600)
	})
}

// The index is derived: the desk recreates a missing or replaced one.
func TestTheIndexBreaksOnTheScreen(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"deleted": os.RemoveAll,
		"a file": func(dir string) error {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			return os.WriteFile(dir, []byte("no index"), 0o600)
		},
		"truncated": func(dir string) error { return inPlace(dir, nil) },
		"rubbish":   func(dir string) error { return inPlace(dir, []byte(`{"version": 9999, "is": "of another time"}`)) },
	} {
		t.Run(name, func(t *testing.T) {
			p := at(t, 120, 30, proposals())
			p.wait("Review 5", "Prefer table tests")
			must(t, spoil(p.index()))
			p.press("a").see("Review 4")
			p.status("p2r7e4fx", lessons.Approved)
			if name == "a file" { // not an index: it stays until its owner removes it
				p.wait("the index could not be brought up to date", "esc")
				must(t, os.Remove(p.index()))
			}
			p.press("esc", "R").see("Review 4", "bleve's bm25")
			p.press("esc", "/")
			p.write("pnpm").see("1/1", "Use pnpm instead of npm")
			p.press("esc", "alt+2").see("Browse 2", "Prefer table tests")
			p.quit()
		})
	}
}

// A decision that cannot be stored leaves the lesson in the queue and reports the reason.
func TestNothingCanBeStored(t *testing.T) {
	p := at(t, 120, 30, proposals())
	must(t, os.Rename(filepath.Join(p.dir, "octofs"), filepath.Join(p.dir, "octofs.away")))
	must(t, os.WriteFile(filepath.Join(p.dir, "octofs"), nil, 0o600)) // no folder can be created there
	p.press("a").see("not approved", "Review 5")
	p.press("esc", "space", "space", "a").see("approve 2 lessons")
	p.press("y").see("not approved", "Review 5")
	p.press("esc")
	must(t, os.Remove(filepath.Join(p.dir, "octofs")))
	must(t, os.Rename(filepath.Join(p.dir, "octofs.away"), filepath.Join(p.dir, "octofs")))
	p.press("esc", "g", "a").see("✓ approved", "Review 4")
	p.status("p2r7e4fx", lessons.Approved)
	p.quit()
}

// A clock that jumps does not make ages negative or reorder undo.
func TestTheClockJumps(t *testing.T) {
	now := make(chan time.Time, 1)
	now <- noon
	clock := func() time.Time { t := <-now; now <- t; return t }
	jump := func(by time.Duration) { <-now; now <- noon.Add(by) }
	p := at(t, 120, 30, proposals(), func(c *desk.Config) { c.Corpus.Now = clock })
	year := 365 * 24 * time.Hour
	p.press("a").see("Review 4", "✓ approved")
	jump(-20 * year)
	p.press("x").see("Review 3", "✗ rejected")
	jump(20 * year)
	p.press("s").see("Review 2", "✓ snoozed until Apr")
	jump(0)
	p.press("a")
	got := p.wait("Review 1", "✓ approved")
	if strings.Contains(got, "-") && strings.Contains(got, "s each") && strings.Contains(got, " -") {
		t.Errorf("time goes backwards:\n%s", got)
	}
	for _, want := range []string{"undone: approved", "undone: snoozed", "undone: rejected", "undone: approved"} {
		p.press("u").see("✓ " + want)
	}
	p.wait("Review 5")
	for _, screen := range []string{"alt+2", "alt+4", "alt+5", "alt+1"} {
		for _, by := range []time.Duration{-20 * year, 20 * year, 0} {
			jump(by)
			p.press(screen, "R")
			got := p.wait()
			for _, wrong := range []string{" -1", " -2", " -7", "-1 d", "-0 "} {
				if strings.Contains(got, wrong) {
					t.Errorf("%s at %v shows %q:\n%s", screen, by, wrong, got)
				}
			}
		}
	}
	p.quit()
}
