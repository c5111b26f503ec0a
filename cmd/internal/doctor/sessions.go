package doctor

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
)

// A found is what was found of an agent's sessions.
type found struct {
	files   int
	newest  transcript.File
	errs    []error             // of unreadable places, files and sessions
	strange []transcript.Unread // what of the places is no recognisable session
	read    []transcript.Info
	late    bool
	unknown bool // no place of its sessions is known
}

// find looks for an agent's sessions and reads the newest, or all. On a timeout it
// returns what it has found.
func (p patient) find(ctx context.Context) (f found) {
	format := transcript.Format(cmp.Or(hook.TranscriptsOf(p.agent.Name), p.agent.Name))
	var places transcript.Places
	for _, place := range transcript.DefaultPlaces(p.World.Home, p.World.Getenv) {
		if ofAgent(place.Format, format) {
			places = append(places, place)
		}
	}
	f.unknown = len(places) == 0
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	var all []transcript.File
	for file, err := range transcript.FindKnown(places, nil) {
		if ctx.Err() != nil {
			f.late = true
			break
		}
		if err != nil {
			f.errs = append(f.errs, err)
			continue
		}
		if f.files++; file.ModTime.After(f.newest.ModTime) {
			f.newest = file
		}
		all = append(all, file)
	}
	if !f.late {
		seen := map[string]transcript.File{}
		for _, file := range all {
			seen[file.Path] = file
		}
		f.strange = transcript.NotRead(places, func(file transcript.File) (transcript.File, bool) { file, ok := seen[file.Path]; return file, ok })
	}
	if f.files == 0 {
		return f
	}
	if !p.Deep {
		all = []transcript.File{f.newest}
	}
	for _, file := range all {
		info, err := transcript.Scan(ctx, file)
		if ctx.Err() != nil {
			f.late = true
			break
		}
		if err != nil {
			f.errs = append(f.errs, err)
			continue
		}
		f.read = append(f.read, info)
	}
	return f
}

// ofAgent reports whether sessions of a format are those of an agent, which may go by a
// shorter name, such as gemini for gemini-cli.
func ofAgent(format, agent transcript.Format) bool {
	return format == agent || format == agent+"-cli" || format == agent+"-code"
}

// seen lists the agents whose sessions are there and of a form that is not known.
func (c Agents) seen(context.Context) (out []Check) {
	for _, u := range transcript.Elsewhere(c.World.Home, c.World.Getenv) {
		out = append(out, Notable("sessions", "a newer learnings may read them", "seen, not readable yet: %s in %s", u.Agent, c.Short(u.Path)))
	}
	return out
}

// readTime is the time limit for finding and reading sessions.
const readTime = 6 * time.Second

// checks reports what was found.
func (f found) checks(p patient) (out []Check) {
	const name = "sessions"
	if n := len(f.errs); n > 0 {
		out = append(out, Bad(name, "see that you may read it", "%s cannot be read; the first: %v", term.Plural(n, "file"), f.errs[0]))
	}
	for _, u := range f.strange {
		out = append(out, Notable(name, "a newer learnings may know it", "%s: %s", p.Short(u.Path), u.Why))
	}
	if f.files == 0 {
		if len(out) == 0 && !f.unknown {
			out = append(out, Fine(name, "none yet"))
		}
		return out
	}
	text := fmt.Sprintf("%d, the newest of %s", f.files, term.Moment(f.newest.ModTime))
	bad, lines := 0, 0
	var first error
	for _, info := range f.read {
		if bad += info.BadLines; info.FirstBad != nil && first == nil {
			first = fmt.Errorf("%s:%d: %w", p.Short(info.Path), info.FirstBad.Line, info.FirstBad.Err)
		}
		lines += info.Lines
	}
	switch {
	case f.late:
		return append(out, Notable(name, "", "%s; not all were looked at in %v", text, readTime))
	case bad > 0:
		return append(out, Notable(name, "the rest of them is read all the same", "%s; %s cannot be read, the first: %v", text, term.Plural(bad, "line"), first))
	case len(out) > 0:
		return out
	case p.Deep:
		return append(out, Fine(name, "%s; all read through, %s", text, term.Plural(lines, "line")))
	}
	return append(out, Fine(name, "%s, read through", text))
}
