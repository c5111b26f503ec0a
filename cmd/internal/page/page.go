// Package page writes a corpus as a shareable HTML page: figures, searchable lessons, and
// the evidence that a person chooses to show. The page is a single file that loads
// nothing from the network and is readable without its script. Secrets, home folders and
// session ids are removed from everything that it shows, and all text is escaped.
package page

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"learnings/index/curate"
	"learnings/index/insights"
	"learnings/lessons"
	"learnings/lessons/state"
)

// A Page is the content of a report. [Page.Gather] fills in the last four fields.
type Page struct {
	Title   string
	Project string              // the only project shown; "" for all
	Only    map[lessons.ID]bool // the lessons that are listed, chosen by a person; nil for all approved ones
	Pending bool                // list proposals too
	Home    string              // this user's home folder, which is removed from texts
	Made    time.Time
	Shown   func(id lessons.ID) bool // whether to show a lesson's evidence; nil shows none
	Trusted bool                     // count unconfirmed lessons of other programs

	Lessons []lessons.Lesson // the listed lessons, the most important first
	Left    int              // the number of lessons counted but not listed
	Figures insights.Figures
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// Mark is at the beginning of every page and identifies it as ours.
const Mark = `<meta name="generator" content="learnings report">`

// Write writes the page and returns how many of its lessons show evidence.
func (p *Page) Write(w io.Writer) (evidence int, err error) {
	t, err := template.New("page").Funcs(template.FuncMap{"mark": func() template.HTML { return Mark }, "count": count}).Parse(pageHTML)
	if err != nil {
		return 0, err
	}
	projects := map[string]bool{}
	for _, l := range p.Lessons {
		projects[l.Scope.Project] = true
	}
	more := p.listed()
	c := newCleaner(p.Home)
	cards := c.cards(p.Lessons, p.Shown, p.Trusted)
	for _, card := range cards {
		if len(card.Said) > 0 {
			evidence++
		}
	}
	return evidence, t.Execute(w, struct {
		Title, Project, Made, Policy string
		Projects, Left               int
		More                         int // how many lessons are not listed
		CSS                          template.CSS
		JS                           template.JS
		Cards                        []card
		Numbers                      []number
		Weeks                        int // of a trend
		Mistakes                     []mistake
	}{
		c.line(p.Title), c.line(p.Project), p.Made.Format("2 January 2006"), policy(), len(projects), p.Left, more,
		template.CSS(pageCSS), template.JS(pageJS), cards, p.numbers(), insights.MistakeWeeks, p.mistakes(c),
	})
}

// policy returns a content security policy that allows only the page's own style and
// script, by hash, and no requests.
func policy() string {
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	return "default-src 'none'; style-src " + sum(pageCSS) + "; script-src " + sum(pageJS) + "; base-uri 'none'; form-action 'none'"
}

// Evidence returns [Page.Shown] for the value of --evidence: beginnings of ids, or just
// "all" or "none". resolve returns the one id with a beginning.
func Evidence(words []string, resolve func(string) (lessons.ID, error)) (shown func(lessons.ID) bool, err error) {
	if len(words) == 1 && (words[0] == "all" || words[0] == "none") {
		return func(lessons.ID) bool { return words[0] == "all" }, nil
	}
	chosen := map[lessons.ID]bool{}
	for _, word := range words {
		id, err := resolve(lessons.Cited(word))
		if err != nil {
			return nil, fmt.Errorf("--evidence %s: %w", word, err)
		}
		chosen[id] = true
	}
	return func(id lessons.ID) bool { return chosen[id] }, nil
}

// Gather adds the lessons of a corpus and its figures, whose source of lessons it
// replaces. It reads no transcripts, only what is stored of them.
func (p *Page) Gather(ctx context.Context, c *curate.Library, from insights.Source) (err error) {
	from.Lessons = func(ctx context.Context, count func(lessons.Lesson)) error {
		return c.Each(ctx, func(l lessons.Lesson) {
			p.take(l)
			count(l)
		})
	}
	p.Figures, err = from.Count(ctx, insights.Only(p.Project), p.Made)
	return err
}

// take adds a lesson of the corpus to the page if it may be given away: a person approved
// it or chose it for this page.
func (p *Page) take(l lessons.Lesson) {
	if p.Project != "" && l.Scope.Project != p.Project || p.Only != nil && !p.Only[l.ID] {
		return
	}
	gone := l.Status == lessons.Rejected || l.Status == lessons.Merged || l.Snoozed(p.Made)
	waits := l.Status == lessons.Pending || l.Outside && !p.Trusted
	if gone || p.Only == nil && (l.Status == lessons.Archived || waits && !p.Pending) {
		p.Left++
		return
	}
	if l.Status != lessons.Pending && (p.Shown == nil || !p.Shown(l.ID)) {
		l.Evidence = nil // most of a lesson's size, and only needed to judge a proposal
	}
	p.Lessons = append(p.Lessons, l)
}

// mostListed is how many lessons a page lists, so that browsers can show it.
const mostListed = 20_000

// listed sorts the lessons, active ones first, then by use and confidence. It drops those
// beyond mostListed and returns how many it dropped.
func (p *Page) listed() (more int) {
	place := func(l lessons.Lesson) int {
		return slices.Index([]lessons.Status{lessons.Approved, lessons.Pending, lessons.Archived}, l.Status)
	}
	slices.SortFunc(p.Lessons, func(a, b lessons.Lesson) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.Use.Used, a.Use.Used), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
	})
	more = max(0, len(p.Lessons)-mostListed)
	p.Lessons = p.Lessons[:len(p.Lessons)-more]
	return more
}

