package given

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"

	"learnings/lessons"
)

const (
	latestBytes = 64 << 10 // of the gathered record that are looked at
	latestFiles = 20       // sessions that were not gathered yet
)

// Latest gives the lessons that the last other session of a project was told for what
// was said or done in it. It looks at the end of the record only.
func Latest(state, project, session string) []lessons.ID {
	var all []Record
	take := func(data []byte) {
		for line := range bytes.Lines(data) {
			if r, ok := parse(line); ok && r.Project == project && r.Session != session && r.Event != "session-start" && r.Event != "subagent-start" {
				all = append(all, r)
			}
		}
	}
	take(tail(filepath.Join(state, logName)))
	files, _ := filepath.Glob(filepath.Join(state, folder, "*"+recordSuffix))
	for _, f := range files[max(0, len(files)-latestFiles):] {
		take(tail(f))
	}
	if len(all) == 0 {
		return nil
	}
	last := slices.MaxFunc(all, func(a, b Record) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session)) })
	var ids []lessons.ID
	for _, r := range all {
		for _, id := range r.Lessons {
			if r.Session == last.Session && !slices.Contains(ids, id) && len(ids) < maxHere {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// tail is the end of a file.
func tail(name string) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > latestBytes {
		if _, err := f.Seek(-latestBytes, io.SeekEnd); err != nil {
			return nil
		}
	}
	data, _ := io.ReadAll(io.LimitReader(f, latestBytes))
	return data
}
