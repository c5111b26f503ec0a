package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"learnings/lessons"
)

// The size of the corpus is that which a store of observations reports for one
// developer.
const (
	benchLessons  = 14391
	benchProjects = 27
)

// benchLessonsOf makes lessons, the same ones every time.
func benchLessonsOf(n int) []lessons.Lesson {
	words := strings.Fields(`archive backup branch build cache certificate client cluster command commit compress config
		container copy database debug delete deploy directory disk docker download error expand export file filter find
		firewall flag format group hash header host image import index install kernel key library link list load lock log
		merge message migrate module monitor mount network node package parse password patch path permission pipe port
		print process profile proxy query queue read record recursive regex release remote rename report request restart
		restore rotate route run schema script search secret server service session shell socket sort source split stream
		string subnet sync table tag target task template test thread token trace transfer update upload user value version
		volume watch worker write`)
	r := rand.New(rand.NewPCG(20261120, 1))
	some := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[r.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
	start := time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)
	contents, all := make([]string, n), make([]lessons.Lesson, n)
	for i := range all {
		contents[i] = "Always " + some(12)
		if i%10 == 9 { // an earlier one of the same category, with its last word changed
			words := strings.Fields(contents[i-5])
			contents[i] = strings.Join(words[:12], " ") + " " + some(1)
		}
		all[i] = lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("m%07x", i)), Status: lessons.Approved,
			Category: lessons.Category([]string{"errors", "workflows", "tools", "architecture", "debugging"}[i%5]),
			Wording:  lessons.Wording{Content: contents[i], Insight: some(40), Example: some(8)},
			Tags:     strings.Fields(some(3)), Confidence: lessons.Confidence(0.4 + 0.5*r.Float64()).Round(),
			Scope:   lessons.Scope{Project: fmt.Sprintf("project%02d", i%benchProjects), Role: []string{"developer", "reviewer", "operator"}[i%3]},
			Created: start.Add(time.Duration(i) * 42 * 24 * time.Hour / time.Duration(n)),
		}
	}
	return all
}
