package past

import (
	"strconv"
	"strings"
	"time"

	"learnings/extractor/transcript"
)

// A record is kept as a line, with tabs between its fields and a dot as the last of them.
// Lists within a field have signs of their own.
const (
	between = "\x1f" // the parts of an error
	behind  = "\x1e" // an error
)

// stamp are the fields behind the path, by which a file is seen to be as it was.
func stamp(f transcript.File) string {
	return "\t" + strconv.FormatInt(f.Size, 10) + "\t" + strconv.FormatInt(f.ModTime.UnixNano(), 36) + "\t"
}

func format(r *Record) string {
	c := codec{write: true}
	c.record(r)
	return r.Path + stamp(r.File) + strings.Join(c.parts, "\t")
}

// parse reads a line; false for one that is not of this form.
func parse(line string) (r Record, ok bool) {
	head := strings.SplitN(line, "\t", 4)
	if len(head) < 4 {
		return r, false
	}
	size, err := strconv.ParseInt(head[1], 10, 64)
	nano, err2 := strconv.ParseInt(head[2], 36, 64)
	r.Path, r.Size, r.ModTime = head[0], size, time.Unix(0, nano).UTC()
	c := codec{parts: strings.Split(head[3], "\t")}
	c.record(&r)
	return r, err == nil && err2 == nil && size >= 0 && !c.bad && len(c.parts) == 0 && r.Path != ""
}

// A codec writes the parts of a line, or reads them.
type codec struct {
	write bool
	parts []string // that were written, or are still to be read
	bad   bool     // there was something else than is expected
}

// record goes through the fields of a record in their order.
func (c *codec) record(r *Record) {
	s := &r.Session
	c.text((*string)(&r.Format))
	s.Agent = r.Format
	for _, t := range []*string{&r.Agent, &s.ID, &s.Parent, &s.Dir, &s.Role} {
		c.text(t)
	}
	c.time(&s.Start)
	c.time(&r.End)
	flags := ""
	if s.Scripted {
		flags += "s"
	}
	if r.Cut {
		flags += "c"
	}
	c.text(&flags)
	s.Scripted, r.Cut = strings.Contains(flags, "s"), strings.Contains(flags, "c")
	for _, n := range []*int{&r.Lines, &r.BadLines, &r.Human, &r.Calls, &r.ToolErrors, &r.Refusals, &r.Corrections, &r.Spin, &r.Again, &r.Blind} {
		c.number(n)
	}
	c.list(",", func(c *codec) {
		for i := range r.Did {
			c.number(&r.Did[i])
		}
	})
	for _, t := range []*string{&r.Sequence, &r.Stuck, &r.Prompt} {
		c.text(t)
	}
	c.list(behind, func(c *codec) {
		if !c.write {
			r.Errors = make([]Error, min(len(c.parts), maxErrors))
			c.parts = c.parts[:len(r.Errors)]
		}
		for i := range r.Errors {
			e := &r.Errors[i]
			c.list(between, func(c *codec) {
				c.text((*string)(&e.ID))
				c.number(&e.Count)
				c.time(&e.First)
				c.time(&e.Last)
				c.text(&e.Doing)
				c.text(&e.Says)
			})
		}
	})
	end := "."
	c.text(&end)
	c.bad = c.bad || end != "."
}

// maxWord is how many bytes of a text are kept.
const maxWord = 4 << 10

// text takes a text, which when written cannot end its field, and is left out if it is
// too long.
func (c *codec) text(s *string) {
	if !c.write {
		if *s = ""; len(c.parts) == 0 {
			c.bad = true
			return
		}
		*s, c.parts = c.parts[0], c.parts[1:]
		return
	}
	word := strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, (*s)[:min(len(*s), maxWord+1)])
	if len(word) > maxWord { // what is no UTF-8 takes three bytes now
		word = ""
	}
	c.parts = append(c.parts, word)
}

// number takes one that is not below 0.
func (c *codec) number(n *int) {
	s := strconv.Itoa(*n)
	if c.text(&s); !c.write {
		v, err := strconv.Atoi(s)
		*n, c.bad = max(v, 0), c.bad || err != nil || v < 0
	}
}

// time takes seconds since 1970, or "" for none.
func (c *codec) time(t *time.Time) {
	s := ""
	if c.write && !t.IsZero() {
		s = strconv.FormatInt(t.Unix(), 36)
	}
	if c.text(&s); !c.write && s != "" {
		n, err := strconv.ParseInt(s, 36, 64)
		*t, c.bad = time.Unix(n, 0).UTC(), c.bad || err != nil
	}
}

// list takes a field that has parts of its own.
func (c *codec) list(sep string, do func(*codec)) {
	in := codec{write: c.write}
	if c.write {
		do(&in)
		c.parts = append(c.parts, strings.Join(in.parts, sep))
		return
	}
	s := ""
	if c.text(&s); s != "" {
		in.parts = strings.Split(s, sep)
	}
	do(&in)
	c.bad = c.bad || in.bad || len(in.parts) > 0
}
