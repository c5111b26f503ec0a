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
	// latest is how many of the last transcripts are searched for a session that no
	// file is named after; lately bounds their age.
	latest = 6
	lately = 48 * time.Hour
	// leastName is the length from which a part of a file name identifies a session.
	leastName = 8
	// leastQuote is the length from which a match is no accident.
	leastQuote = 8
)

// candidates returns the transcripts named after a session, marked Named, or if there
// are none, the latest ones.
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

// Since returns at most most transcripts that were written to within a time, the latest
// first.
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

// unopened yields transcripts by name and time, because opening all would open
// thousands of files. It opens only databases, which hold several sessions each.
func (s Sessions) unopened() iter.Seq[transcript.File] {
	return func(yield func(transcript.File) bool) {
		for _, p := range s.Places {
			for f, err := range transcript.FindKnown(transcript.Places{p}, func(f transcript.File) (transcript.File, bool) {
				f.Format = p.Format
				return f, !transcript.NamedDatabase(f.Path)
			}) {
				if err == nil && !yield(f) {
					return
				}
			}
		}
	}
}

// fold normalizes a text for comparing quotes: lower case, with one blank for any white
// space. It returns "" if the text is too short to search for.
func fold(s string) string {
	f := strings.ToLower(strings.Join(words(s), " "))
	if utf8.RuneCountInString(f) < leastQuote {
		return ""
	}
	return f
}

// words splits a quote into words without the marks around it.
func words(quote string) []string {
	return strings.Fields(strings.Trim(strings.ToValidUTF8(quote, "\ufffd"), " \t\n\"'“”`"))
}

// finder matches a quote in a text, ignoring case and differences in white space.
func finder(quote string) *regexp.Regexp {
	all := words(quote)
	for i, w := range all {
		all[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(`(?i)` + strings.Join(all, `\s+`))
}
