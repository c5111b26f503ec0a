package recall

import (
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// doing is what is told at a moment, by the contents of the lessons.
func doing(t *testing.T, all []lessons.Lesson, m Moment, had ...lessons.ID) (told []string) {
	t.Helper()
	pick := Picker(func(s Situation, b Budget, _ bool) ([]Choice, error) {
		x, done, err := index.Over(t.Context(), func(yield func(lessons.Lesson, error) bool) {
			for _, l := range all {
				if !yield(l, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		return Pick(t.Context(), x, nil, s, b)
	})
	chosen, err := pick.Doing(Situation{Project: "shop", Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}, m, had, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range chosen {
		if c.In {
			told = append(told, c.Lesson.Content)
		}
	}
	return told
}

func rules(contents ...string) (out []lessons.Lesson) {
	for i, c := range contents {
		out = append(out, lessons.Lesson{
			ID: lessons.ID("l" + string(rune('a'+i))), Status: lessons.Approved, Category: "workflow", Confidence: 0.8,
			Wording: lessons.Wording{Content: c}, Scope: lessons.Scope{Project: "shop"}, Created: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
		})
	}
	return out
}

func runs(command string) Moment {
	return MomentOf("Bash", &guard.Call{Command: command, Dir: "/src/shop"}, "")
}

// A rule is told before the command that it is about, and before no other.
func TestCommands(t *testing.T) {
	for _, test := range []struct {
		rule string
		tell []string
		not  []string
	}{
		{"Never run npm install; this repository uses pnpm", []string{"npm install", "npm i zod", "cd web && sudo npm install", `bash -lc "npm install"`}, []string{"npm test", "pnpm install", "echo npm install", "git commit -m 'npm install'"}},
		{"Never run `npm install` here; use `pnpm add`.", []string{"npm install zod"}, []string{"npm test", "pnpm add zod"}},
		{"Always use pnpm instead of npm in this repo.", []string{"npm install", "npm test", "npm run build"}, []string{"npx vitest", "node x.js"}},
		{"Run the linter before you commit", []string{"git commit -m x", "git -C web commit", "git add -A && git commit --amend"}, []string{"git push", "git log", "ls"}},
		{"Commit messages follow Conventional Commits", []string{"git commit -m x"}, []string{"git status"}},
		{"Commit the transaction before the cursor is closed", nil, []string{"git commit -m x"}},
		{"The bug came with commit 4f2a91c03", nil, []string{"git commit -m x"}},
		{"Verify a cited commit before naming its SHA in a PR reply", nil, []string{"git commit", "gh pr create"}},
		{"The auto-commit strategy has no steps", nil, []string{"git commit"}},
		{"CI runs npm run audit:unused; run it locally before pushing", []string{"git push", "npm run audit:unused"}, []string{"npm run build", "git commit"}},
		{"never force-push", []string{"git push", "git push -f origin main"}, []string{"git commit", "git pull"}},
		{"Ask before you push to main", []string{"git push origin main"}, []string{"git pull"}},
		{"Send push notifications through the queue", nil, []string{"git push"}},
		{"Open a PR against develop, never against main", []string{"gh pr create --fill", "gh -R a/b pr create"}, []string{"gh pr view 3", "git push", "gh issue create"}},
		{"Pull requests need a test plan", []string{"gh pr create"}, []string{"gh pr checkout 2"}},
		{"Squash when you merge a branch", []string{"git merge x", "gh pr merge 3 --squash"}, []string{"git rebase"}},
		{"merge overlapping incident windows; ignore merged blips", nil, []string{"git merge main"}},
		{"Rebase onto main, do not merge it", []string{"git rebase origin/main"}, nil},
		{"Tag releases as v1.2.3", []string{"git tag v1.0.0"}, []string{"git push"}},
		{"Drop all-numeric tags but years", nil, []string{"git tag v1"}},
		{"Write release notes for each release", []string{"gh release create v1"}, []string{"cargo build --release"}},
		{"Use `make test` and not `go test ./...`", []string{"go test ./..."}, []string{"make build", "go build"}},
		{"Run `make generate` after editing a proto file", []string{"make generate"}, []string{"make test", "make"}},
		{"Use rg instead of grep", []string{"grep -r x ."}, []string{"find ."}},
		{"The date on the invoice is in UTC", nil, []string{"date", "find . -name invoice"}},
		{"Sort imports with isort", nil, []string{"sort x", "cat x"}},
		{"Deploy with `./scripts/deploy.sh --dry-run` first", []string{"./scripts/deploy.sh", "bash scripts/deploy.sh prod"}, []string{"./scripts/test.sh"}},
		{"`npm run build` needs node 20", []string{"npm run build"}, []string{"npm run test", "npm install"}},
		{"CI has no jq, so scripts parse JSON with python3", []string{"python3 x.py"}, []string{"jq ."}},
		{"Use git worktrees for what takes long", nil, []string{"git commit", "git status"}},
		{"Start the database with `docker compose up -d db`", []string{"docker compose up"}, []string{"docker ps", "docker compose down"}},
		{"kubectl is read-only here", []string{"kubectl apply -f x"}, nil},
	} {
		for _, command := range test.tell {
			if got := doing(t, rules(test.rule), runs(command)); len(got) != 1 {
				t.Errorf("%q is not told before %q", test.rule, command)
			}
		}
		for _, command := range test.not {
			if got := doing(t, rules(test.rule), runs(command)); len(got) != 0 {
				t.Errorf("%q is told before %q", test.rule, command)
			}
		}
	}
}

// A call brings at most two, what is surest first, and nothing that the session has had.
func TestMomentBudget(t *testing.T) {
	all := rules("Run the linter before you commit", "Commit messages follow Conventional Commits", "Never run `git commit --no-verify`")
	got := doing(t, all, runs("git commit -m x"))
	if len(got) != 2 || got[0] != all[2].Content {
		t.Errorf("told %q", got)
	}
	if got = doing(t, all, runs("git commit -m x"), "la", "lc"); !slices.Equal(got, []string{all[1].Content}) {
		t.Errorf("then %q", got)
	}
	all[0].Content = "Before you commit " + strings.Repeat("look at this and that ", 200)
	if got = doing(t, all[:1], runs("git commit")); len(got) != 0 {
		t.Errorf("more than there is room for: %d bytes", len(got[0]))
	}
}

// A lesson is told of the file that it names, and of no other.
func TestFiles(t *testing.T) {
	for _, test := range []struct {
		rule, file string
		want       bool
	}{
		{"slugify (boltons/strutils.py): & is and", "boltons/strutils.py", true},
		{"slugify (boltons/strutils.py): & is and", "/src/shop/boltons/strutils.py", true},
		{"slugify (boltons/strutils.py): & is and", "/src/shop/other/strutils.py", false},
		{"slugify (boltons/strutils.py): & is and", "/src/shop/boltons/xstrutils.py", false},
		{"Keep coupon.ts free of React.", "/src/shop/web/coupon.ts", true},
		{"Keep coupon.ts free of React.", "/src/shop/web/coupon.tsx", false},
		{"Keep coupon.ts free of React.", "/src/shop/web/my-coupon.ts", false},
		{"Look at coupon.ts:12 first", "/src/shop/web/coupon.ts", true},
		{"Pin versions in package.json", "/src/shop/package.json", false},
		{"Pin versions in `web/package.json`", "/src/shop/web/package.json", true},
		{"Routes are in src/index.ts", "/src/shop/src/index.ts", true},
		{"Routes are in index.ts", "/src/shop/src/index.ts", false},
		{"Node.js 20 is needed", "Node.js", false},
		{"Since v1.2.3 the cache is on", "v1.2.3", false},
		{"The cache is a file", "/src/shop/cache", false},
		{"Build with ./deploy/Makefile", "/src/shop/deploy/Makefile", true},
		{"Never edit go.sum by hand", "/src/shop/go.sum", true},
		{`Windows: src\pay\rounding.go rounds down`, "/src/shop/src/pay/rounding.go", true},
		{"äö über.py hat zwei Teile", "/src/shop/über.py", true},
	} {
		got := doing(t, rules(test.rule), Moment{Tool: "Edit", Files: []string{test.file}})
		if (len(got) == 1) != test.want {
			t.Errorf("%q of %s: told %q", test.rule, test.file, got)
		}
	}
	placed := rules("Migrations are never changed once merged")
	placed[0].Limit.Paths = []string{"migrations/**"}
	if got := doing(t, placed, Moment{Files: []string{"/src/shop/db/migrations/1.sql"}}); len(got) != 1 {
		t.Error("not told of a file that its pattern means")
	}
	if got := doing(t, placed, Moment{Files: []string{"/src/shop/db/x.sql"}}); len(got) != 0 {
		t.Error("told of another")
	}
	if got := doing(t, rules("rounding.py rounds down"), runs("sed -n 1,20p pay/rounding.py | head")); len(got) != 1 {
		t.Error("not told of a file that a shell reads")
	}
	if got := doing(t, rules("rounding.py rounds down"), runs("cat > pay/rounding.py <<E\nx\nE")); len(got) != 1 {
		t.Error("not told of a file that a shell writes")
	}
}

// A cure is given when its error recurs, in whichever text the lesson keeps it; an error like
// any other brings up nothing.
func TestCures(t *testing.T) {
	cure := func(w lessons.Wording, quote string) lessons.Lesson {
		l := rules("x")[0]
		l.Wording = w
		if quote != "" {
			l.Evidence = []lessons.Evidence{{By: lessons.ByTool, Quote: quote}}
		}
		return l
	}
	dlopen := "Run `npm rebuild` in desktop/"
	for _, test := range []struct {
		lesson lessons.Lesson
		error  string
		want   bool
	}{
		{cure(lessons.Wording{Content: dlopen, Insight: "Otherwise it fails: ERR_DLOPEN_FAILED was compiled against a different version"}, ""), "Exit code 1\nError: ERR_DLOPEN_FAILED", true},
		{cure(lessons.Wording{Content: dlopen, Example: "Module did not self-register: better_sqlite3.node"}, ""), "2026-11-20T10:00:00Z Error: Module did not self-register: '/src/x/better_sqlite3.node'", true},
		{cure(lessons.Wording{Content: "Start redis first"}, "Exit code 1\nworker: broker gave up after 3 attempts at 10:22:11"), "worker: broker gave up after 5 attempts at 11:00:02", true},
		{cure(lessons.Wording{Content: "Start redis first"}, "cat: a.txt: No such file or directory"), "cat: b.json: No such file or directory", false},
		{cure(lessons.Wording{Content: "Start redis first"}, "bash: pnpm: command not found"), "bash: cargo: command not found", false},
		{cure(lessons.Wording{Content: "Start redis first"}, "AssertionError: expected 3 to be 4"), "AssertionError: expected 5 to be 7", false},
		{cure(lessons.Wording{Content: "Use node 20: TS2304 comes of node 18"}, ""), "src/a.ts(3,1): error TS2304: Cannot find name 'x'", true},
	} {
		m := MomentOf("Bash", &guard.Call{Command: "make"}, test.error)
		if got := doing(t, []lessons.Lesson{test.lesson}, m); (len(got) == 1) != test.want {
			t.Errorf("%q of %q: told %q", test.lesson.Wording, test.error, got)
		}
	}
	trace := "Traceback (most recent call last):\n  File \"/usr/lib/python3/dist-packages/x/strutils.py\", line 3, in run\n  File \"boltons/strutils.py\", line 12, in slugify\nAssertionError"
	if got := doing(t, rules("slugify (boltons/strutils.py): & is and", "slugify (other/strutils.py): no"), MomentOf("Bash", &guard.Call{Command: "pytest"}, trace)); len(got) != 1 || !strings.Contains(got[0], "boltons") {
		t.Errorf("of the file in which it failed: told %q", got)
	}
	m := MomentOf("Bash", &guard.Call{Command: "npm install zod"}, "npm error code 1")
	if got := doing(t, rules("Never run npm install; this repository uses pnpm"), m); len(got) != 1 {
		t.Error("the rule on the command that failed is not told")
	}
}

// What is read of a hostile sentence or name is bounded, and ends.
func FuzzNamesFile(f *testing.F) {
	f.Add("slugify (boltons/strutils.py): x", "/a/boltons/strutils.py")
	f.Add("über.py.", "über.py")
	f.Add("a.b.a.b", "a.b")
	f.Fuzz(func(t *testing.T, text, file string) {
		if namesFile(text, file) && !strings.Contains(text, file[strings.LastIndexByte(file, '/')+1:]) && !strings.HasSuffix(file, "/") && !strings.Contains(file, "..") {
			t.Errorf("%q names %q", text, file)
		}
	})
}
