package intake

import (
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"learnings/extractor/transcript"
)

const (
	// latest are how many of the last transcripts are looked into for a session whose
	// file does not have its name, and lately how long ago they were written to at most.
	latest = 6
	lately = 48 * time.Hour
	// leastName is the length from which a part of a file's name identifies a session.
	leastName = 8
	// leastQuote is the length from which a quote is no accident.
	leastQuote = 8
)

// candidates are the transcripts that are named for a session or, where there are none,
// those that were written to last. Files that are named for it are marked so.
func (s Sessions) candidates(session string) []transcript.File {
	var named, last []transcript.File
	for f := range s.unopened() {
		switch {
		case len(session) >= leastName && strings.Contains(filepath.Base(f.Path), session):
			f.Named = true
			named = append(named, f)
		case s.Now().Sub(f.ModTime) < lately:
			last = append(last, f)
		}
	}
	if len(named) > 0 {
		return newest(named, latest)
	}
	return newest(last, latest)
}

// Since gives the transcripts that were written to within a time: the latest ones, at most
// so many.
func (s Sessions) Since(within time.Duration, most int) []transcript.File {
	var out []transcript.File
	for f := range s.unopened() {
		if s.Now().Sub(f.ModTime) < within {
			out = append(out, f)
		}
	}
	return newest(out, most)
}

func newest(files []transcript.File, most int) []transcript.File {
	slices.SortStableFunc(files, func(a, b transcript.File) int { return b.ModTime.Compare(a.ModTime) })
	return files[:min(len(files), most)]
}

// unopened gives the transcripts by name and time: to see what each is would open many
// thousand files. Only databases are opened, because there are several sessions in one.
func (s Sessions) unopened() iter.Seq[transcript.File] {
	return func(yield func(transcript.File) bool) {
		for _, p := range s.Places {
			for f, err := range transcript.FindKnown(transcript.Places{p}, func(f transcript.File) (transcript.File, bool) {
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

// fold is a text as quotes are compared: in small letters, with one blank where there
// is any white space. It is "" for one that is too short to be looked for.
func fold(s string) string {
	f := strings.ToLower(strings.Join(words(s), " "))
	if utf8.RuneCountInString(f) < leastQuote {
		return ""
	}
	return f
}

// words are those of a quote, without the marks around it.
func words(quote string) []string {
	return strings.Fields(strings.Trim(strings.ToValidUTF8(quote, "\ufffd"), " \t\n\"'“”`"))
}

// finder matches a quote in a text, in any case and with any white space.
func finder(quote string) *regexp.Regexp {
	all := words(quote)
	for i, w := range all {
		all[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(`(?i)` + strings.Join(all, `\s+`))
}
