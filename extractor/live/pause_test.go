package live

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"learnings/lessons/state"
)

func at(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }

func TestPauses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	load := func() Pauses {
		t.Helper()
		ps, err := LoadPauses(dir)
		must(err)
		return ps
	}
	if ps := load(); len(ps) > 0 {
		t.Errorf("before the first: %v", ps)
	}
	must(BeginPause(dir, noon, at(60)))
	must(BeginPause(dir, at(10), time.Time{})) // changes its mind: until it says
	if p, ok := load().At(at(1000)); !ok || !p.Until.IsZero() || !p.From.Equal(at(10)) {
		t.Errorf("without an end: %+v", p)
	}
	must(EndPause(dir, at(30)))
	must(EndPause(dir, at(35))) // nothing to end
	must(BeginPause(dir, at(40), at(50)))
	ps := load()
	for minute, want := range map[int]bool{-1: false, 0: true, 10: true, 29: true, 30: false, 39: false, 40: true, 49: true, 50: false, 100: false} {
		if ps.Holds(at(minute)) != want {
			t.Errorf("minute %d: %v, of %v", minute, !want, ps)
		}
	}
	for _, damaged := range []string{`"x"`, `{"a":1}`, "[{}]", `[{"until":"2026-11-20T12:00:00Z"}]`, "7"} {
		must(state.At(dir).Put(pausesName, json.RawMessage(damaged)))
		if _, err := LoadPauses(dir); err == nil {
			t.Errorf("%q is read", damaged)
		}
		if err := BeginPause(dir, noon, at(1)); err == nil {
			t.Errorf("%q is written over", damaged)
		}
		must(EndPause(dir, noon))
		if ps := load(); len(ps) > 0 {
			t.Errorf("after the end: %v", ps)
		}
	}
}
