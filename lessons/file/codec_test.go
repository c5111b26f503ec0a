package file

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

var update = flag.Bool("update", false, "write the golden files anew")

// full is a lesson that uses everything a file can hold.
func full() lessons.Lesson {
	at := time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC)
	return lessons.Lesson{
		ID: "k7m2p9qx", Status: lessons.Rejected, Category: "workflow",
		Wording: lessons.Wording{
			Content: "Run `make generate` after editing any .proto file; CI --- it says \"stale\" --- fails",
			Insight: "Why: the generated client is checked in.\n\n## Evidence\nis a line of the insight here.",
			Example: "make generate && git diff --exit-code gen/",
		},
		Tags: []string{"protobuf", "code gen", "c++", "a,b", "--flag", "naïve"}, Triggers: []string{"edit a .proto file", "grpc: client"},
		Scope: lessons.Scope{Project: "octofs", Role: "developer:general", Global: true}, Confidence: 0.92,
		Evidence: []lessons.Evidence{
			{Agent: "octomind", Session: "260828-101500-octofs-9c1d2e3f", Path: "session://260828-101500-octofs-9c1d2e3f/message/4"},
			{
				Agent: "claude-code", Session: "0b51d8e2", UUID: "u-1", Path: "/home/ann/.claude/projects/x/0b51d8e2.jsonl", Line: 1412,
				By: lessons.ByPerson, From: "rejection", Author: "bea", Link: "https://github.com/ann/shop/pull/12#discussion_r1", At: at, Quote: "you forgot to regenerate\nagain, \x1b[31malways\x1b[0m run make generate",
				Before: []string{"I edited user.proto", "done"}, After: []string{"Right, running `make generate`"},
			},
			{Agent: "My Agent", Session: "has space", Quote: "words"},
		},
		Use:    lessons.Use{Used: 3, Helped: 1, Last: at.Add(time.Hour)},
		Proof:  lessons.Proof{Prior: 0.8, Alpha: 1.2345, Beta: 0.5, Outcomes: 3, Last: at.Add(2 * time.Hour), Confirmed: at.Add(time.Minute), Confirmations: 2, Own: true},
		Pinned: true, Guard: lessons.Guard{Patterns: []string{"command git push --force", `flag "a b"`, "path gen/**", "path ---.x"}, Deny: true, By: "Ann", Of: "abc"},
		Origin: lessons.Origin{Source: "0b51d8e2", Extractor: "rules", Rule: "a person said always", Declined: "c8t4xq8d", DeclinedAt: at.Add(-time.Hour), Score: 0.61, Stands: "CLAUDE.md:12", Against: "web/CLAUDE.md:3: Use npm: \"always\"", Unsaid: []string{"pnpm i", "evil: yes"}},
		Decided: lessons.Decision{
			By: "Ann", Reason: "not ours --- theirs", At: at.Add(24 * time.Hour), Until: at.Add(48 * time.Hour),
			SupersededBy: "b7t4xq8c",
		},
		Lane:      lessons.Maybe,
		Offer:     lessons.Offer{Wording: lessons.Wording{Content: "Use pnpm: \"never\" npm", Insight: "it has the lock file\nhere", Example: "pnpm i"}, Category: "tool-usage", Extractor: "model:x"},
		HoldsWith: []lessons.Holding{{ID: "c2d3e4f5", Reason: "that one is for gRPC, \"this\" for REST: both"}, {ID: "d3e4f5g6"}},
		Created:   at.Add(123 * time.Millisecond),
		Extra: []lessons.Field{
			{Key: "memory_type", Value: "orientation"}, {Key: "title", Value: `"A title of its own"`}, {Key: "nested", Value: "\n  a: 1 # kept\n  b: [x, y]"},
		},
	}
}

