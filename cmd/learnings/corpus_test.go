package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/store"
)

// A maker generates the same lessons and sessions every time, from a small grammar and
// about ten thousand names with a skewed distribution: the cost of a corpus depends on
// its vocabulary, word frequencies and near duplicates.
type maker struct{ r *rand.Rand }

func newMaker() *maker { return &maker{rand.New(rand.NewPCG(20261120, 1))} }

// The first of a list is taken more often than the last; %n is a name, %d a number.
const (
	makerOpeners = "Always %s|Prefer to %s|In this project, %s|Never %s|To %s, use the wrapper script|When asked to %s, check the exit code first|Remember to %s|Do not %s|" +
		"Ask before you %s|It is enough to %s"
	makerVerbs = "run|check|update|use|build|test|search|read|remove|rename|copy|list|find|install|restart|deploy|migrate|generate|format|compress|archive|download|mount|split|merge|" +
		"display|extract|convert|compare|replace|sort|count|print|sign|publish|encrypt|rotate|cache|retry|profile|trace|mock|stub|pin|vendor|lint|review|squash|rebase|tag|release|revert|" +
		"validate|parse|escape|quote|truncate|flush|lock|release|drain|throttle|batch"
	makerThings = "the tests|all files|the log|the config|the tests of %n|all files of %n|the container %n|the config of %n|the log of %n|the branch %n|the table %n|the cache of %n|every folder below %n|the symbolic links in %n|" +
		"the processes of %n|the header of %n|the archive %n|the database %n|the queue %n|the image %n|the package %n|the lock file of %n|the schema of %n|the fixtures of %n|" +
		"the endpoint %n|the worker %n|the certificate of %n|the output of %n|the dependency %n|old files of %n|each line of %n|the snapshot %n|the script %n|the module %n|" +
		"the migration %n|the generated code of %n|the flag %n|the timeout of %n|the index of %n|the documentation of %n"
	makerWays = "in the current folder|under %n|on the remote host|before every commit|with %n|without %n|recursively|in a transaction|modified in the last %d days|larger than %d MB|" +
		"owned by %n|at most %d times|after %n has ended|and save the result to %n|except %n|by name|in reverse order|on a copy of %n|with the option %n|in %n only|from %n to %n|" +
		"as the user %n|behind the proxy %n|within %d seconds|when %n is down|as %n does|and look at %n afterwards|for each of %n|unless %n is set|on port %d|again|as it was before the last change"
	makerReasons = "%n fails otherwise|it took %d minutes to find out|%n overwrites it at the next start|the pipeline of %n checks that|nobody looks into %n|it is slow on %n|" +
		"%n and %n share a folder|the reviewers of %n asked for it|that broke %n twice|%n keeps only %d of them|the default of %n is wrong here|%n reads it without a lock"
)

var makerSyllables = strings.Fields("ba de fi go ku la me ni po ru sa te vi xo za ch or in el ash")

// pick returns an item, earlier ones more often.
func (m *maker) pick(list string) string {
	all := strings.Split(list, "|")
	return all[int(float64(len(all))*m.r.Float64()*m.r.Float64())]
}

// name returns one of 60,000 names, such as "kudemeba.go".
func (m *maker) name() string {
	n := int(60_000 * m.r.Float64() * m.r.Float64() * m.r.Float64())
	s := makerSyllables[n%20] + makerSyllables[n/20%20]
	for n /= 400; n > 0; n /= 20 {
		s += makerSyllables[n%20]
	}
	return s + []string{"", ".go", "", "_id", "/"}[len(s)*7%5]
}

// fill puts names and numbers into a phrase.
func (m *maker) fill(phrase string) string {
	for strings.Contains(phrase, "%n") {
		phrase = strings.Replace(phrase, "%n", m.name(), 1)
	}
	return strings.ReplaceAll(phrase, "%d", fmt.Sprint(1+m.r.IntN(400)))
}

// line returns a rule: "check the log of kude before every commit".
func (m *maker) line() string {
	s := m.pick(makerVerbs) + " " + m.fill(m.pick(makerThings))
	for range 1 + m.r.IntN(4) {
		s += " " + m.fill(m.pick(makerWays))
	}
	return s
}

// text returns some sentences.
func (m *maker) text(sentences int) string {
	out := make([]string, sentences)
	for i := range out {
		s := m.line()
		out[i] = strings.ToUpper(s[:1]) + s[1:] + ": " + m.fill(m.pick(makerReasons)) + "."
	}
	return strings.Join(out, " ")
}

// lessons yields n approved lessons of 27 projects. 3 in 100 repeat an earlier one with a
// word changed, and 1 in 200 says its opposite.
func (m *maker) lessons(n int) iter.Seq[lessons.Lesson] {
	const projects, remembered = 27, 40 * 27
	return func(yield func(lessons.Lesson) bool) {
		start := time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)
		var recent [remembered]struct {
			do       string // as lessons of the project say it
			category lessons.Category
		}
		for i := range n {
			do := m.line()
			if m.r.IntN(3) > 0 {
				do += ", and " + m.line()
			}
			content := fmt.Sprintf(m.pick(makerOpeners), do)
			category := lessons.Category([]string{"errors", "workflows", "tools", "architecture", "debugging"}[m.r.IntN(5)])
			earlier := recent[(i+projects*m.r.IntN(remembered/projects))%remembered]
			switch chance := m.r.IntN(200); {
			case earlier.do != "" && chance < 6:
				words := strings.Fields(earlier.do)
				words[m.r.IntN(len(words))] = m.name()
				do, category = strings.Join(words, " "), earlier.category
				content = "Always " + do
			case earlier.do != "" && chance == 6:
				content = "Never " + earlier.do
			}
			recent[i%remembered].do, recent[i%remembered].category = do, category
			l := lessons.Lesson{
				ID: lessons.ID(fmt.Sprintf("m%07x", i)), Status: lessons.Approved,
				Category: category,
				Wording:  lessons.Wording{Content: content, Insight: m.text(2 + m.r.IntN(4)), Example: m.line()},
				Tags:     []string{m.pick(makerVerbs), strings.Trim(m.name(), "/")}, Confidence: lessons.Confidence(0.4 + 0.5*m.r.Float64()).Round(),
				Scope:   lessons.Scope{Project: fmt.Sprintf("project%02d", i%projects), Role: []string{"developer", "reviewer", "operator"}[i%3]},
				Created: start.Add(time.Duration(float64(i) / float64(n) * float64(42*24*time.Hour))).Truncate(time.Second),
			}
			if !yield(l) {
				return
			}
		}
	}
}

// makeCorpus stores n lessons as a person's decisions and builds the index.
func makeCorpus(t testing.TB, m machine, n int) {
	t.Helper()
	const batch = 2000
	s := m.open().Trusting(time.Hour, nil)
	var some []lessons.Lesson
	put := func() {
		if _, err := s.Put(store.Write{Op: lessons.OpApprove, By: "sam"}, some...); err != nil {
			t.Fatal(err)
		}
		some = some[:0]
	}
	for l := range newMaker().lessons(n) {
		if some = append(some, l); len(some) == batch {
			put()
		}
	}
	put()
	m.must("index")
}
