package guard

import (
	"strings"
	"testing"

	"learnings/lessons"
)

// TestDerive has rules of people and what of them is enforced: as much on the side of
// what gives nothing.
func TestDerive(t *testing.T) {
	for sentence, want := range map[string]string{
		"Never run `npm install` in this repo; use `pnpm install`.":                   "command npm install",
		"Install packages with npm, not pnpm":                                         "command pnpm",
		"Use pnpm, not npm.":                                                          "command npm",
		"Use pnpm instead of npm":                                                     "command npm",
		"Instead of npm use pnpm.":                                                    "command npm",
		"Prefer `rg` over `grep`":                                                     "command grep",
		"Use rg rather than grep, because it respects .gitignore.":                    "command grep",
		"Never git push --force":                                                      "command git push --force",
		"Never force-push.":                                                           "command git push --force",
		"Don't use `git push --force`; use `git push --force-with-lease`.":            "command git push --force",
		"Do not commit with --no-verify.":                                             "command git commit --no-verify",
		"Never use `--no-verify`":                                                     "flag --no-verify",
		"Never pass `--force` to `git push`.":                                         "command git push --force",
		"Don't use `git add -A` or `git add .`; stage files by name.":                 "command git add -A|command git add .",
		"Never run `go test ./...`, it takes an hour. Run the package's own tests.":   "command go test ./...",
		"Do not run claude with --dangerously-skip-permissions, not even for a test.": "",
		"Never edit generated/*.go by hand; run make generate":                        "path generated/*.go",
		"Don't touch `.env`":                                                          "path .env",
		"Do not edit files in `gen/` directly.":                                       "path gen/",
		"Never modify package-lock.json manually":                                     "path package-lock.json",
		"Never use sudo.":                                                             "command sudo",
		"Please don't run `make deploy`.":                                             "command make deploy",
		"In this repo, never use `yarn`.":                                             "command yarn",
		"We do not use pip here; use uv.":                                             "command pip",
		"Never run ./scripts/reset-db.sh":                                             "command ./scripts/reset-db.sh",
		"Stop using `docker-compose`, use `docker compose`":                           "command docker-compose",
		"Don't run npm install or yarn install, use pnpm install.":                    "command npm install|command yarn install",
		"Use `npm ci`, not `npm install`.":                                            "command npm install",
		"Avoid `rm -rf`.":                                                             "command rm -rf",

		// Under a condition, or of something else than a call.
		"Never run `npm install` without --legacy-peer-deps.":                      "",
		"Never run `make deploy` on Fridays":                                       "",
		"When working on the frontend, never use npm.":                             "",
		"Don't use `curl` for downloads.":                                          "",
		"Don't use cat to read files":                                              "",
		"Never use `grep`, except in pipes.":                                       "",
		"Never push to main.":                                                      "",
		"Never run `git push` before the tests pass.":                              "",
		"Don't use npm unless asked.":                                              "",
		"Do not run `npm test` and `npm run build` together":                       "",
		"Don't hesitate to run `npm test`.":                                        "",
		"Never forget to run `make generate`.":                                     "",
		"You don't need to run `npm install`.":                                     "",
		"Don't just run `go test`; run it with -race":                              "",
		"Never run plain `go test`":                                                "",
		"CI does not run `npm install`.":                                           "",
		"`npm install` fails with ERESOLVE; use `npm install --legacy-peer-deps`.": "",
		"Avoid `any` in TypeScript; use `unknown`.":                                "",
		"Never use `console.log`":                                                  "",
		"Don't use npm scripts":                                                    "",
		"Never use git":                                                            "",
		"Never mutate `props.items`":                                               "",
		"Do not change `config.timeout`":                                           "",
		"Never delete `.env`":                                                      "",
		"Never commit `.env`":                                                      "",
		"Never use `go test`; use `go test -short`.":                               "",
		"Use `npm`, except never `npm publish` without a tag":                      "",
		"Do not call os.Getwd() in this CLI; use paths.RepoRoot() for git-relative paths (enforced by forbidigo).":   "",
		"Use context7 for library documentation rather than `go doc` probing.":                                       "",
		"Verify behaviour with proper unit tests that are kept, not with throwaway `go run` scripts.":                "",
		"Use the workmux skill to create and manage worktrees here instead of plain git worktree commands.":          "",
		"Do not put portability checks in `agentv validate`; an eval can be valid without being portable.":           "",
		"the issue is the linter/formatter, not db:generate, I think.":                                               "",
		"can we rebase our branch onto `soph/one-to-one-checkpoints` instead of main please?":                        "",
		"can we use `checkpointID` instead of `cpID` in cmd/entire/cli/session.go":                                   "",
		"let's use apple container instead of docker proper.":                                                        "",
		"Design docs under docs/plans are gitignored on purpose; keep them local and do not force-add or move them.": "",
		"Generic git helpers belong with git_operations, not in strategy/common.go.":                                 "",
		"Never assume that you can run 'git pull' in every subdirectory of the current directory":                    "",
		"Never import internal/store from internal/api.":                                                             "",
		"Never return nil": "", "": "", "Never": "", "Don't use": "", "Never run ``": "", "not npm": "",
	} {
		d := Derive(lessons.Wording{Content: sentence})
		if got := strings.Join(Texts(d.Patterns), "|"); got != want {
			t.Errorf("%s\n got %q\nwant %q (%s)", sentence, got, want, d.Why)
		}
		if (d.Why == "") != (len(d.Patterns) > 0) {
			t.Errorf("%s: %d patterns, why %q", sentence, len(d.Patterns), d.Why)
		}
	}
}

// A pattern never stops what the lesson itself recommends.
func TestDeriveSparesExample(t *testing.T) {
	d := Derive(lessons.Wording{Content: "Never use `npm`.", Example: "npm ci --prefer-offline"})
	if len(d.Patterns) > 0 || !strings.Contains(d.Why, "npm ci") {
		t.Errorf("%+v", d)
	}
}
