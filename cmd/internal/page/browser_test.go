package page

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"learnings/lessons"
)

// A browser is a headless Chromium with one page, driven by the protocol of its
// developer tools over a pipe.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	pipe    *os.File // what out reads
	session string
	last    int
	asked   []string // addresses of requests
	wrong   []string // exceptions, and what the page's policy refused
}

// chromium is the path of one that is installed; without one the test is left out.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed (`apt-get install chromium-headless-shell`; or name one in CHROMIUM)")
	return ""
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	path := chromium(t)
	if runtime.GOOS == "windows" {
		t.Skip("the pipe to the browser is made of files that Windows does not hand on")
	}
	from, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--user-data-dir="+dir, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{from, to}
	if err := cmd.Start(); err != nil {
		t.Skipf("%s does not start: %v", path, err)
	}
	_ = from.Close()
	_ = to.Close()
	b := &browser{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20), pipe: out}
	t.Cleanup(func() {
		b.session = ""
		b.do("Browser.close", nil)
		_ = cmd.Wait()
		_ = os.RemoveAll(dir) // its children may still be leaving
	})
	target := b.do("Target.createTarget", map[string]any{"url": "about:blank"})["targetId"]
	b.session, _ = b.do("Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})["sessionId"].(string)
	for _, domain := range []string{"Network", "Page", "Runtime", "Log"} {
		b.do(domain+".enable", nil)
	}
	return b
}

// do calls a method and waits for its answer, noting what else the browser tells.
func (b *browser) do(method string, params map[string]any) map[string]any {
	b.t.Helper()
	b.last++
	call := map[string]any{"id": b.last, "method": method}
	if params != nil {
		call["params"] = params
	}
	if b.session != "" {
		call["sessionId"] = b.session
	}
	text, err := json.Marshal(call)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.next()
		if m.ID == b.last {
			if m.Error != nil {
				b.t.Fatalf("%s: %v", method, m.Error)
			}
			return m.Result
		}
	}
}

type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result map[string]any
	Error  any
}

func (b *browser) next() (m message) {
	b.t.Helper()
	_ = b.pipe.SetReadDeadline(time.Now().Add(time.Minute)) // a browser that hangs is no reason for the test to
	line, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser has ended: %v", err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &m); err != nil {
		b.t.Fatal(err)
	}
	switch m.Method {
	case "Network.requestWillBeSent":
		var p struct{ Request struct{ URL string } }
		_ = json.Unmarshal(m.Params, &p)
		b.asked = append(b.asked, p.Request.URL)
	case "Runtime.exceptionThrown":
		b.wrong = append(b.wrong, string(m.Params))
	case "Log.entryAdded":
		if bytes.Contains(m.Params, []byte("Content Security Policy")) {
			b.wrong = append(b.wrong, string(m.Params))
		}
	}
	return m
}

// open loads an address and waits until it is there.
func (b *browser) open(url string) {
	b.t.Helper()
	b.do("Page.navigate", map[string]any{"url": url})
	for b.next().Method != "Page.loadEventFired" {
	}
}

// eval is the value of an expression of the page, as text; of a promise, when it has come.
func (b *browser) eval(expr string) string {
	b.t.Helper()
	r := b.do("Runtime.evaluate", map[string]any{"expression": expr, "returnByValue": true, "awaitPromise": true})
	if r["exceptionDetails"] != nil {
		b.t.Fatalf("%s: %v", expr, r["exceptionDetails"])
	}
	v, _ := r["result"].(map[string]any)
	return fmt.Sprint(v["value"])
}

// until waits for a condition of the page, looking once a frame; the test's own limit ends it.
func (b *browser) until(cond string) {
	b.t.Helper()
	b.eval(`new Promise(done => { const look = () => (` + cond + `) ? done(1) : requestAnimationFrame(look); look(); })`)
}

func (b *browser) is(expr, want string) {
	b.t.Helper()
	if got := b.eval(expr); got != want {
		b.t.Errorf("%s is %q, want %q", expr, got, want)
	}
}

func (b *browser) click(sel string) {
	b.t.Helper()
	b.eval(`document.querySelector(` + fmt.Sprintf("%q", sel) + `).click()`)
}

func (b *browser) typed(text string) {
	b.t.Helper()
	b.do("Input.insertText", map[string]any{"text": text})
}

