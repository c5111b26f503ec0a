package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/index/insights"
	"learnings/lessons"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// text returns the page with all evidence.
func text(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if p.Shown == nil {
		p.Shown = func(lessons.ID) bool { return true }
	}
	if _, err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile returns a lesson with a text in every field that others can fill.
func hostile(s string) lessons.Lesson {
	return lessons.Lesson{
		ID: "k7m2p9qx", Status: lessons.Approved, Category: lessons.Category(s), Wording: lessons.Wording{Content: s, Insight: s, Example: s},
		Tags: []string{s}, Scope: lessons.Scope{Project: s, Role: s},
		Evidence: []lessons.Evidence{{By: lessons.Speaker(s), Agent: s, Session: "SECRETSESSION", Path: "/tmp/SECRETPATH", Link: s, Quote: s, At: noon}},
	}
}

// TestHostile checks that no text becomes a tag, an attribute, a link or a script, and
// that bidi characters are removed.
func TestHostile(t *testing.T) {
	for _, s := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</script><script>alert(1)`, `</style><b>`,
		`javascript:alert(1)`, `<a href="javascript:alert(1)">x</a>`, `<!-- `, `]]>`, `</title><svg onload=alert(1)>`, "a\u202eb\u2066c", "\x1b]0;x\x07", "{{.}}", "`<i>`",
	} {
		p := &Page{Title: s, Project: s, Made: noon, Lessons: []lessons.Lesson{hostile(s)}, Figures: insights.Figures{
			Mistakes: []insights.Mistake{{Doing: s, Says: s, Weeks: []int{1}, Lesson: lessons.ID(s), Status: lessons.Status(s)}},
		}}
		got := text(t, p)
		if n := strings.Count(got, "<script"); n != 1 {
			t.Errorf("%q: %d scripts", s, n)
		}
		for _, bad := range []string{"<img", "<svg onload", "<a ", "onerror=alert(1)>", "\u202e", "\u2066", "\x1b", "<!-- ", "SECRETSESSION", "SECRETPATH"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q: the page has %q", s, bad)
			}
		}
		attributes(t, s, got)
	}
}

// attributes checks that no tag has an attribute that runs or fetches something.
func attributes(t *testing.T, s, page string) {
	t.Helper()
	_, body, _ := strings.Cut(page, "<body>")
	body, _, _ = strings.Cut(body, "<script>")
	d := xml.NewDecoder(strings.NewReader(body))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF") {
			return // without the script
		}
		if err != nil {
			t.Errorf("%q: %v", s, err)
			return
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				name := strings.ToLower(a.Name.Local)
				if strings.HasPrefix(name, "on") || name == "href" || name == "src" || name == "style" || name == "action" {
					t.Errorf("%q: <%s %s=%q>", s, e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

// TestClean checks that the page contains no secrets or home folders.
func TestClean(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for _, c := range []struct{ in, want string }{
		{"see /home/sam/work/x.go", "see ~/work/x.go"},
		{"see /Users/sam.low/work", "see ~/work"},
		{`in C:\Users\sam\work`, `in ~\work`},
		{`"C:\\Users\\sam\\work"`, `"~\\work"`},
		{"as " + rootHome + "/notes.md", "as ~/notes.md"},
		{"cd /root", "cd ~"},
		{"/home/user/x:/home/sam/y", "~/x:~/y"},
		{"https://example.com/home/page", "https://example.com/home/page"},
		{"/srv/people/sam/x", "~/x"},
		{"the /rooted tree", "the /rooted tree"},
		{"token " + key, "token [REDACTED:"},
	} {
		got := newCleaner("/srv/people/sam").line(c.in)
		if !strings.HasPrefix(got, c.want) || got != c.want && !strings.HasSuffix(c.want, ":") {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
	got := text(t, &Page{Title: "by " + key, Home: "/srv/people/sam", Made: noon, Lessons: []lessons.Lesson{hostile(key + " in /srv/people/sam/x and /home/sam/y")}})
	for _, bad := range []string{key, "/srv/people", "home/sam"} {
		if strings.Contains(got, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// TestChosen checks that only the chosen lessons show evidence, and that only approved
// lessons are listed; the others are counted.
func TestChosen(t *testing.T) {
	shown, err := Evidence([]string{"one"}, func(s string) (lessons.ID, error) { return lessons.ID(s), nil })
	if err != nil {
		t.Fatal(err)
	}
	p := &Page{Made: noon, Shown: shown}
	for _, l := range []lessons.Lesson{
		{ID: "one", Status: lessons.Approved, Wording: lessons.Wording{Content: "First."}, Evidence: []lessons.Evidence{{By: lessons.ByPerson, Quote: "said of one"}}},
		{ID: "two", Status: lessons.Approved, Wording: lessons.Wording{Content: "Second."}, Evidence: []lessons.Evidence{{By: lessons.ByPerson, Quote: "said of two"}}},
		{ID: "wait", Status: lessons.Pending, Wording: lessons.Wording{Content: "Waiting."}},
		{ID: "other", Status: lessons.Approved, Outside: true, Wording: lessons.Wording{Content: "Written elsewhere."}},
		{ID: "gone", Status: lessons.Rejected, Wording: lessons.Wording{Content: "Refused."}},
		{ID: "into", Status: lessons.Merged, Wording: lessons.Wording{Content: "Merged."}},
	} {
		p.take(l)
	}
	got := text(t, p)
	for _, want := range []string{"First.", "Second.", "said of one", "Not listed: 4 that wait"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"said of two", "Refused.", "Merged.", "Waiting.", "elsewhere"} {
		if strings.Contains(got, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// TestSave checks that only an earlier report is replaced without force.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	p := &Page{Title: "x", Made: noon}
	name := filepath.Join(dir, "a.html")
	for range 2 {
		if _, err := p.Save(name, false); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(dir, "thesis.html")
	if err := os.WriteFile(other, []byte("<html>mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Save(other, false); !errors.Is(err, ErrForeign) {
		t.Errorf("over a file of somebody else: %v", err)
	}
	if b, _ := os.ReadFile(other); string(b) != "<html>mine" {
		t.Errorf("the file of somebody else is now %q", b)
	}
	if _, err := p.Save(other, true); err != nil {
		t.Error(err)
	}
	if _, err := p.Save(filepath.Join(dir, "none", "a.html"), false); err == nil {
		t.Error("a folder that is not there is no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// FuzzClean checks that clean text has no home folder and no invisible characters.
func FuzzClean(f *testing.F) {
	f.Add("see /home/sam/x and C:\\Users\\sam\\y")
	f.Add(rootHome + rootHome + "/home/")
	f.Fuzz(func(t *testing.T, s string) {
		c := newCleaner("/srv/people/sam")
		if got := c.block(s); strings.Contains(got, "/srv/people/sam") || lessons.Hidden(got) {
			t.Errorf("%q: %q", s, got)
		}
	})
}
