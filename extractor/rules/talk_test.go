package rules

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Sessions of people take decisions; most talk does not. Two public sets give such
// talk: chats about the work in which nothing is decided (sde-bench), and a mentor who
// tells conventions between small talk (MemoryCode). A model that has not heard them
// takes every second chat for a rule.

// What a turn of these sets weighs beside a labelled turn of people at work: the first
// are people's words with a person's decisions left out, the second repeat themselves.
const (
	weighDecoy  = 1
	weighMentor = 0.35
)

// plainTalk gives the examples of both sets.
func plainTalk(t testing.TB) []example {
	var out []example
	decoys, _ := filepath.Glob(filepath.Join(shared, "outside", "sde", "open", "transcripts", "decoys", "*.jsonl"))
	for _, path := range decoys {
		out = append(out, turnsOf(t, path, "decoys", weighDecoy, nil)...)
	}
	text, err := os.ReadFile(filepath.Join(shared, "outside", "memorycode", "index.json"))
	if err != nil {
		t.Skip("the talk in which nothing is decided is not at hand: ", err)
	}
	var index map[string]struct {
		D           string
		Type, Topic []string
	}
	if err := json.Unmarshal(text, &index); err != nil {
		t.Fatal(err)
	}
	mentor, _ := filepath.Glob(filepath.Join(shared, "outside", "memorycode", "transcripts", "*", "*.jsonl"))
	for _, path := range mentor {
		told := index[strings.TrimSuffix(filepath.Base(path), ".jsonl")]
		var conventions []string
		for i, kind := range told.Type {
			if strings.HasPrefix(kind, "instruction") {
				conventions = append(conventions, told.Topic[i])
			}
		}
		out = append(out, turnsOf(t, path, "mentor", weighMentor, conventions)...)
	}
	return out
}

// turnsOf gives the turns of one session. A turn that tells one of the conventions is a
// lesson, one that names what a convention names is arguable.
func turnsOf(t testing.TB, path, set string, weight float64, conventions []string) []example {
	_, turns := loadTurns(t, path)
	ms := moments(turns)
	var out []example
	for i := range ms {
		m := &ms[i]
		if gated(m) {
			continue
		}
		e := example{group: fmt.Sprintf("%s %d", set, tenth(path)%2), session: tenth(path), label: "none", weight: weight, view: m.view(), stated: make([]bool, len(m.all))}
		for j := range m.all {
			for _, c := range conventions {
				all, part := tells(m.all[j].text, c)
				e.stated[j] = e.stated[j] || all
				if all {
					e.label = "lesson"
				} else if part && e.label == "none" {
					e.label = "arguable"
				}
			}
		}
		out = append(out, e)
	}
	return out
}

var (
	literal  = regexp.MustCompile(`'([^']+)'`)
	wordLike = regexp.MustCompile(`[a-z_@]+`)
	fewWords = strings.Fields("always use a the in of for to and with as when your all do not never names name that")
)

// tells reports that a sentence tells a convention: it holds what the convention quotes
// and three in five of its words. part is so where it holds a quoted part only.
func tells(sentence, convention string) (all, part bool) {
	low, conv := strings.ToLower(sentence), strings.ToLower(convention)
	quotes := true
	for _, q := range literal.FindAllStringSubmatch(conv, -1) {
		has := strings.Contains(low, q[1])
		quotes, part = quotes && has, part || has
	}
	n, hit := 0, 0
	for _, w := range wordLike.FindAllString(conv, -1) {
		if slices.Contains(fewWords, w) {
			continue
		}
		n++
		if strings.Contains(low, strings.TrimRight(w, "s")) {
			hit++
		}
	}
	return quotes && float64(hit) >= max(1, .6*float64(n)), part
}
