package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notWord = regexp.MustCompile(`[^\w\- ]`)
)

// TestLinks checks that the documents' links to files and headings work.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	headings := func(text string) map[string]bool {
		out := map[string]bool{}
		for _, h := range heading.FindAllStringSubmatch(text, -1) {
			out[strings.ReplaceAll(notWord.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
		}
		return out
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			file, place, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, ":") {
				continue // of the web
			}
			to := path
			if file != "" {
				to = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
			}
			there, err := os.ReadFile(to)
			if info, staterr := os.Stat(to); staterr == nil && info.IsDir() {
				err = nil
			}
			if err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			} else if place != "" && !headings(string(there))[place] {
				t.Errorf("%s links to %s, which has no such heading", path, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestReadme checks that the README stays within two screens of text, and that
// docs/verbs.md has each verb.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	const most = 80
	if n := strings.Count(string(text), "\n"); n > most {
		t.Errorf("the README has %d lines, over %d: what is looked up belongs into docs", n, most)
	}
	verbsPage, err := os.ReadFile(filepath.Join("..", "..", "docs", "verbs.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range verbs {
		for _, newVerb := range g.make {
			if name := newVerb(newApp(env{}, nil)).Name(); !regexp.MustCompile("(?m)^\\| .*`" + name + "\\b").Match(verbsPage) {
				t.Errorf("docs/verbs.md lacks %s", name)
			}
		}
	}
}
