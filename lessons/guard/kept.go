package guard

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

// Kept is what is kept of guards in the state folder of this machine: which ones a person
// has chosen here, and the calls that were stopped. A lesson's file says the same, so
// that a guard is in force only where both agree: one that came with a lesson from
// elsewhere is not, and neither is one that was taken off, or whose lesson has changed.
type Kept struct{ dir string }

// At is what is kept in a folder. It reads and creates nothing.
func At(state string) Kept { return Kept{state} }

const (
	chosenFile = "guards.json"
	stopsFile  = "guards.log"
	maxChosen  = 500
	maxFile    = 512 << 10 // bytes
)

// A Choice is a guard that a person chose on this machine.
type Choice struct {
	ID       lessons.ID    `json:"id"`
	Guard    lessons.Guard `json:"guard"`
	Patterns []Pattern     `json:"patterns"` // those of Guard, read
	At       time.Time     `json:"at"`
}

// Choose keeps that a person chose the guard of a lesson. Earlier choices are kept too,
// some 500, so that an undo brings back the guard that was.
func (k Kept) Choose(l lessons.Lesson, at time.Time) error {
	patterns, err := ParseAll(l.Guard.Patterns)
	if err != nil {
		return fmt.Errorf("%w: the guard of %s: %v", lessons.ErrInvalid, l.ID, err)
	}
	all, err := k.Chosen()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(c Choice) bool { return c.ID == l.ID && c.Guard.Equal(l.Guard) })
	all = append(all, Choice{ID: l.ID, Guard: l.Guard, Patterns: patterns, At: at.UTC()})
	all = all[max(len(all)-maxChosen, 0):]
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return fmt.Errorf("keeping the guard of %s: %v", l.ID, err)
	}
	name := k.File()
	if err := atomicfile.Write(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(all) }); err != nil {
		return fmt.Errorf("keeping the guard of %s in %s: %v", l.ID, name, err)
	}
	return nil
}

// Chosen are the guards that were chosen here, the newest last: few, and quickly read.
func (k Kept) Chosen() ([]Choice, error) {
	text, err := readFile(k.File())
	if err != nil || len(text) == 0 {
		return nil, err
	}
	var all []Choice
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("reading %s: %v", k.File(), err)
	}
	return all, nil
}

// Last gives the patterns that a person chose last for a lesson on this machine, and
// whether they did so for the sentence that it has now. A guard that was taken off since
// had them too.
func (k Kept) Last(l lessons.Lesson) (patterns []Pattern, same bool) {
	all, _ := k.Chosen() // what cannot be read has none
	for _, c := range slices.Backward(all) {
		if c.ID == l.ID && len(c.Patterns) > 0 {
			l.Guard = c.Guard
			return c.Patterns, l.Unguarded() == ""
		}
	}
	return nil, false
}

// Of gives the lessons that have had a guard here, each once: those that are in the file
// of what was chosen, or, when that is lost, those whose guard has stopped a call.
func (k Kept) Of() (ids []lessons.ID) {
	all, _ := k.Chosen()
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	if len(all) == 0 {
		ids = slices.Collect(maps.Keys(k.Counts()))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// File is where it is kept which guards were chosen.
func (k Kept) File() string { return filepath.Join(k.dir, chosenFile) }

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// Off says why the guard of a lesson, as it is now, is not in force on this machine: "" for
// one that is. It completes "the guard is off: …".
func Off(l lessons.Lesson, chosen []Choice) string {
	if why := l.Unguarded(); why != "" {
		return why
	}
	if !slices.ContainsFunc(chosen, func(c Choice) bool { return c.ID == l.ID && c.Guard.Equal(l.Guard) }) {
		return "this machine does not know that it was chosen here"
	}
	return ""
}

// A Stop is a call that a guard stops.
type Stop struct {
	Lesson  lessons.Lesson
	Pattern Pattern // that matched
	Deny    bool    // or else a person is asked
}

// Decide looks whether a call is to be stopped. Of a guard that matches, the lesson is
// read and must still have it; holds says whether the lesson is for this session. A guard
// that denies comes before those that ask. What cannot be read stops nothing.
func (k Kept) Decide(c *Call, get func(lessons.ID) (lessons.Lesson, error), holds func(lessons.Lesson) bool) (stop Stop, found bool, err error) {
	chosen, err := k.Chosen()
	for i := range chosen {
		// The newest first: it is the one that the person remembers.
		g := chosen[len(chosen)-1-i]
		if found && !g.Guard.Deny {
			continue
		}
		at := slices.IndexFunc(g.Patterns, func(p Pattern) bool { return p.Matches(c) })
		if at < 0 {
			continue
		}
		l, bad := get(g.ID)
		if bad != nil {
			if !errors.Is(bad, lessons.ErrNotFound) {
				err = errors.Join(err, bad)
			}
			continue
		}
		if l.Unguarded() == "" && l.Guard.Equal(g.Guard) && holds(l) {
			stop, found = Stop{l, g.Patterns[at], g.Guard.Deny}, true
		}
		if found && stop.Deny {
			break
		}
	}
	return stop, found, err
}

// Note counts a call that was stopped. Hooks run at the same time, so it is one write of
// less than a block; a file that has grown large becomes the old one.
func (k Kept) Note(s Stop, session string, at time.Time) error {
	name := filepath.Join(k.dir, stopsFile)
	if info, err := os.Stat(name); err == nil && info.Size() > maxFile {
		_ = os.Rename(name, name+".old")
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("counting a call that was stopped: %v", err)
	}
	defer f.Close()
	did := "ask"
	if s.Deny {
		did = "deny"
	}
	session = strings.Join(strings.Fields(lessons.Line(session)), "_")
	_, err = fmt.Fprintf(f, "%s %s %s %s\n", at.UTC().Format(time.RFC3339), s.Lesson.ID, did, session[:min(len(session), 80)])
	return err
}

// A Count is how often the guard of a lesson stopped calls.
type Count struct {
	Asked  int       `json:"asked"`
	Denied int       `json:"denied"`
	Last   time.Time `json:"last,omitzero"`
}

// Calls is how many it stopped.
func (c Count) Calls() int { return c.Asked + c.Denied }

// Counts are the calls that were stopped, as far as they are kept: some ten thousand.
func (k Kept) Counts() map[lessons.ID]Count {
	all := map[lessons.ID]Count{}
	for _, end := range []string{".old", ""} {
		f, err := os.Open(filepath.Join(k.dir, stopsFile+end))
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			w := strings.Fields(lines.Text())
			if len(w) < 3 {
				continue
			}
			c := all[lessons.ID(w[1])]
			if w[2] == "deny" {
				c.Denied++
			} else {
				c.Asked++
			}
			if at, err := time.Parse(time.RFC3339, w[0]); err == nil {
				c.Last = at
			}
			all[lessons.ID(w[1])] = c
		}
		f.Close()
	}
	return all
}