// picture writes what the page looks like, if REPORT_PICTURES names a folder.
func (b *browser) picture(name string) {
	dir := os.Getenv("REPORT_PICTURES")
	if dir == "" {
		return
	}
	data, _ := b.do("Page.captureScreenshot", nil)["data"].(string)
	png, err := base64.StdEncoding.DecodeString(data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// TestBrowser opens a page in Chromium, where one is installed: it searches, narrows by
// facets, sorts and folds, and asks the network for nothing, whatever a lesson says.
func TestBrowser(t *testing.T) {
	b := openBrowser(t)
	var called atomic.Int32
	spy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Add(1) }))
	defer spy.Close()
	name := filepath.Join(t.TempDir(), "report.html")
	p := manyPage(spy.URL)
	if _, err := p.Save(name, false); err != nil {
		t.Fatal(err)
	}
	b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1240, "height": 1400, "deviceScaleFactor": 1, "mobile": false})
	b.open("file://" + name)
	b.is(`document.querySelectorAll("article").length`, "60")
	b.is(`document.getElementById("count").textContent`, "60 of 203 shown")
	b.picture("light")

	b.eval(`document.getElementById("q").focus()`)
	b.typed("database migration")
	b.until(`document.querySelectorAll("article").length === 1`)
	b.is(`document.querySelector("article").id`, "L-mig1")
	b.is(`document.querySelector("article details").open`, "false")
	b.click("article summary")
	b.is(`document.querySelector("article details").open`, "true")
	b.is(`document.querySelector("article blockquote b").textContent`, "person")
	b.is(`getComputedStyle(document.querySelector("article blockquote")).display`, "block")
	b.picture("found")

	b.click("#reset")
	b.until(`document.querySelectorAll("article").length === 60`)
	b.click(`#f-c [data-name="correction"]`)
	b.click(`#f-p [data-name="cli"]`)
	n := b.eval(`document.getElementById("count").textContent`)
	b.is(`document.querySelector('#f-p [data-name="cli"]').textContent.split(" ").pop()`, strings.Fields(n)[2])
	b.is(`[...document.querySelectorAll("article")].every(a => a.dataset.c === "correction" && a.dataset.p === "cli")`, "true")
	b.is(`location.hash`, "#c=correction&p=cli")
	b.click("#reset")
	b.eval(`(() => { const s = document.getElementById("sort"); s.value = "unsure"; s.onchange(); })()`)
	b.is(`document.querySelector("article").dataset.v`, "0.30")
	b.click("#fold")
	b.is(`[...document.querySelectorAll("article details")].every(d => d.open)`, "true")
	b.click("#fold")
	b.is(`[...document.querySelectorAll("article details")].some(d => d.open)`, "false")
	b.eval(`document.getElementById("more").click()`)
	b.until(`document.querySelectorAll("article").length >= 120`)
	b.open("about:blank")
	b.open("file://" + name + "#L-mig1")
	b.until(`document.querySelectorAll("article").length === 1`)

	b.is(`String(window.hacked)`, "undefined")
	b.is(`fetch("`+spy.URL+`").then(() => "went out", () => "refused")`, "refused")
	b.is(`new Promise(r => { const i = new Image(); i.onload = () => r("went out"); i.onerror = () => r("refused"); i.src = "`+spy.URL+`/x.png"; })`, "refused")
	if called.Load() != 0 {
		t.Error("a request has left the page")
	}
	b.wrong = nil // what was just tried
	others(b, "file://"+name)
	for _, url := range b.asked {
		if !strings.HasPrefix(url, "file://"+name) && !strings.HasPrefix(url, spy.URL) && !strings.HasPrefix(url, "about:") {
			t.Errorf("the page asked for %s", url)
		}
	}
	for _, w := range b.wrong {
		t.Errorf("the page complains: %s", w)
	}
}