// ErrForeign means that the file exists and is not a report.
var ErrForeign = errors.New("it is there, and is no report")

// Save writes the page to a file atomically and returns a summary of it. It replaces an
// earlier report, or any file if over is set; else the error is [ErrForeign].
func (p *Page) Save(name string, over bool) (says string, err error) {
	if ours, err := isReport(name); err != nil {
		return "", err
	} else if !ours && !over {
		return "", fmt.Errorf("writing the report to %s: %w", name, ErrForeign)
	}
	var b bytes.Buffer
	evidence, err := p.Write(&b)
	size := b.Len()
	if err == nil {
		state.Sweep(true, name)
		err = state.WriteFile(name, func(w io.Writer) error {
			_, err := b.WriteTo(w)
			return err
		})
	}
	return fmt.Sprintf("%s, evidence of %s, %.1f MB", counted(len(p.Lessons), "lesson"), count(evidence), float64(size)/1e6), err
}

// isReport reports whether a file may be replaced: it is an earlier report, empty, or
// missing.
func isReport(name string) (bool, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 512))
	return len(head) == 0 || bytes.Contains(head, []byte(Mark)), err
}

// Preview gathers the page and previews writing it to a file; short formats paths for
// people. It is for a page of chosen lessons that shows no evidence.
func (p *Page) Preview(ctx context.Context, c *curate.Library, from insights.Source, file string, short func(path string) string) (out curate.Preview, err error) {
	if err := p.Gather(ctx, c, from); err != nil {
		return out, err
	}
	var page bytes.Buffer
	if _, err := p.Write(&page); err != nil {
		return out, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %.1f MB: one file, which asks no network for anything\n\n", short(file), float64(page.Len())/1e6)
	fmt.Fprintf(&b, "+ %s, with a search\n+ figures of the whole corpus, and mistakes that come back\n", counted(len(p.Lessons), "lesson"))
	if p.Left > 0 {
		fmt.Fprintf(&b, "! not listed, because they were rejected or went into others: %s\n", count(p.Left))
	}
	b.WriteString("  left out: secrets, home folders, files, sessions and what was said\n")
	out = curate.Preview{Title: "write a page for a browser", Text: b.String(), Leaving: p.Lessons}
	if was, err := os.Stat(file); err == nil {
		if out.Over = short(file); was.IsDir() {
			return out, fmt.Errorf("%s is a folder: name a file in it", out.Over)
		}
	}
	out.Do = func(context.Context) (string, error) {
		says, err := p.Save(file, out.Over != "")
		return "wrote " + short(file) + ": " + says, err
	}
	return out, nil
}
