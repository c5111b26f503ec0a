package lessons

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// grounds has the clauses of [Origin.Rule] that extractors write, each by its beginning,
// with what it means to the person who reads it. The strongest reason comes first.
var grounds = []struct{ clause, says string }{
	{"asks to remember it", "you asked to have it remembered"},
	{"you asked to have it remembered", "you asked to have it remembered"},
	{"says it again", "you had to say it again"},
	{"said it before", "you had to say it again"},
	{"refused", "you refused what the agent was about to do, and said why"},
	{"sets a fact right", "you corrected the agent"},
	{"says that something is wrong", "you corrected the agent"},
	{"stopped the agent", "you stopped the agent and said this"},
	{"states a standing rule", "you stated it as a rule"},
	{"says what must always or never be", "you stated it as a rule"},
	{"states what holds always", "you stated it as a rule"},
	{"worded like a rule", "you stated it as a rule"},
	{"names one thing instead of another", "you named one thing instead of another"},
	{"forbids something", "you said what not to do"},
	{"says what they do not want", "you said what not to do"},
	{"says what was meant", "you said what you had meant"},
	{"says what they want", "you said what you want"},
	{"says what they would like", "you said what you want"},
	{"says how it should be", "you said how it should be"},
	{"asks whether it should not be otherwise", "you asked whether it should not be otherwise"},
	{"asks why it was done so", "you asked why it was done so"},
	{"asks to make sure", "you asked to make sure of it"},
	{"the agent then wrote it into its instructions", "the agent then wrote it into its instructions"},
	{"tells how the project is", "you told how the project is"},
	{"gives a reason", "you gave a reason for it"},
	{"says when it holds", "you said when it holds"},
	{"speaks of ", "you spoke of how the work is done"},
	{"said while the agent was at work", "you said it while the agent was at work"},
	{"worded like what people keep", "you worded it like what people keep"},
}

// refusedBefore begins the clause about earlier decisions on others like it.
const refusedBefore = "you rejected others like it"

// Why says in one plain line why a lesson was proposed; "" if nothing is known. How often
// it was said counts more than how.
func (l Lesson) Why() string {
	clauses := strings.Split(Line(l.Origin.Rule), "; ")
	says, but := "", ""
	if i := slices.IndexFunc(clauses, func(c string) bool { return strings.HasPrefix(c, refusedBefore) }); i >= 0 {
		but = ", but " + clauses[i]
	}
	n, by := Sessions(l.Evidence), quotes(l)
	switch {
	case l.Imported() != "":
		return Line(l.Origin.Rule)
	case l.Asked():
		says = "you asked to have it remembered"
	case n > 1 && by == ByPerson:
		says = fmt.Sprintf("you said it in %s sessions", inWords(n))
	default:
		for _, r := range grounds {
			if slices.ContainsFunc(clauses, func(c string) bool { return strings.HasPrefix(c, r.clause) }) {
				says = r.says
				break
			}
		}
	}
	if author := authorOf(l); author != "" && strings.HasPrefix(says, "you ") {
		says = author + strings.ReplaceAll(strings.TrimPrefix(says, "you"), " you ", " they ")
	}
	return strings.TrimPrefix(cmp.Or(says, clauses[0])+but, ", but ")
}

// authorOf returns the person who said a lesson, if it was somebody else.
func authorOf(l Lesson) string {
	i := slices.IndexFunc(l.Evidence, func(e Evidence) bool { return e.By == ByPerson })
	if i < 0 {
		return ""
	}
	return Line(l.Evidence[i].Author)
}

// inWords writes a small number as a word.
func inWords(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