// others looks at the page in other ways: dark, narrow, printed, and without its script.
func others(b *browser, url string) {
	b.t.Helper()
	b.open("about:blank")
	b.do("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}})
	b.open(url)
	b.is(`getComputedStyle(document.body).backgroundColor`, "rgb(20, 22, 27)")
	b.picture("dark")
	b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": 390, "height": 1800, "deviceScaleFactor": 1, "mobile": true})
	b.is(`document.documentElement.scrollWidth <= 390`, "true")
	b.picture("narrow")
	b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": 800, "height": 1400, "deviceScaleFactor": 1, "mobile": false})
	b.do("Emulation.setEmulatedMedia", map[string]any{"media": "print", "features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}})
	b.is(`getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)")
	b.picture("print")
	b.do("Emulation.setEmulatedMedia", map[string]any{"media": "", "features": []map[string]string{}})
	b.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	b.open("about:blank")
	b.open(url)
	b.is(`document.querySelectorAll("article").length`, "203")
	b.is(`getComputedStyle(document.querySelector(".find")).display`, "none")
	b.picture("noscript")
}

// manyPage is a page of 203 lessons, some of them hostile, with all figures.
func manyPage(spy string) *Page {
	p := &Page{Title: "learnings", Made: noon, Shown: func(lessons.ID) bool { return true }, Figures: someFigures()}
	categories := []lessons.Category{"correction", "preference", "architecture", "tool-usage"}
	projects := []string{"cli", "agentv", "shopfront", "example-project", "docs-site"}
	says := []string{"Fix up any code quality issues that you notice, and leave none by the wayside if they are small.", "Use `bun run`, not a path, which can be anything.", "Ask before running the e2e tests: they consume tokens."}
	for i := range 200 {
		l := lessons.Lesson{ID: lessons.ID(fmt.Sprintf("l%03d", i)), Status: lessons.Approved, Category: categories[i%4], Confidence: lessons.Confidence(0.35 + 0.6*float64(i%60)/60), Created: noon.AddDate(0, 0, -i),
			Wording: lessons.Wording{Content: fmt.Sprintf("%s (%d)", says[i%3], i), Insight: "They run real agents, so each run costs money."}, Scope: lessons.Scope{Project: projects[i%5], Role: "developer"}}
		if i%7 == 0 {
			l.Status = lessons.Pending
		}
		if l.Use.Used = 40 - i; l.Use.Used < 0 {
			l.Use.Used = 0
		}
		l.Use.Helped = l.Use.Used / 4
		l.Evidence = []lessons.Evidence{{By: lessons.ByPerson, Agent: "claude-code", At: noon.AddDate(0, 0, -i), Quote: "please fix up any code quality issues"}, {By: lessons.ByTool, Agent: "codex", Quote: "exit 1"}}
		p.Lessons = append(p.Lessons, l)
	}
	p.Lessons = append(p.Lessons,
		lessons.Lesson{ID: "mig1", Status: lessons.Approved, Category: "architecture", Confidence: 0.9, Wording: lessons.Wording{Content: "A database migration of the orders table is written in two steps.", Example: "ALTER TABLE orders ADD paid_at;"}, Scope: lessons.Scope{Project: "shopfront"},
			Evidence: []lessons.Evidence{{By: lessons.ByPerson, Quote: "two steps please", At: noon}}},
		lessons.Lesson{ID: "bad1", Status: lessons.Pending, Category: "correction", Confidence: 0.3, Wording: lessons.Wording{Content: `<img src="` + spy + `/a.png" onerror="window.hacked=1"><script>window.hacked=1;fetch("` + spy + `")</script>`}, Scope: lessons.Scope{Project: `"><script src="` + spy + `/b.js"></script>`}},
		lessons.Lesson{ID: "bad2", Status: lessons.Pending, Category: "correction", Confidence: 0.4, Wording: lessons.Wording{Content: "</script><link rel=stylesheet href=" + spy + "/c.css>", Insight: "javascript:alert(1) \u202e"}, Scope: lessons.Scope{Project: "cli"}},
	)
	return p
}

func someFigures() Figures {
	f := Figures{Weeks: 12}
	f.Numbers = []Number{{"1,204", "lessons approved", "▲ 38 this week", Fine}, {Value: "72 %", Label: "of sessions were given one"}, {"9", "said again after approval", "▼ 4", Fine}, {Value: "2.8 s", Label: "a decision, 163 still wait"}}
	for i, name := range []string{"Runs the e2e tests unasked", "strings.Contains in redact tests", "bd with unknown flags"} {
		f.Mistakes = append(f.Mistakes, Mistake{name, []int{1, 2, 1, 4, 3, 6, 5, 8, 3, 2, 1, i}, 31 - i*9, []string{"✓ since September", "waits to be judged", "no lesson yet"}[i], []Tone{Fine, Warning, Bad}[i]})
	}
	return f
}
