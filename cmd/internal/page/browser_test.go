package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"learnings/lessons"
)

// TestBrowser opens a page in a headless Chromium, if installed: it searches, filters by
// facets and sorts, and makes no network requests even with hostile lessons.
func TestBrowser(t *testing.T) {
	var chromium string
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		t.Skip("no Chromium is installed (`apt-get install chromium-headless-shell`; or name one in CHROMIUM)")
	}
	var called atomic.Int32
	spy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Add(1) }))
	defer spy.Close()
	name := filepath.Join(t.TempDir(), "report.html")
	if _, err := manyPage(spy.URL).Save(name, false); err != nil {
		t.Fatal(err)
	}
	count := regexp.MustCompile(`\d+ of \d+ shown`)
	for hash, want := range map[string]string{
		"": "60 of 203 shown", "q=database+migration": "1 of 1 shown", "L-mig1": "1 of 1 shown", "c=correction&p=cli": "11 of 11 shown", "sort=unsure": "60 of 203 shown",
	} {
		dom, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
			"--user-data-dir="+t.TempDir(), "--virtual-time-budget=5000", "--dump-dom", "file://"+name+"#"+hash).Output()
		if err != nil {
			t.Skipf("%s does not start: %v", chromium, err)
		}
		if got := count.FindString(string(dom)); got != want {
			t.Errorf("#%s: %q, want %q", hash, got, want)
		}
		if first := regexp.MustCompile(`<article[^>]*>`).FindString(string(dom)); hash == "sort=unsure" && !strings.Contains(first, `data-v="0.30"`) {
			t.Errorf("the least sure one is not first: %s", first)
		}
	}
	if called.Load() != 0 {
		t.Error("a request has left the page")
	}
}

// manyPage returns a page of 203 lessons, some of them hostile.
func manyPage(spy string) *Page {
	p := &Page{Title: "learnings", Made: noon, Shown: func(lessons.ID) bool { return true }}
	categories := []lessons.Category{"correction", "preference", "architecture", "tool-usage"}
	projects := []string{"cli", "agentv", "shopfront", "example-project", "docs-site"}
	for i := range 200 {
		p.Lessons = append(p.Lessons, lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("l%03d", i)), Status: lessons.Approved, Category: categories[i%4], Confidence: lessons.Confidence(0.35 + 0.6*float64(i%60)/60), Created: noon.AddDate(0, 0, -i),
			Wording: lessons.Wording{Content: fmt.Sprintf("Ask before running the e2e tests: they consume tokens (%d)", i)}, Scope: lessons.Scope{Project: projects[i%5], Role: "developer"},
		})
	}
	p.Lessons = append(p.Lessons,
		lessons.Lesson{ID: "mig1", Status: lessons.Approved, Category: "architecture", Confidence: 0.9, Wording: lessons.Wording{Content: "A database migration of the orders table is written in two steps."}, Scope: lessons.Scope{Project: "shopfront"}},
		lessons.Lesson{ID: "bad1", Status: lessons.Pending, Category: "correction", Confidence: 0.3, Wording: lessons.Wording{Content: `<img src="` + spy + `/a.png" onerror="window.hacked=1"><script>window.hacked=1;fetch("` + spy + `")</script>`}, Scope: lessons.Scope{Project: `"><script src="` + spy + `/b.js"></script>`}},
		lessons.Lesson{ID: "bad2", Status: lessons.Pending, Category: "correction", Confidence: 0.4, Wording: lessons.Wording{Content: "</script><link rel=stylesheet href=" + spy + "/c.css>", Insight: "javascript:alert(1) \u202e"}, Scope: lessons.Scope{Project: "cli"}},
	)
	return p
}
