package lessons

import "time"

// A Record is a lesson as in every --json output: one object with the names of the
// frontmatter.
type Record struct {
	ID ID `json:"id"`
	Wording
	Status   Status   `json:"status"`
	Category Category `json:"category"`
	Scope
	Limit
	Score      Confidence `json:"score"`
	Confidence string     `json:"confidence"` // the word for the score
	Importance float64    `json:"importance"`
	Tags       []string   `json:"tags"`
	Triggers   []string   `json:"triggers"`
	Origin
	Since int   `json:"since_declined,omitempty"` // times that it was seen since it was declined
	Lane  Lane  `json:"lane,omitempty"`           // of a pending lesson: [LaneOf]
	Offer Offer `json:"offer,omitzero"`           // a better wording of the same moment
	Approval
	Created time.Time `json:"created"`
	Decision
	HoldsWith []Holding `json:"holds_with,omitempty"`    // lessons that only seem to contradict it
	Without   []string  `json:"holds_without,omitempty"` // names in it that need not be in the project
	Use
	Pinned  bool   `json:"pinned,omitempty"`
	Guard   Guard  `json:"guard,omitzero"`     // the calls that it stops
	Outside bool   `json:"outside,omitempty"`  // another program wrote it, and no person has decided on it since
	ScoreBy string `json:"score_by,omitempty"` // "person" when a person set the score
	Proof
	Flags    []Hazard   `json:"flags,omitempty"`    // what to look at twice before approving
	Sessions int        `json:"sessions,omitempty"` // number that said or showed it
	Evidence []Evidence `json:"evidence"`
}

// Record returns the lesson for JSON. Lists are never null.
func (l Lesson) Record() Record {
	r := Record{
		ID: l.ID, Wording: l.Wording, Status: l.Status, Category: l.Category, Scope: l.Scope, Limit: l.Limit,
		Score: l.Confidence.Round(), Confidence: l.Confidence.Word(), Importance: l.Confidence.Importance(),
		Tags: append([]string{}, l.Tags...), Triggers: append([]string{}, l.Triggers...),
		Origin: l.Origin, Offer: l.Offer, Approval: l.Elsewhere, Created: l.Created, Decision: l.Decided,
		HoldsWith: l.HoldsWith, Without: l.Without, Use: l.Use, Pinned: l.Pinned, Guard: l.Guard, Outside: l.Outside, Proof: l.Proof,
		Sessions: Sessions(l.Evidence), Evidence: append([]Evidence{}, l.Evidence...),
	}
	r.Origin.Score, r.Proof.Prior = r.Origin.Score.Round(), r.Proof.Prior.Round()
	if r.Proof.Own {
		r.Proof.Own, r.ScoreBy = false, "person"
	}
	if r.Declined != "" {
		r.Since = sinceDeclined(l)
	}
	for _, d := range Dangers(l) {
		r.Flags = append(r.Flags, d.Hazard)
	}
	r.Lane = LaneAs(l, len(r.Flags) > 0)
	return r
}
