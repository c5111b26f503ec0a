package recall

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/state"
)

// This file takes in what a person says, and measures what lessons share by chance with
// prompts on other matters: with a sample of the prompts of other projects. Words are kept
// there as hashes, so that what a prompt says can be compared with a lesson and not be
// read. A line of the sample is
//
//	PROMPT PROJECT UNIT UNIT …
//
// with the hashes of the prompt and of its project; a unit is the hash of a word, or of
// a name with those of its words behind a colon.

const (
	leastOthers  = 150  // prompts of other projects needed to measure evidence
	mostMeasured = 400  // lessons measured per project
	byChance     = 0.01 // share of prompts that may have a lesson wrongly found to be on their subject
	// Limits on how far measuring moves the threshold from [Enough].
	leastShift, mostShift = 0, 6

	sampleName  = "sample"
	mostSamples = 400
	sampleUnits = 200 // per prompt
	leastUnits  = 3

	mostHeard = 2000 // prompts kept in memory
	needsHead = "learnings needs 1 "
)

// A Hearing records what a person said in sessions, to learn which words of a prompt are
// unusual. Its errors are dropped: a failure only costs prompts some evidence, and must not
// stop the reading of sessions.
type Hearing struct {
	x        *index.Index
	state    string
	prompts  []heard
	projects map[string]bool
}

// NewHearing returns a Hearing for the corpus with an index and a state folder.
func NewHearing(x *index.Index, state string) *Hearing {
	return &Hearing{x: x, state: state, projects: map[string]bool{}}
}

// Hear adds the prompts of one session, without secrets. Call it once for each.
func (h *Hearing) Hear(session, project string, prompts []string) {
	for _, text := range prompts {
		h.prompts = append(h.prompts, heard{session, project, index.Units(text)})
		h.projects[project] = true
	}
	if len(h.prompts) >= mostHeard {
		h.learn()
	}
}

func (h *Hearing) learn() {
	_ = learn(h.state, h.prompts)
	h.prompts = nil
}

// Keep stores what was heard, and calibrates the projects heard of.
func (h *Hearing) Keep(ctx context.Context) {
	h.learn()
	for _, p := range slices.Sorted(maps.Keys(h.projects)) {
		if p != "" && h.x != nil && ctx.Err() == nil {
			_ = Calibrate(ctx, h.x, h.state, p)
		}
	}
	clear(h.projects)
}

// Calibrate measures how much the lessons of a project share by chance with what the person
// says in other projects, and stores it for [Enough]. It does nothing until enough prompts
// of others are known. It reads up to mostMeasured lessons.
func Calibrate(ctx context.Context, x *index.Index, folder, project string) error {
	s := Situation{Project: project, Known: KnownOf(folder, project)}
	q := s.conditions()
	q.Sort, q.Limit = index.Confirmed, mostMeasured
	page, err := x.Search(ctx, q)
	if err != nil || len(page.Hits) == 0 {
		return err
	}
	u := &usual{known: s.Known, of: len(page.Hits), with: map[string]int{}, memo: map[string]float64{}}
	for _, h := range page.Hits {
		for w := range wordsOf(h.Lesson) {
			u.with[w]++
		}
	}
	others := samplesOf(folder, project, u.with)
	if len(others) < leastOthers {
		return nil
	}
	most := make([]float64, len(others))
	for i, said := range others {
		a := &asking{at: map[string]int{}}
		a.passages = a.sentence(said)
		for _, h := range page.Hits {
			most[i] = max(most[i], u.evidence(h.Lesson, a).Nats)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	slices.Sort(most)
	at := len(most) - 1 - int(byChance*float64(len(most)))
	nats := min(max(most[at], Enough+leastShift), Enough+mostShift)
	nats += grows * math.Log(max(1, float64(page.Total)/float64(len(page.Hits))))
	err = state.At(folder).Update(func(t state.Tx) error {
		return writeText(t, ofProject("n", project), fmt.Sprintf("%s%.2f %d\n", needsHead, nats, page.Total))
	})
	if err != nil {
		return fmt.Errorf("keeping what lessons share by chance: %w", err)
	}
	return nil
}

// wordsOf returns the words of a lesson that count as evidence.
func wordsOf(l lessons.Lesson) map[string]bool {
	own := map[string]bool{}
	for _, t := range append([]string{l.Content, l.Insight}, l.Triggers...) {
		put(own, t, bodyWords)
	}
	return own
}

// needsIn returns what [Calibrate] stored for a project.
func needsIn(t state.Tx, project string) (nats float64, of int) {
	_, err := fmt.Sscanf(readText(t, ofProject("n", project)), needsHead+"%g %d", &nats, &of)
	if err != nil || !(nats > 0) || of < 1 {
		return 0, 0
	}
	return nats, of
}

func hash32(w string) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, w)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// addSamples adds prompts to the sample. It keeps those with the lowest hashes, a fair
// choice even for frequent prompts.
func addSamples(t state.Tx, prompts []heard) error {
	lines := map[string]string{} // by the hash of the prompt
	for line := range strings.Lines(readText(t, sampleName)) {
		if key, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			lines[key] = rest
		}
	}
	for _, p := range prompts {
		if len(p.units) < leastUnits || p.project == "" {
			continue
		}
		parts := []string{hashOf(strings.ToLower(p.project))}
		for _, u := range p.units[:min(len(p.units), sampleUnits)] {
			words := make([]string, len(u.Words))
			for i, w := range u.Words {
				words[i] = hash32(w)
			}
			s := strings.Join(words, ",")
			if u.Name != "" {
				s = hash32(u.Name) + ":" + s
			}
			parts = append(parts, s)
		}
		lines[fmt.Sprintf("%013s", hashOf(strings.Join(p.words(), " ")))] = strings.Join(parts, " ")
	}
	keys := slices.Sorted(maps.Keys(lines))
	var b strings.Builder
	for _, k := range keys[:min(len(keys), mostSamples)] {
		b.WriteString(k + " " + lines[k] + "\n")
	}
	return writeText(t, sampleName, b.String())
}

// samplesOf returns the prompts of other projects in the sample, reduced to the given
// words: a unit without any becomes a unit without a name.
func samplesOf(folder, project string, words map[string]int) (out [][]index.Unit) {
	known := make(map[string]string, len(words))
	for w := range words {
		known[hash32(w)] = w
	}
	text := ""
	_ = state.At(folder).View(func(t state.Tx) error { text = readText(t, sampleName); return nil })
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 || f[1] == hashOf(strings.ToLower(project)) {
			continue
		}
		us := make([]index.Unit, 0, len(f)-2)
		for _, s := range f[2:] {
			name, parts, named := strings.Cut(s, ":")
			if !named {
				name, parts = "", s
			}
			u := index.Unit{Name: known[name]}
			for p := range strings.SplitSeq(parts, ",") {
				u.Words = append(u.Words, known[p])
			}
			us = append(us, u)
		}
		out = append(out, us)
	}
	return out
}
