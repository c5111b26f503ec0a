package lessons

import "time"

// A Record is a lesson as every --json output gives it: one object with the
// names of the frontmatter.
type Record struct {
	ID         ID         `json:"id"`
	Content    string     `json:"content"`
	Status     Status     `json:"status"`
	Category   Category   `json:"category"`
	Project    string     `json:"project"`
	Role       string     `json:"role"`
	Global     bool       `json:"global,omitempty"`
	Limit                 // where, for whom and until when it holds
	Score      Confidence `json:"score"`
	Confidence string     `json:"confidence"` // the word over the score
	Importance float64    `json:"importance"`
	Tags       []string   `json:"tags"`
	Triggers   []string   `json:"triggers"`
	Insight    string     `json:"insight,omitempty"`
	Example    string     `json:"example,omitempty"`
	Source     string     `json:"source,omitempty"`
	Extractor  string     `json:"extractor,omitempty"`
	Rule       string     `json:"rule,omitempty"`
	RawScore   Confidence `json:"raw_score,omitempty"`      // of the extractor, before the person's decisions were weighed in
	Declined   ID         `json:"declined,omitempty"`       // the rejected lesson that says the same
	DeclinedAt *time.Time `json:"declined_at,omitempty"`    // when it was rejected
	Since      int        `json:"since_declined,omitempty"` // times that it was seen since then
	Lane       Lane       `json:"lane,omitempty"`           // of a pending lesson: likely or maybe
	Stands     string     `json:"stands,omitempty"`         // where the project's own instructions say it already
	Against    string     `json:"stands_against,omitempty"` // where they say the opposite, and their words
	Unsaid     []string   `json:"unsaid,omitempty"`         // commands, links and names in it that no person said
	Offer      *Offered   `json:"offer,omitempty"`          // a better wording of the same moment
	ApprovedBy string     `json:"approved_by,omitempty"`    // elsewhere, by somebody whose approvals do not count here
	ApprovedAt *time.Time `json:"approved_at,omitempty"`    // when that was
	Created    time.Time  `json:"created"`
	Decided    *time.Time `json:"decided,omitempty"`
	DecidedBy  string     `json:"decided_by,omitempty"`
	Reason     string     `json:"reason,omitempty"`
	Into       ID         `json:"into,omitempty"`

	SupersededBy ID        `json:"superseded_by,omitempty"`
	HoldsWith    []Holding `json:"holds_with,omitempty"`    // what seems to contradict it and does not
	Without      []string  `json:"holds_without,omitempty"` // what it names and need not be in the project

	Used     int        `json:"used"`
	Helped   int        `json:"helped"`
	Harmed   int        `json:"harmed"`
	LastUsed *time.Time `json:"last_used,omitempty"`
	Pinned   bool       `json:"pinned,omitempty"`
	Guard    *Guard     `json:"guard,omitempty"`   // which calls of agents it stops
	Outside  bool       `json:"outside,omitempty"` // another program wrote it, and no person has decided on it since

	ScoreBy       string     `json:"score_by,omitempty"` // "person" when a person set the score
	Prior         Confidence `json:"prior,omitempty"`    // the score before any outcome, where that is another
	Alpha         float64    `json:"alpha,omitempty"`
	Beta          float64    `json:"beta,omitempty"`
	Outcomes      int        `json:"outcomes,omitempty"`
	LastOutcome   *time.Time `json:"last_outcome,omitempty"`
	Confirmed     *time.Time `json:"confirmed,omitempty"`
	Confirmations int        `json:"confirmations,omitempty"`

	Flags    []Hazard  `json:"flags,omitempty"`    // what to look at twice before approving
	Sessions int       `json:"sessions,omitempty"` // in how many it was said or shown
	Evidence []Witness `json:"evidence"`
}

// Offered is an [Offer] in a [Record].
type Offered struct {
	Content   string   `json:"content"`
	Insight   string   `json:"insight,omitempty"`
	Example   string   `json:"example,omitempty"`
	Category  Category `json:"category,omitempty"`
	Extractor string   `json:"extractor"`
}

