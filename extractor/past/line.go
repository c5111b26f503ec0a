package past

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// format writes a record as it is kept.
func format(r *Record) (string, error) {
	kept := *r
	s := &kept.Session
	kept.FirstBad, s.Branch, s.Version, s.Model = nil, "", "", ""
	line, err := json.Marshal(kept)
	return string(line), err
}

// parse reads what is kept of a transcript; false for what is no record.
func parse(path, line string) (r Record, ok bool) {
	if strings.HasPrefix(line, "{") {
		ok = json.Unmarshal([]byte(line), &r) == nil
	} else {
		r, ok = parseEarlier(line)
	}
	r.Path = path
	return r, ok
}

// parseEarlier reads a record of the version before: fields with tabs between them, the
// path first and a dot last.
func parseEarlier(line string) (r Record, ok bool) {
	f := strings.Split(line, "\t")
	if len(f) != 28 || f[27] != "." {
		return r, false
	}
	bad := false
	number := func(s string, base int) int64 {
		n, err := strconv.ParseInt(s, base, 64)
		bad = bad || err != nil || n < 0
		return n
	}
	at := func(s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		return time.Unix(number(s, 36), 0).UTC()
	}
	s := &r.Session
	r.Size, r.ModTime = number(f[1], 10), time.Unix(0, number(f[2], 36)).UTC()
	r.Format, r.Agent, s.Agent = transcript.Format(f[3]), f[4], transcript.Format(f[3])
	s.ID, s.Parent, s.Dir, s.Role = f[5], f[6], f[7], f[8]
	s.Start, r.End = at(f[9]), at(f[10])
	s.Scripted, r.Cut = strings.Contains(f[11], "s"), strings.Contains(f[11], "c")
	for i, n := range []*int{&r.Lines, &r.BadLines, &r.Human, &r.Calls, &r.ToolErrors, &r.Refusals, &r.Corrections, &r.Spin, &r.Again, &r.Blind} {
		*n = int(number(f[12+i], 10))
	}
	for i, n := range strings.Split(f[22], ",") {
		if i < len(r.Did) {
			r.Did[i] = int(number(n, 10))
		}
	}
	r.Sequence, r.Stuck, r.Prompt = f[23], f[24], f[25]
	for e := range strings.SplitSeq(f[26], "\x1e") {
		if p := strings.Split(e, "\x1f"); len(p) == 6 && len(r.Errors) < maxErrors {
			r.Errors = append(r.Errors, Error{ID: lessons.ID(p[0]), Count: int(number(p[1], 10)), First: at(p[2]), Last: at(p[3]), Doing: p[4], Says: p[5]})
		}
	}
	return r, !bad
}
