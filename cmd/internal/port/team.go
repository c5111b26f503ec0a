package port

import (
	"fmt"
	"os"
	"path/filepath"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

// Team returns the team folder of the current project as the destination of these
// lessons.
func Team(w formats.World, share []lessons.ID, evidence bool) (Destination, error) {
	w.Share, w.Evidence = share, evidence
	return To(formats.Team, "", w)
}

// TeamNews returns the team's lessons in the current project, if their folder has changed
// since the last call of seen. The folder state records that.
func TeamNews(w formats.World, state string) (news []Source, seen func() error) {
	f, err := formats.Find(formats.Team)
	if err != nil || w.Dir == "" {
		return nil, nil
	}
	f = f.For(w)
	dir := f.Places(w)[0]
	if !f.Detect(dir) {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil
	}
	var all []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all = append(all, fmt.Sprintln(e.Name(), info.Size(), info.ModTime().UnixNano()))
		}
	}
	now, mark := exchange.Digest(all...), filepath.Join(state, "team-"+exchange.Digest(dir))
	if was, err := os.ReadFile(mark); err == nil && string(was) == now {
		return nil, nil
	}
	return []Source{{f, dir}}, func() error {
		if err := os.MkdirAll(state, 0o700); err != nil {
			return err
		}
		return os.WriteFile(mark, []byte(now), 0o600)
	}
}
