package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"learnings/extractor/intake"
	"learnings/extractor/redact"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
)

// Limits on a proposal or report, in bytes, besides [mostArguments].
const (
	mostContent = 2000
	mostQuote   = 4000
	mostSession = 100
	mostTerm    = 80
	mostTerms   = 20
	mostNote    = 500
)

type proposeIn struct {
	Content  string   `json:"content"`
	Quote    string   `json:"quote"`
	Session  string   `json:"session"`
	Category string   `json:"category"`
	Insight  string   `json:"insight"`
	Example  string   `json:"example"`
	Project  string   `json:"project"`
	Global   bool     `json:"global"`
	Triggers []string `json:"triggers"`
	Tags     []string `json:"tags"`
}

func (s *Server) propose(ctx context.Context, client string, in proposeIn) (string, error) {
	category := lessons.Category(lessons.Discoveries)
	if in.Category != "" {
		var err error
		if category, err = lessons.ParseCategory(in.Category); err != nil {
			return "", err
		}
	}
	_, says, err := s.take(ctx, intake.Report{
		Wording: lessons.Wording{Content: in.Content, Insight: in.Insight, Example: in.Example}, Category: category, Tags: in.Tags, Triggers: in.Triggers,
		Quote: in.Quote, Session: in.Session, Project: in.Project, Global: in.Global, Client: client,
	})
	return says, err
}

// take checks a report against its session and stores the proposal. It returns the lesson
// and what to tell the agent.
func (s *Server) take(ctx context.Context, t intake.Report) (about lessons.Lesson, says string, err error) {
	if t, err = s.checked(t); err != nil {
		return about, "", err
	}
	sessions, err := s.c.Sessions()
	if err != nil {
		return about, "", err
	}
	done, err := s.writing(ctx)
	if err != nil {
		return about, "", err
	}
	defer done()
	l, found, err := sessions.Proposal(ctx, t)
	switch {
	case errors.Is(err, intake.ErrPaused):
		return about, "", errors.New("the person has paused learning: nothing was recorded, and nothing is to be")
	case err != nil:
		return about, "", err
	}
	lib := s.c.Library
	if _, err := lib.Sync(ctx); err != nil && ctx.Err() == nil && lib.Warn != nil {
		lib.Warn(fmt.Errorf("what is known already may be proposed again: %w", err))
	}
	got, err := intake.New(lib.Store, lib.Index).Report(ctx, l)
	if err != nil {
		return about, "", err
	}
	_, _ = lib.Hasty().Sync(context.WithoutCancel(ctx)) // or the next call does it
	return got.Lesson, told(got, quoted(t.Quote, found, l.Evidence[0].By)), nil
}

// checked returns a report within the limits.
func (s *Server) checked(t intake.Report) (intake.Report, error) {
	t.Content, t.Session, t.Project = lessons.Line(t.Content), strings.TrimSpace(t.Session), strings.TrimSpace(t.Project)
	t.Insight, t.Example = strings.TrimSpace(lessons.Block(t.Insight)), strings.Trim(lessons.Block(t.Example), "\n")
	t.Session = cmp.Or(t.Session, s.c.Session)
	switch {
	case t.Content == "":
		return t, errors.New("content is empty: say the lesson in one clear sentence")
	case len(t.Content) > mostContent:
		return t, fmt.Errorf("content has %d bytes; at most %d: say it in one sentence, and the rest as insight", len(t.Content), mostContent)
	case len(t.Quote) > mostQuote:
		return t, fmt.Errorf("quote has %d bytes; at most %d: quote the sentences that taught it", len(t.Quote), mostQuote)
	case len(t.Session) > mostSession || lessons.Hidden(t.Session):
		return t, fmt.Errorf("session is no id of a session: it has at most %d bytes", mostSession)
	case t.Project != "":
		if err := curate.CheckProject(t.Project); err != nil {
			return t, err
		}
	}
	for _, terms := range []*[]string{&t.Tags, &t.Triggers} {
		var out []string
		for _, w := range *terms {
			if w = lessons.Line(w); w != "" && len(w) <= mostTerm && len(out) < mostTerms {
				out = append(out, w)
			}
		}
		*terms = out
	}
	return t, nil
}

// quoted tells an agent what became of its quote.
func quoted(quote string, found bool, by lessons.Speaker) string {
	switch {
	case strings.TrimSpace(quote) == "":
		return "Nothing was quoted, so it is marked as an agent's own word."
	case !found:
		return "The quote was not found in a transcript of the session, and the proposal says so."
	}
	return map[lessons.Speaker]string{
		lessons.ByPerson: "The quote was found: the person said it.", lessons.ByAgent: "The quote was found, and is an agent's own words.", lessons.ByTool: "The quote was found in what a tool answered.",
	}[by]
}

// told tells an agent the result of its proposal.
func told(r intake.Reported, quote string) string {
	l := r.Lesson
	switch {
	case r.New:
		return fmt.Sprintf("Proposed as L-%s. It waits for the person and is not active. %s\n", l.ID, quote)
	case l.Status == lessons.Pending && r.Joined:
		return fmt.Sprintf("L-%s of the same moment or of the same words waits already: this was added to it. %s\n", l.ID, quote)
	case l.Status == lessons.Rejected:
		reason := ""
		if l.Decided.Reason != "" {
			reason = " The reason was: " + lessons.Line(recall.Clean(l.Decided.Reason))
		}
		return fmt.Sprintf("Not proposed: the person rejected the same, L-%s.%s\n", l.ID, reason)
	}
	return fmt.Sprintf("Nothing to propose: L-%s, which is %s, says the same.\n", l.ID, l.Status)
}

type feedbackIn struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`
	Note    string `json:"note"`
	Session string `json:"session"`
}

func (s *Server) feedback(ctx context.Context, client string, in feedbackIn) (string, error) {
	names := map[string]string{"helped": "helped", "not": "did not apply", "wrong": "wrong"}
	name, ok := names[in.Verdict]
	if !ok {
		return "", errors.New("verdict is helped, not or wrong")
	}
	l, err := s.lesson(in.ID)
	if err != nil {
		return "", err
	}
	done, err := s.writing(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	if in.Session = strings.TrimSpace(in.Session); in.Session == "" {
		in.Session = s.c.Session
	}
	r := curate.Report{Name: name, Note: clip(redact.New().Redact(lessons.Line(in.Note)), mostNote), Session: lessons.Line(clip(in.Session, mostSession))}
	if err := s.corpus(client).Remark(r, l.ID); err != nil {
		return "", err
	}
	return fmt.Sprintf("Noted of L-%s for the person to read; nothing changed.\n", l.ID), nil
}