func TestGolden(t *testing.T) {
	minimal := lessons.Lesson{ID: "a2345678", Status: lessons.Approved, Wording: lessons.Wording{Content: "Use tabs"}, Confidence: 0.9, Created: time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC)}
	heading := minimal
	heading.Insight, heading.Example = "Like this:\n\n    first\n    second", "third\n\n  fourth"
	for name, l := range map[string]lessons.Lesson{"full.md": full(), "minimal.md": minimal, "heading.md": heading} {
		t.Run(name, func(t *testing.T) {
			got, err := Encode(l)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "golden", name)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("Encode gives\n%s\nwant\n%s", got, want)
			}
			roundTrip(t, l)
		})
	}
}

// roundTrip checks that a file holds the normal form of a lesson, all of it.
func roundTrip(t *testing.T, l lessons.Lesson) {
	t.Helper()
	text, err := Encode(l)
	if err != nil {
		if errors.Is(err, lessons.ErrInvalid) {
			return // too large
		}
		t.Fatalf("Encode: %v", err)
	}
	got, err := Decode(text)
	if err != nil {
		t.Fatalf("Decode: %v\n%s", err, text)
	}
	if want := Normal(l); !reflect.DeepEqual(got, want) {
		t.Fatalf("Decode(Encode(l)) is\n%#v\nwant\n%#v\nin\n%s", got, want, text)
	}
	if again, err := Encode(got); err != nil || !bytes.Equal(again, text) {
		t.Fatalf("a second Encode gives (%v)\n%s\nwant\n%s", err, again, text)
	}
	octomindReadsAlike(t, string(text), got)
}

