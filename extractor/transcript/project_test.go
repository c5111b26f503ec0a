package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

// TestProjectByPath tells projects of directories that are not on this machine.
func TestProjectByPath(t *testing.T) {
	p := transcript.NewProjects("/nowhere/me", map[string]string{"old-name": "new-name", "a": "b", "b": "a"})
	for dir, want := range map[string]string{
		"":                                    "unknown",
		"   ":                                 "unknown",
		"/":                                   "root",
		`C:\`:                                 "root",
		"/nowhere/me":                         "home",
		"/Users/alex":                         "home",
		"/home/alex/":                         "home",
		`C:\Users\alex`:                       "home",
		"/Users/alex/workspace/cli":           "cli",
		"/Users/alex/workspace/cli/":          "cli",
		"/Users/alex/workspace/old-name":      "new-name",
		"/x/a":                                "a", // a ring of aliases ends
		`C:\Users\alex\src\tool\`:             "tool",
		`D:/src/tool`:                         "tool",
		`\\server\share\tool`:                 "tool",
		"/Users/alex/cli/.worktrees/2":        "cli",
		"/Users/alex/cli/.worktrees/alex/ent": "cli",
		"/Users/x/repo/.claude/worktrees/brave-fox/cmd": "repo",
		`C:\src\repo\.claude\worktrees\brave-fox`:       "repo",
		"/home/x/.codex/worktrees/ab12/agentv":          "agentv",
		"/home/x/worktrees/repo/feature":                "repo",
		"/home/x/worktrees/repo":                        "repo",
		"/home/x/src/repo/worktrees/feature":            "repo",
		"/home/x/projects/agentv__worktrees/av-5":       "agentv",
		"/home/x/projects/agentv.worktrees/av-5":        "agentv",
		"/home/x/projects/my-worktrees":                 "my-worktrees",
		"/srv/repo/.git/modules":                        "repo",
		"/x/..":                                         "root",
		"/x/...":                                        "unknown",
		"/x/a\x00b\x1b[31mc":                            "ab[31mc",
		"relative":                                      "relative",
		"/x/\xff":                                       "unknown",
		"/x/" + strings.Repeat("n", 300):                strings.Repeat("n", 300),
	} {
		if got := p.Project(dir); got != want {
			t.Errorf("%q: %q, want %q", dir, got, want)
		}
	}
}

// TestProjectByGit tells projects by the repositories that are there.
func TestProjectByGit(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".git/HEAD", "ref: refs/heads/main\n") // dot-files: no project of what lies below
	write("src/app/.git/HEAD", "ref: refs/heads/main\n")
	write("src/app/cmd/x/main.go", "")
	write("src/app/.git/worktrees/fix/commondir", "../..\n")
	write("elsewhere/fix/.git", "gitdir: "+filepath.Join(home, "src", "app", ".git", "worktrees", "fix")+"\n")
	write("src/app/.git/worktrees/rel/commondir", "../..\n")
	write("src/rel/.git", "gitdir: ../app/.git/worktrees/rel\n")
	write("src/app/lib/sub/.git", "gitdir: ../../.git/modules/sub\n")
	write("src/app/.git/modules/sub/HEAD", "ref: refs/heads/main\n")
	write("bare/tool.git/worktrees/one/commondir", "../..\n")
	write("bare/one/.git", "gitdir: "+filepath.Join(home, "bare", "tool.git", "worktrees", "one")+"\n")
	write("gone/wt/.git", "gitdir: /no/such/repo/.git/worktrees/wt\n")
	write("plain/notes/x", "")

	p := transcript.NewProjects(home, nil)
	for dir, want := range map[string]string{
		"src/app":              "app",
		"src/app/cmd/x":        "app",
		"src/app/cmd/deleted":  "app",
		"elsewhere/fix":        "app",
		"elsewhere/fix/deeper": "app",
		"src/rel":              "app",
		"src/app/lib/sub":      "sub",
		"bare/one":             "tool",
		"gone/wt":              "repo",
		"plain/notes":          "notes",
		"":                     "home",
	} {
		if runtime.GOOS == "windows" && dir == "gone/wt" {
			continue // its path is of another system
		}
		if got := p.Project(filepath.Join(home, filepath.FromSlash(dir))); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// TestDirBeside reads the project's folder from what an agent keeps beside its
// sessions: Gemini's .project_root and projects.json, Cline's sidecar.
func TestDirBeside(t *testing.T) {
	gemini, err := os.ReadFile(filepath.Join("testdata", "gemini-cli", "lines.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	cline, err := os.ReadFile(filepath.Join("testdata", "cline", "1795311693682_d61sx.messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]map[string]string{
		".gemini/tmp/shop/chats/s.jsonl":         {".gemini/tmp/shop/.project_root": "/home/sam/shop\n"},
		".gemini/tmp/shop/chats/parent/s.jsonl":  {".gemini/tmp/shop/.project_root": "/home/sam/shop"},
		".gemini/tmp/store/chats/s.jsonl":        {".gemini/projects.json": `{"projects":{"/home/sam/other":"other","/home/sam/shop":"store"}}`},
		".cline/data/sessions/1/1.messages.json": {".cline/data/sessions/1/1.json": `{"cwd":"/home/sam/shop"}`},
	} {
		dir := t.TempDir()
		data := gemini
		if strings.HasPrefix(name, ".cline") {
			data = cline
		}
		files[name] = string(data)
		for file, text := range files {
			path := filepath.Join(dir, filepath.FromSlash(file))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		info, err := transcript.Scan(t.Context(), transcript.File{Path: filepath.Join(dir, filepath.FromSlash(name))})
		if err != nil || info.Session.Dir != "/home/sam/shop" {
			t.Errorf("%s: %q %v", name, info.Session.Dir, err)
		}
	}
}

func FuzzProject(f *testing.F) {
	f.Add("/home/x/worktrees/repo/feature")
	f.Add(`\\server\share\..\x`)
	f.Fuzz(func(t *testing.T, dir string) {
		got := transcript.NewProjects("/home/x", nil).Project(dir)
		if got == "" || strings.ContainsAny(got, "/\\\x00\x1b") || strings.Trim(got, ".") == "" {
			t.Errorf("%q: %q", dir, got)
		}
	})
}
