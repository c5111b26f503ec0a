package rules

import (
	"testing"
)

func TestWording(t *testing.T) {
	for said, want := range map[string]string{
		"ok, please use British spelling in all names :)":                         "Use British spelling in all names.",
		"yeah I think we should keep the old flag for one release":                "We should keep the old flag for one release.",
		"can you please keep the generated files out of the commits?":             "Keep the generated files out of the commits.",
		"hmm, `make gen` must run before the tests because they read its output.": "`make gen` must run before the tests because they read its output.",
		"No tests should touch the network":                                       "No tests should touch the network.",
		"no, GetPath belongs in path_utils":                                       "GetPath belongs in path_utils.",
		"never call os.Getwd() in commands!":                                      "Never call os.Getwd() in commands.",
		"don't do that":                                                           "don't do that",
		"it should go there instead":                                              "It should go there instead.",
		"shouldn't the url be called remote?":                                     "The url should be called remote.",
		"I want you to write the tests first":                                     "Write the tests first.",
		"so the tests have to run without a network, thanks":                      "So the tests have to run without a network.",
		"ok, please shouldn't the url be called remote?":                          "The url should be called remote.",
		"please could it be there from now on, thanks :)":                         "Could it be there from now on",
		"ok do it": "ok do it",
		"yeah let's update CLAUDE.md but make sure that claude asks before it runs the e2e tests": "Make sure that claude asks before it runs the e2e tests.",
		"fix the build, and never edit the generated client by hand":                              "Never edit the generated client by hand.",
		"let's fix this one and always do that":                                                   "Let's fix this one and always do that.",
		"hmm, no, shouldn't the url be called remote?":                                            "The url should be called remote.",
		"no tests, shouldn't they be there?":                                                      "No tests, shouldn't they be there?",
		"that's wrong, the api lives in src/api":                                                  "The api lives in src/api.",
		"wrong names are worse than none":                                                         "Wrong names are worse than none.",
		"then can we add the linter to the pre-commit hook?":                                      "Add the linter to the pre-commit hook.",
	} {
		m := moment{all: sentences(said)}
		if got, _ := m.wording(0); got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
}

// TestReasons: why a rule holds is kept with it when it is said beside it.
func TestReasons(t *testing.T) {
	for said, want := range map[string]string{
		"From now on always use pnpm, not npm, in this repo. npm writes a package-lock.json that breaks the deploy.": "npm writes a package-lock.json that breaks the deploy.",
		"npm writes a package-lock.json that breaks the deploy. From now on never use npm install in this repo":      "npm writes a package-lock.json that breaks the deploy.",
		"Always run the migrations before the tests. Otherwise they see the old schema.":                             "Otherwise they see the old schema.",
		"Never change the generated client by hand. The next build overwrites the client anyway":                     "The next build overwrites the client anyway",
		"Always use pnpm in this repo. Now run the tests.":                                                           "",
		"Always use pnpm in this repo. Does npm break anything?":                                                     "",
		"Always use pnpm in this repo because npm breaks the deploy. The page is green now.":                         "Because npm breaks the deploy.",
		"Always use pnpm in this repo. The page fails to load":                                                       "",
	} {
		ls := propose(t, Rules{}, session, talk("agent: Done.", "person: "+said))
		if len(ls) == 0 {
			t.Errorf("%q: nothing is proposed", said)
		} else if got := ls[0].Insight; got != want {
			t.Errorf("%q: insight %q, want %q", said, got, want)
		}
	}
}

// TestWordingToApprove: what was said becomes a sentence that a reviewer can
// approve, and what it lacks is said.
func TestWordingToApprove(t *testing.T) {
	for said, want := range map[string]struct{ content, missing string }{
		"Hmmm, dont forget to bump the schema version":                            {"Bump the schema version.", ""},
		"ok so don't modify `send_with_retries`":                                  {"Don't modify `send_with_retries`", ""},
		"i don't want to modify the config":                                       {"Don't modify the config.", ""},
		"I don't think we need suffixes here, one branch is enough":               {"We don't need suffixes here, one branch is enough.", "here"},
		"i want the aspect ratio to be square on a phone":                         {"The aspect ratio must be square on a phone.", ""},
		"shouldn't we reuse the helper in textutil?":                              {"We should reuse the helper in textutil.", ""},
		"It would be good to note the load of each worker":                        {"Note the load of each worker.", ""},
		"😅 we're basing this off the main branch":                                 {"We're basing this off the main branch.", "this"},
		"(we use go-git in other places)":                                         {"We use go-git in other places.", ""},
		"omfg use fucking rgb values in the themes":                               {"Use rgb values in the themes.", ""},
		"when i rename a file i want the old one deleted":                         {"When I rename a file I want the old one deleted.", ""},
		"it should go into the other package instead":                             {"It should go into the other package instead.", "it"},
		"make sure they exist before the run starts":                              {"Make sure they exist before the run starts.", "they"},
		"The importer is slow. It should read each file only once":                {"It should read each file only once.", "it"},
		"See internal/paths.go for this. It must not import the cli package":      {"It must not import the cli package.", "it"},
		"We have `foo` and `bar`. It should be the first":                         {"It should be the first.", "it"},
		"The workers are slow. It should be faster than that one":                 {"It should be faster than that one.", "it"},
		"So I want the traces to be stored per test case":                         {"The traces must be stored per test case.", ""},
		"I thought we no longer use repeat, we use runs":                          {"We no longer use repeat, we use runs.", ""},
		"why is it in its own folder shouldn't we have one for each test":         {"We should have one for each test.", ""},
		"don't check this in":                                                     {"don't check this in", "this"},
		"please remove it from the index of the site":                             {"Remove it from the index of the site.", "it"},
		"We have a stale dist/cache.json. Don't check it in with the rest":        {"Don't check it in with the rest.", "it"},
		"Avoid inventing our own":                                                 {"Avoid inventing our own", "own"},
		"If so we can drop the remote_name alias":                                 {"If so we can drop the remote_name alias.", "so"},
		"we use pnpm here, not npm":                                               {"We use pnpm, not npm.", ""},
		"i prefer early returns over nested ifs":                                  {"Prefer early returns over nested ifs.", ""},
		"avoid default exports":                                                   {"Avoid default exports.", ""},
		"I'd like to see the numbers in a table":                                  {"I'd like to see the numbers in a table.", "…"},
		"please make sure you have the right key":                                 {"Make sure you have the right key.", ""},
		"let's update the docs, but make sure that you never touch the gen files": {"Never touch the gen files.", ""},
		"one of the rules we follow here is to sign every commit":                 {"Sign every commit.", ""},
		"so then don't we not want the lock file at all":                          {"So then don't we not want the lock file at all.", "…"},
		"this repo uses tabs for indentation":                                     {"This repo uses tabs for indentation.", ""},
	} {
		m := moment{all: sentences(said)}
		i := len(m.all) - 1
		if got, missing := m.wording(i); got != want.content || missing != want.missing {
			t.Errorf("%q became %q, missing %q; want %q, %q", said, got, missing, want.content, want.missing)
		}
	}
}

// TestReasonParts: a reason at the end of a rule is kept apart from it.
func TestReasonParts(t *testing.T) {
	for said, want := range map[string][2]string{
		"Don't page with OFFSET because it gets slower with every page.":         {"Don't page with OFFSET.", "Because it gets slower with every page."},
		"Rebase before you push, otherwise the queue rejects it.":                {"Rebase before you push.", "Otherwise the queue rejects it."},
		"Ask before the e2e tests run since they consume tokens.":                {"Ask before the e2e tests run.", "Since they consume tokens."},
		"Mock the http library so that we can look at the headers.":              {"Mock the http library.", "So that we can look at the headers."},
		"The port has been 5433 since last week, keep it so.":                    {"The port has been 5433 since last week, keep it so.", ""},
		"The upgrade is done already, otherwise all good.":                       {"The upgrade is done already, otherwise all good.", ""},
		"Name it after the flag, but because the flag is hidden nobody sees it.": {"Name it after the flag, but because the flag is hidden nobody sees it.", ""},
		"No (because it is slow and nobody uses it).":                            {"No (because it is slow and nobody uses it).", ""},
	} {
		if rule, why := withReason(said); rule != want[0] || why != want[1] {
			t.Errorf("%q: %q, %q; want %q", said, rule, why, want)
		}
	}
}

// TestReasonOfAName: a reason may speak of what the rule names within the name of a file.
func TestReasonOfAName(t *testing.T) {
	ls := propose(t, Rules{}, session, talk("agent: I use npm.", "person: No, always use pnpm in this repo. The lockfile is pnpm-lock.yaml and CI fails on a package-lock.json.", "agent: You're right."))
	if len(ls) != 1 || ls[0].Insight != "The lockfile is pnpm-lock.yaml and CI fails on a package-lock.json." {
		t.Errorf("got %+v", ls)
	}
	ls = propose(t, Rules{}, session, talk("agent: Done.", "person: I told you already: commit messages follow Conventional Commits", "agent: You're right."))
	if got := contents(ls); got != "Commit messages follow Conventional Commits." {
		t.Errorf("got %q", got)
	}
}

// TestSecondSentence: each sentence that is a rule is a proposal of its own.
func TestSecondSentence(t *testing.T) {
	for said, want := range map[string]string{
		"No, don't indent with tabs. Always indent with spaces in this repo.": "Don't indent with tabs.\nAlways indent with spaces in this repo.",
		"Don't push to main. Use table tests instead of one test per case.":   "Don't push to main.\nUse table tests instead of one test per case.",
		"never commit the dist folder. always use pnpm in this repo":          "Never commit the dist folder.\nAlways use pnpm in this repo.",
	} {
		ls := propose(t, Rules{}, session, talk("agent: Done.", "person: "+said, "agent: You're right."))
		if got := contents(ls); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
