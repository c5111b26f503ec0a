package port

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"learnings/lessons"
	"learnings/lessons/exchange/formats"
)

// Team is where the team of the project at hand keeps its lessons, for a lesson that is
// to be shared there.
func Team(w formats.World, share []lessons.ID, evidence bool) (Destination, error) {
	w.Share, w.Evidence = share, evidence
	return To(formats.Team, "", w)
}

// TeamNews gives the lessons of the team of the project at hand, when its folder is there
// and has changed since seen was called last; state is where that is remembered.
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
	h := sha256.New()
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			fmt.Fprintln(h, e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	now := hex.EncodeToString(h.Sum(nil))
	name := sha256.Sum256([]byte(dir))
	mark := filepath.Join(state, "team-"+hex.EncodeToString(name[:8]))
	if was, err := os.Open(mark); err == nil {
		text, _ := io.ReadAll(io.LimitReader(was, 1<<10))
		was.Close()
		if string(text) == now {
			return nil, nil
		}
	}
	return []Source{{f, dir}}, func() error {
		if err := os.MkdirAll(state, 0o700); err != nil {
			return err
		}
		return os.WriteFile(mark, []byte(now), 0o600)
	}
}