// A Witness is one piece of evidence in a [Record].
type Witness struct {
	Path    string     `json:"path"`
	Line    int        `json:"line"`
	Quote   string     `json:"quote"`
	From    string     `json:"from,omitempty"`
	By      Speaker    `json:"by,omitempty"`
	Author  string     `json:"author,omitempty"` // of a review
	Link    string     `json:"link,omitempty"`
	Agent   string     `json:"agent,omitempty"`
	Session string     `json:"session,omitempty"`
	UUID    string     `json:"uuid,omitempty"`
	At      *time.Time `json:"at,omitempty"`
	Before  []string   `json:"before,omitempty"`
	After   []string   `json:"after,omitempty"`
}

// Record gives the lesson for JSON. Lists are never null.
func (l Lesson) Record() Record {
	r := Record{
		ID: l.ID, Content: l.Content, Status: l.Status, Category: l.Category,
		Project: l.Scope.Project, Role: l.Scope.Role, Global: l.Scope.Global, Limit: l.Limit,
		Score: l.Confidence.Round(), Confidence: l.Confidence.Word(), Importance: l.Confidence.Importance(),
		Tags: append([]string{}, l.Tags...), Triggers: append([]string{}, l.Triggers...),
		Insight: l.Insight, Example: l.Example,
		Source: l.Origin.Source, Extractor: l.Origin.Extractor, Rule: l.Origin.Rule,
		ApprovedBy: l.Elsewhere.By, ApprovedAt: timeOrNil(l.Elsewhere.At),
		Created: l.Created, Decided: timeOrNil(l.Decided.At), DecidedBy: l.Decided.By, Reason: l.Decided.Reason, Into: l.Decided.Into,
		SupersededBy: l.Decided.SupersededBy, HoldsWith: append([]Holding(nil), l.HoldsWith...), Without: append([]string(nil), l.Without...),
		Used: l.Use.Used, Helped: l.Use.Helped, Harmed: l.Use.Harmed, LastUsed: timeOrNil(l.Use.Last), Pinned: l.Pinned, Outside: l.Outside,
		Prior: l.Proof.Prior.Round(), Alpha: l.Proof.Alpha, Beta: l.Proof.Beta, Outcomes: l.Proof.Outcomes,
		LastOutcome: timeOrNil(l.Proof.Last), Confirmed: timeOrNil(l.Proof.Confirmed), Confirmations: l.Proof.Confirmations,
		Evidence: make([]Witness, 0, len(l.Evidence)),
	}
	r.RawScore = l.Origin.Score.Round()
	r.Lane, r.Sessions = l.Waits(), Sessions(l.Evidence)
	r.Stands, r.Against, r.Unsaid = l.Origin.Stands, l.Origin.Against, l.Origin.Unsaid
	if o := l.Offer; o != (Offer{}) {
		r.Offer = &Offered{Content: o.Content, Insight: o.Insight, Example: o.Example, Category: o.Category, Extractor: o.Extractor}
	}
	if !l.Guard.IsZero() {
		r.Guard = &l.Guard
	}
	if l.Proof.Own {
		r.ScoreBy = "person"
	}
	if l.Origin.Declined != "" {
		r.Declined, r.DeclinedAt, r.Since = l.Origin.Declined, timeOrNil(l.Origin.DeclinedAt), sinceDeclined(l)
	}
	for _, d := range Dangers(l) {
		r.Flags = append(r.Flags, d.Hazard)
	}
	for _, e := range l.Evidence {
		r.Evidence = append(r.Evidence, Witness{
			Path: e.Path, Line: e.Line, Quote: e.Quote, From: e.From, By: e.By, Author: e.Author, Link: e.Link, Agent: e.Agent,
			Session: e.Session, UUID: e.UUID, At: timeOrNil(e.At), Before: e.Before, After: e.After,
		})
	}
	return r
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
