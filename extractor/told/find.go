package told

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"learnings/extractor/transcript"
)

const (
	// latest are how many of the last transcripts are looked into for a session whose
	// file does not have its name, and lately how long ago they were written to at most.
	latest = 6
	lately = 48 * time.Hour
	// leastName is the length from which a part of a file's name tells a session.
	leastName = 8
	// leastQuote is the length from which a quote is no accident.
	leastQuote = 8
)

// A candidate is a transcript that may be of a session.
type candidate struct {
	file  transcript.File
	named bool // for the session
}

// candidates are the transcripts that are named for a session or, where there are none,
// those that were written to last.
func (s Sessions) candidates(session string) []candidate {
	var named, last []candidate
	for f := range s.unopened() {
		switch {
		case session != "" && namedFor(f.Path, session):
			named = append(named, candidate{f, true})
		case s.Now().Sub(f.ModTime) < lately:
			last = append(last, candidate{f, false})
		}
	}
	out := named
	if len(named) == 0 {
		out = last
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return b.file.ModTime.Compare(a.file.ModTime) })
	out = out[:min(len(out), latest)]
	for i := range out {
		out[i].file.Named = true
	}
	return out
}

// A File is a transcript.
type File = transcript.File

// unopened gives the transcripts by name and time alone: to see what each is would open
// many thousand files. Only in databases it looks, for there are several sessions in one.
func (s Sessions) unopened() iter.Seq[File] {
	return func(yield func(File) bool) {
		for _, p := range s.Places {
			for f, err := range transcript.FindKnown(transcript.Places{p}, func(f File) (File, bool) {
				f.Format = p.Format
				return f, filepath.Ext(f.Path) != ".db"
			}) {
				if err == nil && !yield(f) {
					return
				}
			}
		}
	}
}

// Since gives the transcripts that were written to within a time, at most so many: the
// latest ones.
func (s Sessions) Since(within time.Duration, most int) []File {
	var out []File
	for f := range s.unopened() {
		if s.Now().Sub(f.ModTime) < within {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b File) int { return b.ModTime.Compare(a.ModTime) })
	return out[:min(len(out), most)]
}

// namedFor reports whether a transcript has the id of a session in its name.
func namedFor(path, session string) bool {
	name := filepath.Base(path)
	return len(session) >= leastName && strings.Contains(name, session)
}

// fold is a text as quotes are compared: in small letters, with one blank where there
// is any white space. It is "" for one that is too short to tell.
func fold(s string) string {
	f, _ := folded(s)
	if f = strings.Trim(f, " \"'“”`"); utf8.RuneCountInString(f) < leastQuote {
		return ""
	}
	return f
}

// folded is fold without its least length, and where in s each byte of it is from.
func folded(s string) (string, []int) {
	var b strings.Builder
	var at []int
	blank := false
	for i, r := range s {
		if unicode.IsSpace(r) {
			blank = true
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
			at = append(at, i)
		}
		blank = false
		n := b.Len()
		b.WriteRune(unicode.ToLower(r))
		for range b.Len() - n {
			at = append(at, i)
		}
	}
	return b.String(), at
}

// within finds a folded quote in a text, and gives the words as the text has them.
func within(text, quote string) (string, bool) {
	f, at := folded(text)
	i := strings.Index(f, quote)
	if i < 0 {
		return "", false
	}
	from, to := at[i], len(text)
	if end := i + len(quote); end < len(at) {
		to = at[end]
	}
	return strings.TrimSpace(text[from:to]), true
}
