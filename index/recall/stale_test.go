package recall_test

import (
	"testing"
	"time"

	"learnings/index/recall"
	"learnings/lessons"
)

// notes are lessons of one project in which some replace others, and questions in the
// words of people: what should be among the first five, what must not come first, and
// where nothing should be given.
var notes = []struct{ id, content string }{
	{"auth", "Bearer token auth is required for all API endpoints"},
	{"auth-old", "Basic auth is required for all API endpoints"},
	{"errors", "Use custom error types in library code, not anyhow"},
	{"proto", "Run make generate after editing a proto file"},
	{"release", "Tag the release on main, never on a branch"},
	{"release-old", "Tag the release on the release branch, not on main"},
	{"pr", "Always open a single pull request for a change"},
	{"port", "The dev proxy listens on port 8080; stop it with make down"},
	{"cache", "Guard the cache with a mutex against concurrent access"},
	{"fixtures", "Test fixtures live in testdata and are never edited by hand"},
	{"migrate", "Database migrations run before the deploy, not after"},
	{"log", "Log with slog and pass the request id"},
	{"retry", "Retry network calls three times with backoff"},
	{"lint", "golangci-lint must pass before a push"},
}

var asked = []struct {
	question    string
	right, lest string // lest: it must not be given, nor come first
}{
	{"which auth do the API endpoints need", "auth", "auth-old"},
	{"add auth to the new endpoints", "auth", "auth-old"},
	{"return an error from the library code", "errors", ""},
	{"custom error types", "errors", ""},
	{"edit the proto file", "proto", ""},
	{"generate the client after a proto change", "proto", ""},
	{"tag the release", "release", "release-old"},
	{"where do I tag a release", "release", "release-old"},
	{"open a pull request", "pr", ""},
	{"port 8080 is in use", "port", ""},
	{"stop the dev proxy", "port", ""},
	{"concurrent access to the cache", "cache", ""},
	{"race condition in the cache", "cache", ""},
	{"edit the test fixtures", "fixtures", ""},
	{"run the database migrations", "migrate", ""},
	{"deploy with migrations", "migrate", ""},
	{"log the request id", "log", ""},
	{"retry the network calls", "retry", ""},
	{"backoff between calls", "retry", ""},
	{"lint before the push", "lint", ""},
	{"translate this poem into French", "", ""},
	{"resize the images of the gallery", "", ""},
	{"plan a trip to the mountains", "", ""},
	{"which colour has the button", "", ""},
	{"compress all xml files with bzip2", "", ""},
	{"draw a chart of the sales", "", ""},
	{"how old is the universe", "", ""},
	{"rename the variable", "", ""},
}

// TestOldAndNew holds recall to what retrieval benchmarks of agent memories ask for:
// recall@5 of .90, silence on three of four questions without an answer, and nothing
// stale in the first place.
func TestOldAndNew(t *testing.T) {
	var all []lessons.Lesson
	for _, n := range notes {
		l := lesson(n.id, n.content)
		if len(n.id) > 4 && n.id[len(n.id)-4:] == "-old" {
			l.Created = l.Created.Add(-90 * 24 * time.Hour)
		}
		all = append(all, l)
	}
	x := indexed(t, all)
	found, answers, silent, without := 0, 0, 0, 0
	for _, q := range asked {
		cs := pick(t, x, recall.Situation{Prompt: q.question, All: true})
		if q.right == "" {
			if without++; len(recall.IDs(cs)) == 0 {
				silent++
			}
			continue
		}
		answers++
		for i, c := range cs[:min(5, len(cs))] {
			if string(c.Lesson.ID) == q.right {
				found++
			}
			if q.lest != "" && string(c.Lesson.ID) == q.lest && (i == 0 || c.In) {
				t.Errorf("%q: %s is number %d, in %t: %s", q.question, q.lest, i+1, c.In, c.Why)
			}
		}
	}
	t.Logf("recall@5 %d of %d, silent on %d of %d without an answer", found, answers, silent, without)
	if 10*found < 9*answers || 4*silent < 3*without {
		t.Errorf("recall@5 %d of %d, silent on %d of %d without an answer", found, answers, silent, without)
	}
}
