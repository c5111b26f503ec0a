package rules

import (
	"cmp"
	"strings"
)

// idle reports an example of talk in which nothing, or next to nothing, is decided.
func idle(e example) bool { return e.weight > 0 }

// What speaks for a rule may not be learned to speak against it, and the other way round:
// few examples of a few people would say so by chance. Ways of force.txt have "way " before
// their names.
var speaks = func() map[string]int {
	out := map[string]int{}
	for sign, list := range map[int]string{
		+1: "way always|way from now on|way must|way should|way forbids|way prefer|way ensure|way wants|way unwanted|way need|way told|way wrong|way only|way same as|way meant|way reason|begins prohibits|begins always|begins ensure|begins lasting verb|shouted|heading of rules|general|after norm|kind of things|kind of things alone|rejection|steering|agent stopped|agent conceded|said again|answer|item",
		-1: "way hedges|way asks|way asks unmarked|way past me|way was|way i will|way let's|way status|way praise|way once|way starts with a pointer|way speech|way screen|way can you|begins question|begins I|begins pointers|begins let's|begins none|begins task verb|no verb|length a|content a|work a|ends with a colon|pasted|pointers d|certain things d|names d|after past",
	} {
		for f := range strings.SplitSeq(list, "|") {
			out[f] = sign
		}
	}
	return out
}()

// forcePrior is where the learning of the force of a sentence begins: what a reader of
// conventions would say.
var forcePrior = linear{
	"way always": 1, "way from now on": 1, "way must": .6, "way forbids": .6, "begins prohibits": .6, "begins always": .8, "begins ensure": .3, "way told": .4,
	"shouted": .5, "way prefer": .4,
	"way past me": -.8, "way i will": -.7, "way was": -.4, "way hedges": -.4, "way asks": -.5, "way praise": -.4, "way status": -.4, "way once": -.3, "way starts with a pointer": -.4,
	"way speech": -.6, "no verb": -.5,
}

// fitForce learns whether a sentence has the force of a rule. Beside a sentence that
// states a lesson the others of its turn count half; what is arguable does not count.
func fitForce(ex []example) linear {
	var rows []labelled
	for _, e := range ex {
		if e.copied || e.label == "arguable" {
			continue
		}
		for i := range e.view.sentences {
			row := labelled{feats: e.view.force(i), w: cmp.Or(e.weight, 1), group: e.group}
			if e.stated[i] {
				row.y = 1
			} else if e.label == "lesson" {
				row.w /= 2
			}
			rows = append(rows, row)
		}
	}
	return fitFrom(rows, func(n int) float64 { return 0.002 * float64(n) }, forcePrior, speaks)
}

// jointly gives the best sentence of an example to both judges.
func (m *model) jointly(e example, v verdict) float64 {
	odds, force, form := m.heard(e, v)
	return m.together(odds, force, form)
}

func (m *model) heard(e example, v verdict) (odds, force float64, form ruleForm) {
	odds = noWords
	if v.p > leastFirst {
		odds = v.odds
	}
	force = m.force.score(e.view.force(v.best))
	return odds, force, e.view.form(v.best)
}

// fitJoint learns how sure both judges make, by the verdicts of models that had not seen
// the examples, of what they let through.
func fitJoint(ex []example, vs []verdict, models map[string]*model) linear {
	through := newModel()
	through.joint["bias"] = 1
	var rows []map[string]float64
	var y, w []float64
	for i, e := range ex {
		if vs[i].best < 0 || e.copied || e.label == "arguable" || idle(e) {
			continue
		}
		odds, force, form := models[e.group].heard(e, vs[i])
		if through.together(odds, force, form) < DefaultMinConfidence {
			continue
		}
		row := map[string]float64{"bias": 1, "words": max(noWords, min(2, odds)), "force": max(-2, min(1, force))}
		if hasForm(form, force) {
			row["form"] = 1
		}
		rows, y, w = append(rows, row), append(y, e.y()), append(w, 1)
	}
	return fitFew(rows, y, w)
}