// octomindReadsAlike reads a file as Octomind's own reader does: lines up to
// the first "---" anywhere, a value up to the line's end.
func octomindReadsAlike(t *testing.T, file string, l lessons.Lesson) {
	t.Helper()
	head, _, _ := strings.Cut(strings.TrimPrefix(file, "---\n"), "---")
	got := map[string]string{}
	for line := range strings.Lines(head) {
		if k, v, ok := strings.Cut(strings.TrimRight(line, "\n"), ":"); ok {
			if _, twice := got[k]; !twice {
				got[k] = strings.TrimSpace(v)
			}
		}
	}
	undo := strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
	unquote := func(s string) string {
		return undo.Replace(strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`))
	}
	for key, want := range map[string]string{"content": l.Content, "project": l.Scope.Project, "role": l.Scope.Role, "source": l.Origin.Source} {
		if strings.Contains(want, "---") || strings.Contains(want, hyphens) || strings.ContainsFunc(want, func(r rune) bool { return r != '\n' && r != '\t' && Invisible(r) }) {
			continue // written as an escape that Octomind shows as it is
		}
		if have := unquote(got[key]); have != want {
			t.Errorf("Octomind would read %s as %q, not %q", key, have, want)
		}
	}
	if got["confidence"] != l.Confidence.Word() {
		t.Errorf("Octomind would read confidence as %q", got["confidence"])
	}
	simpleTags := true
	for _, s := range l.Tags {
		simpleTags = simpleTags && plainItem(s)
	}
	if want := "[" + strings.Join(l.Tags, ", ") + "]"; simpleTags && got["tags"] != want {
		t.Errorf("Octomind would read tags as %s, not %s", got["tags"], want)
	}
}

func TestOctomindFiles(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "interop", "octomind")
	text, err := os.ReadFile(filepath.Join(root, "expected_files.json"))
	if err != nil {
		t.Skipf("the files of Octomind are not here: %v", err)
	}
	var want struct {
		Files map[string]*struct {
			Content, Confidence, Source, Role, Project, Created, Scope string
			MemoryType                                                 string `json:"memory_type"`
			Tags, Evidence, Related                                    []string
			LastUsed                                                   string `json:"last_used"`
			UseCount                                                   int    `json:"use_count"`
		}
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for path, w := range want.Files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
			if err != nil {
				t.Fatal(err)
			}
			l, err := Decode(data)
			if w == nil {
				if err == nil {
					t.Error("Octomind skips this file; we read it")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			// The first era's reader shows the backslashes that its writer put there.
			if got := l.Content; got != w.Content && got != strings.ReplaceAll(w.Content, `\"`, `"`) {
				t.Errorf("content %q, want %q", got, w.Content)
			}
			created, _ := time.Parse(time.RFC3339Nano, w.Created)
			if !l.Created.Equal(created) || l.Origin.Source != w.Source || l.Scope.Project != w.Project || l.Scope.Role != w.Role ||
				l.Confidence.Word() != w.Confidence || l.Scope.Global != (w.Scope == "global") || l.Use.Used != w.UseCount {
				t.Errorf("read as %+v", l)
			}
			if len(l.Tags) != len(w.Tags) || len(l.Evidence) != len(w.Evidence) {
				t.Errorf("tags %q, evidence %v", l.Tags, l.Evidence)
			}
			if w.MemoryType != learning && (len(l.Extra) == 0 || l.Extra[0].Value != w.MemoryType) {
				t.Errorf("memory type is lost: %v", l.Extra)
			}
			roundTrip(t, l)
		})
	}
}

func TestDecodeForeign(t *testing.T) {
	decodeString := func(s string) lessons.Lesson {
		t.Helper()
		l, err := Decode([]byte(s))
		if err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
		return l
	}
	l := decodeString("---\ncontent: \"C:\\dir says \\\"hi\\\"\"\nimportance: 1\nconfidence: high\ntags: [a, b]\n---\n")
	if l.Content != `C:\dir says "hi"` || l.Confidence != 1 || l.Status != lessons.Pending || l.Category != "pattern" || l.ID == "" {
		t.Errorf("first era with a backslash: %+v", l)
	}
	if again := decodeString("---\ncontent: 'C:\\dir says \"hi\"'\n---\n"); again.ID != l.ID {
		t.Error("the derived id depends on more than project, role, date and content")
	}
	l = decodeString("\ufeff---\r\ncontent: plain words # a comment\r\ntags:\r\n  - x\r\n  - 'y z'\r\ncreated: 2026-04-05\r\nid: m0000001\r\nscore: 0.81\r\nconfidence: medium\r\nodd_key: {a: 1}\r\n---\r\nBecause.\r\n\r\n    go test\r\n")
	if l.Content != "plain words" || len(l.Tags) != 2 || l.Confidence != 0.81 || l.Insight != "Because." || l.Example != "go test" ||
		!reflect.DeepEqual(l.Extra, []lessons.Field{{Key: "odd_key", Value: "{a: 1}"}}) {
		t.Errorf("by hand: %+v", l)
	}
	roundTrip(t, l)
	l = decodeString("---\ncontent: x\n---\n## Evidence\nI saw it myself.\n")
	if l.Insight != "## Evidence\nI saw it myself." {
		t.Errorf("another's evidence: %q", l.Insight)
	}
	roundTrip(t, l)
}

func TestDecodeRefuses(t *testing.T) {
	big := strings.Repeat("k: v\n", maxHead/5+2)
	for name, c := range map[string]struct {
		text string
		line int
		want string
	}{
		"empty":            {"", 1, "frontmatter"},
		"no frontmatter":   {"just text\n", 1, "no frontmatter"},
		"not closed":       {"---\ncontent: x\n", 1, "not closed"},
		"no content":       {"---\ntags: [a]\n---\n", 1, "no content"},
		"empty head":       {"---\n---\n", 1, "no content"},
		"blank content":    {"---\ntags: [a]\ncontent: \" \"\n---\n", 3, "no content"},
		"conflict":         {"---\ncontent: x\n<<<<<<< HEAD\nscore: 1\n=======\nscore: 0\n>>>>>>> other\n---\n", 3, "conflict markers"},
		"conflict in body": {"---\ncontent: x\n---\n\n<<<<<<< HEAD\n", 5, "conflict markers"},
		"anchor":           {"---\ncontent: x\na: &b [1]\n---\n", 3, "anchors"},
		"alias":            {"---\ncontent: x\na: &b 1\nc:\n  - *b\n---\n", 3, "anchors"},
		"twice":            {"---\ncontent: x\ntags: [a]\ncontent: y\n---\n", 4, "the first is in line 2"},
		"NaN":              {"---\ncontent: x\nscore: NaN\n---\n", 3, "not a number"},
		"YAML's NaN":       {"---\ncontent: x\nimportance: .nan\n---\n", 3, "not a number"},
		"score":            {"---\ncontent: x\nscore: 2\n---\n", 3, "from 0 to 1"},
		"confidence":       {"---\ncontent: x\nconfidence: sure\n---\n", 3, "sure"},
		"status":           {"---\ncontent: x\n\nstatus: liked\n---\n", 4, "liked"},
		"id":               {"---\ncontent: x\nid: ../../etc\n---\n", 3, "id"},
		"merged":           {"---\ncontent: x\nstatus: merged\n---\n", 3, "into"},
		"time":             {"---\ncontent: x\ncreated: yesterday\n---\n", 3, "yesterday"},
		"weight":           {"---\ncontent: x\nalpha: some\n---\n", 3, "some"},
		"negative weight":  {"---\ncontent: x\nbeta: -1\n---\n", 3, "-1"},
		"truth":            {"---\ncontent: x\npinned: maybe\n---\n", 3, "maybe"},
		"count":            {"---\ncontent: x\nused: many\n---\n", 3, "many"},
		"list":             {"---\ncontent: x\ntags: {a: b}\n---\n", 3, "list"},
		"nested content":   {"---\ncontent: [x]\n---\n", 2, "text"},
		"broken YAML":      {"---\ncontent: x\nproject: \"never closed\ntags: []\n---\n", 3, ""},
		"a line of words":  {"---\ncontent: x\nno key here\n---\n", 3, ""},
		"flow":             {"---\n{content: x}\n---\n", 2, "lines"},
		"64 KB of YAML":    {"---\ncontent: x\n" + big + "---\n", 1, "more than 64 KB"},
		"1 MB":             {"---\ncontent: x\n---\n" + strings.Repeat("x", MaxSize), 0, "larger"},
		"not UTF-8":        {"---\ncontent: x\nrole: \xff\n---\n", 3, "UTF-8"},
		"evidence":         {"---\nid: a\ncontent: x\n---\n\n## Evidence\n- said by nobody\n", 7, "evidence"},
	} {
		_, err := Decode([]byte(c.text))
		bad := (*Error)(nil)
		if !errors.As(err, &bad) {
			t.Errorf("%s: got %v, want a Error", name, err)
		} else if bad.Line != c.line || !strings.Contains(bad.Err.Error(), c.want) {
			t.Errorf("%s: got line %d: %v; want line %d: …%s…", name, bad.Line, bad.Err, c.line, c.want)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	l := full()
	l.Tags = []string{strings.Repeat("long ", maxHead/5)}
	if _, err := Encode(l); !errors.Is(err, lessons.ErrInvalid) {
		t.Errorf("frontmatter that could not be read back: %v", err)
	}
	l = full()
	l.Evidence[1].Quote = strings.Repeat("x", MaxSize)
	if _, err := Encode(l); !errors.Is(err, lessons.ErrInvalid) {
		t.Errorf("a file that could not be read back: %v", err)
	}
	l = full()
	l.Confidence = lessons.Confidence(math.NaN())
	if _, err := Encode(l); !errors.Is(err, lessons.ErrInvalid) {
		t.Errorf("NaN: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	golden, _ := filepath.Glob(filepath.Join("testdata", "*", "*.md"))
	for _, g := range golden {
		data, err := os.ReadFile(g)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("---\ncontent: x\nodd: |\n  a\n\n  b\n# note\nlast: [1,\n 2]\n---\ntext\n\n    code\n"))
	f.Add([]byte("---\ncontent: x\nlast: [0\",]\ntags: [a \"b\" c, d]\n---\n"))
	f.Add([]byte("---\ncontent: \"a\\\"b\\x2d\\u202e\"\ntags: [a, b-c, 1.0]\nid: x\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Decode(data)
		if err != nil {
			if bad := (*Error)(nil); !errors.As(err, &bad) {
				t.Fatalf("%v is no Error", err)
			}
			return
		}
		roundTrip(t, l)
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("content", "insight\n\n    code", "example", "tag", "a: b", "key", "value", "quote", 0.5, 3, int64(1))
	f.Add("---", "## Evidence\n\\## Example", "\n\n  x\n\t\ny", "a,b", "true", "memory_type", "experience", "a\x1b\u202e\"", 0.999, -1, int64(-1<<60))
	f.Add("a\r\nb", "<<<<<<< HEAD", "", "--", "# c", "nested", "\n  a: 1\n  b: 2", "\xff", 0.0, 1, int64(1<<60))
	f.Add("x", "", "", "", "", "k", "&a *a", "", 1.0, 0, int64(0))
	f.Fuzz(func(t *testing.T, content, insight, example, tag, text, key, value, quote string, conf float64, n int, at int64) {
		when := time.Unix(0, at).In(time.FixedZone("x", 3600))
		l := lessons.Lesson{
			ID: "k7m2p9qx", Status: lessons.Statuses[uint(n)%5], Category: lessons.Category(tag), Wording: lessons.Wording{Content: content, Insight: insight, Example: example},
			Tags: []string{tag, text, quote}, Triggers: []string{text, tag}, Scope: lessons.Scope{Project: text, Role: tag, Global: n%2 == 0}, Confidence: lessons.Confidence(conf),
			Evidence: []lessons.Evidence{
				{Agent: text, Session: tag, UUID: key, Path: value, Line: n, By: lessons.Speaker(key), From: tag, Author: key, Link: text, At: when, Quote: quote, Before: []string{content, ""}, After: []string{insight}},
				{Agent: tag, Session: text, By: lessons.ByTool, Quote: text}, {Agent: octomind, Session: key, Path: linkScheme + key + linkPart + "1"}, {Session: quote}, {},
			},
			Use: lessons.Use{Used: n, Helped: -n, Last: when}, Pinned: n%3 == 0, Origin: lessons.Origin{Source: quote, Extractor: text, Rule: example, Declined: lessons.ID(tag), DeclinedAt: when},
			Elsewhere: lessons.Approval{By: tag, At: when, Reason: insight},
			Decided:   lessons.Decision{By: text, Reason: insight, At: when, Into: lessons.ID(quote), Until: when, SupersededBy: lessons.ID(text)},
			HoldsWith: []lessons.Holding{{ID: "other", Reason: quote}, {ID: "third", Reason: text}},
			Created:   when, Extra: []lessons.Field{{Key: key, Value: value}, {Key: text, Value: quote}, {Key: key, Value: tag}},
		}
		l.Proof = lessons.Proof{
			Prior: lessons.Confidence(-conf), Alpha: conf * float64(n), Beta: conf / float64(n), Outcomes: n, Last: when,
			Confirmed: when, Confirmations: -n, Own: n%2 == 0,
		}
		if l.Validate() == nil {
			roundTrip(t, l)
		}
	})
}

// TestQuoteInvisible: what cannot be seen is an escape in YAML and in JSON, beyond
// U+FFFF too.
func TestQuoteInvisible(t *testing.T) {
	const s = "a\u202eb\u200bc\u2066d\U000e0041e\U0001f389"
	if got, want := QuoteYAML(s), `"a\u202eb\u200bc\u2066d\U000e0041e🎉"`; got != want {
		t.Errorf("YAML: %s, want %s", got, want)
	}
	var back string
	if err := json.Unmarshal([]byte(quoteJSON(s)), &back); err != nil || back != s || strings.ContainsFunc(quoteJSON(s), Invisible) {
		t.Errorf("JSON: %s, %v", quoteJSON(s), err)
	}
	l := lessons.Lesson{ID: "a1", Status: lessons.Pending, Wording: lessons.Wording{Content: s, Insight: "why"}}
	text, err := Encode(l)
	if err != nil || strings.ContainsFunc(string(text[:bytes.Index(text, []byte("why"))]), func(r rune) bool { return r != '\n' && Invisible(r) }) {
		t.Errorf("%q, %v", text, err)
	}
	if back, err := Decode(text); err != nil || back.Content != s {
		t.Errorf("%q, %v", back.Content, err)
	}
}
