package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"learnings/lessons"
)

// holding returns the files below a folder that hold a text, or have it in their name.
func holding(t *testing.T, dir, text string) (out []string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if data, _ := os.ReadFile(path); strings.Contains(string(data), text) || strings.Contains(path, text) {
			out = append(out, path)
		}
		return nil
	})
	return out
}

// remember makes a lesson with a word, and the index of it; it returns its id.
func (m machine) remember(word string) string {
	m.t.Helper()
	out := m.must("add", "--json", "The word for builds is "+word)
	m.must("edit", jsonID(out), "--set", "insight=because of "+word)
	m.must("search", word)
	return jsonID(out)
}

func jsonID(line string) string {
	_, rest, _ := strings.Cut(line, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// However much room a full disk has left, what was forgotten is gone once there is more.
func TestForgetOnAFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts some hundred processes")
	}
	t.Parallel()
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=16m"); err != nil {
		t.Skip("mounting a small disk, which takes root: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	m := machine{t, filepath.Join(disk, "home")}
	m.propose(1)
	full, failed, asked := filepath.Join(disk, "full"), 0, 0
	for i, room := range []int64{0, 4, 8, 12, 20, 32, 48, 64, 96, 128, 192, 256} {
		word := fmt.Sprintf("gibbon%dgibbon", i)
		id := m.remember(word)
		fill(t, full)
		if info, err := os.Stat(full); err != nil || os.Truncate(full, info.Size()-room<<10) != nil {
			t.Fatal(err)
		}
		_, errs, code := m.run("", "forget", id, "--yes")
		switch {
		case code != 0 && !strings.Contains(errs, "no space left") && !strings.Contains(errs, "full"):
			t.Errorf("with %d KB: code %d, %s", room, code, errs)
		case code != 0:
			failed++
		}
		if err := os.Remove(full); err != nil {
			t.Fatal(err)
		}
		if out, _, _ := m.run("", "doctor"); strings.Contains(out, "learnings forget "+id) {
			asked++
		}
		if _, errs, again := m.run("", "forget", id, "--yes"); code != 0 && again != 0 {
			t.Errorf("with %d KB: forgetting again ends with %d: %s", room, again, errs)
		}
		m.must("search", "builds")
		if left := holding(t, m.home, word); len(left) > 0 {
			t.Errorf("with %d KB, code %d: it is in %v", room, code, left)
		}
	}
	if failed == 0 || asked == 0 {
		t.Errorf("the disk was full %d times, and doctor asked %d times", failed, asked)
	}
}

// A lesson is forgotten whenever the program dies, by the same command or by any write.
func TestForgetKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: it starts the program some hundred times")
	}
	m := newMachine(t)
	m.propose(1)
	start := time.Now()
	m.must("forget", m.remember("meerkat"), "--yes")
	whole, died := time.Since(start)/3, 0 // three calls
	for i := range 24 {
		word := fmt.Sprintf("gibbon%dgibbon", i)
		id := m.remember(word)
		ctx, cancel := context.WithTimeout(context.Background(), whole*time.Duration(i+1)/20)
		err := m.command(ctx, "forget", id, "--yes").Run()
		cancel()
		if err != nil {
			died++
		}
		if _, errs, code := m.run("", "forget", id, "--yes"); code != 0 && code != 3 { // 3: it was gone
			t.Errorf("forgetting again ends with %d: %s", code, errs)
		}
		if left := holding(t, m.home, word); len(left) > 0 {
			t.Errorf("%d: it is in %v", i, left)
		}
	}
	t.Logf("%d of 24 died", died)

	id := m.remember("wombat")
	if err := m.open().Forget(lessons.ID(id)); err != nil { // and dies before the index has it
		t.Fatal(err)
	}
	if _, errs, code := m.run("", "forget", id, "--yes"); code != 3 {
		t.Errorf("code %d: %s", code, errs)
	}
	if left := holding(t, m.home, "wombat"); len(left) > 0 {
		t.Errorf("it is in %v", left)
	}
}
