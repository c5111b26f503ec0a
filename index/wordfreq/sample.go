package wordfreq

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	db "learnings/lessons/state"
)

// This file keeps a sample of the person's prompts, by which it is told what lessons
// share with prompts on other matters. Words are kept as hashes: what a prompt says can
// be compared with a lesson and not be read. A line is
//
//	PROMPT PROJECT UNIT UNIT …
//
// with the hashes of the prompt and of its project; a unit is the hash of a word, or of
// a name with those of its words behind a colon.

const (
	sampleName  = "sample"
	mostSamples = 400
	sampleUnits = 200 // of one prompt
	leastUnits  = 3
)

// hash32 is that of a word.
func hash32(w string) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, w)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// addSamples takes prompts into the sample: those with the lowest hashes stay, which is
// a fair choice however often a prompt comes.
func addSamples(t db.Tx, prompts []Prompt) error {
	lines := map[string]string{} // by the hash of the prompt
	for line := range strings.Lines(read(t, sampleName)) {
		key, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok {
			lines[key] = rest
		}
	}
	for _, p := range prompts {
		us := p.Units
		if len(us) < leastUnits || p.Project == "" {
			continue
		}
		parts := []string{hashOf(strings.ToLower(p.Project))}
		for _, u := range us[:min(len(us), sampleUnits)] {
			words := make([]string, len(u.Words))
			for i, w := range u.Words {
				words[i] = hash32(w)
			}
			if s := strings.Join(words, ","); u.Name != "" {
				parts = append(parts, hash32(u.Name)+":"+s)
			} else {
				parts = append(parts, s)
			}
		}
		lines[fmt.Sprintf("%013s", hashOf(strings.Join(p.words(), " ")))] = strings.Join(parts, " ")
	}
	keys := slices.Sorted(maps.Keys(lines))
	var b strings.Builder
	for _, k := range keys[:min(len(keys), mostSamples)] {
		b.WriteString(k + " " + lines[k] + "\n")
	}
	return write(t, sampleName, b.String())
}

// Others are the prompts of other projects in the sample, as far as some words are in
// them: a unit without any keeps its place and has no name.
func Others(state, project string, words []string) (out [][]Unit) {
	known := make(map[string]string, len(words))
	for _, w := range words {
		known[hash32(w)] = w
	}
	own := hashOf(strings.ToLower(project))
	text := ""
	_ = db.At(state).View(func(t db.Tx) error { text = read(t, sampleName); return nil })
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 || f[1] == own {
			continue
		}
		us := make([]Unit, 0, len(f)-2)
		for _, s := range f[2:] {
			name, parts, named := strings.Cut(s, ":")
			if !named {
				name, parts = "", s
			}
			u := Unit{Name: known[name]}
			for p := range strings.SplitSeq(parts, ",") {
				u.Words = append(u.Words, known[p])
			}
			us = append(us, u)
		}
		out = append(out, us)
	}
	return out
}

// needs is how much a lesson of a project has to share with a prompt, as it was measured
// for so many lessons.
type needs struct {
	nats float64
	of   int
}

const needsHead = "learnings needs 1 "

func needsOf(project string) string { return "n" + hashOf(strings.ToLower(project)) }

func needsIn(t db.Tx, project string) needs {
	text, ok := strings.CutPrefix(strings.TrimSpace(read(t, needsOf(project))), needsHead)
	f := strings.Fields(text)
	if !ok || len(f) != 2 {
		return needs{}
	}
	nats, err := strconv.ParseFloat(f[0], 64)
	of, oerr := strconv.Atoi(f[1])
	if err != nil || oerr != nil || !(nats > 0) || of < 1 {
		return needs{}
	}
	return needs{nats, of}
}

// Needs is what was measured with [SetNeeds], and for how many lessons; 0 for nothing.
func (k *Known) Needs() (nats float64, of int) {
	if k == nil {
		return 0, 0
	}
	return k.needs.nats, k.needs.of
}

// SetNeeds keeps what was measured of a project.
func SetNeeds(state, project string, nats float64, of int) error {
	err := db.At(state).Update(func(t db.Tx) error {
		return write(t, needsOf(project), fmt.Sprintf("%s%.2f %d\n", needsHead, nats, of))
	})
	if err != nil {
		return fmt.Errorf("keeping what lessons share by chance: %w", err)
	}
	return nil
}
