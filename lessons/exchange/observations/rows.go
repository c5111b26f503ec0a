package observations

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A text is a nullable text column; "" is null. Another JSON value in an export becomes its
// JSON text.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case string(b) == "null":
		*t = ""
		return nil
	case b[0] != '"':
		var out bytes.Buffer
		if err := json.Compact(&out, b); err != nil {
			return err
		}
		*t = text(out.String())
		return nil
	}
	err := json.Unmarshal(b, &s)
	*t = text(s)
	return err
}

// MarshalJSON encodes "" as null.
func (t text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return []byte(exchange.Quoted(string(t))), nil
}

// An observation is a row of claude-mem's observations, in the order of an export.
type observation struct {
	ID        int64 `json:"id"`
	Session   text  `json:"memory_session_id"`
	Project   text  `json:"project"`
	Text      text  `json:"text"` // in old versions, instead of a narrative
	Type      text  `json:"type"`
	Title     text  `json:"title"`
	Subtitle  text  `json:"subtitle"`
	Facts     text  `json:"facts"`
	Narrative text  `json:"narrative"`
	Concepts  text  `json:"concepts"`
	Read      text  `json:"files_read"`
	Modified  text  `json:"files_modified"`
	Prompt    count `json:"prompt_number"`
	Work      int64 `json:"discovery_tokens"`
	Created   text  `json:"created_at"`
	Epoch     int64 `json:"created_at_epoch"`
	Hash      text  `json:"content_hash"`
	Merged    text  `json:"merged_into_project,omitempty"`
}

// A count is a number from 1 on; 0 is null.
type count int64

// MarshalJSON encodes 0 as null.
func (c count) MarshalJSON() ([]byte, error) {
	if c == 0 {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(c), 10), nil
}

// A session is a row of sdk_sessions, in the order of an export.
type session struct {
	ID        int64 `json:"id"`
	Content   text  `json:"content_session_id"`
	Memory    text  `json:"memory_session_id"`
	Project   text  `json:"project"`
	Platform  text  `json:"platform_source"`
	Asked     text  `json:"user_prompt"`
	Title     text  `json:"custom_title"`
	Started   text  `json:"started_at"`
	Epoch     int64 `json:"started_at_epoch"`
	Completed text  `json:"completed_at"`
	Done      count `json:"completed_at_epoch"`
	Status    text  `json:"status"`
}

// A summary is a row of session_summaries.
type summary struct {
	ID      int64 `json:"id"`
	Session text  `json:"memory_session_id"`
	Project text  `json:"project"`
	Merged  text  `json:"merged_into_project"`
	Request text  `json:"request"`
	Learned text  `json:"learned"`
	Prompt  int64 `json:"prompt_number"`
	Created text  `json:"created_at"`
	Epoch   int64 `json:"created_at_epoch"`
}

// A prompt is a row of user_prompts.
type prompt struct {
	Session text  `json:"content_session_id"`
	Number  int64 `json:"prompt_number"`
	Text    text  `json:"prompt_text"`
}

// Types and concepts that claude-mem knows. It only gives an observation to an agent if its
// type and one of its concepts are known.
var (
	knownTypes    = []string{"bugfix", "feature", "refactor", "change", "discovery", "decision", "security_alert", "security_note", "sensitive"}
	knownConcepts = []string{"how-it-works", "why-it-exists", "what-changed", "problem-solution", "gotcha", "pattern", "trade-off"}
)

func (o observation) active() bool {
	return slices.Contains(knownTypes, string(o.Type)) && slices.ContainsFunc(list(string(o.Concepts)), func(c string) bool { return slices.Contains(knownConcepts, c) })
}

// key identifies an observation independently of its database: row numbers differ between
// machines. It is the same in an export.
func (o observation) key() string {
	return string(o.Session) + "/" + o.hash()
}

func (s summary) key() string {
	return string(s.Session) + "/summary-" + contentHash(string(s.Session), string(s.Request), string(s.Learned))
}

// content returns an observation in one line: its title and subtitle, or what else it has.
func (o observation) content() string {
	title, sub := lessons.Line(public(string(o.Title))), lessons.Line(public(string(o.Subtitle)))
	switch {
	case title != "" && sub != "":
		return strings.TrimRight(title, ".:; ") + ". " + sub
	case title+sub != "":
		return title + sub
	}
	first, _ := firstLine(o.told())
	return first
}

// told returns the narrative.
func (o observation) told() string { return public(string(cmp.Or(o.Narrative, o.Text))) }

// insight returns why and when the observation holds, with the facts as a list.
func (o observation) insight() string {
	told := o.told()
	if o.Title+o.Subtitle == "" {
		_, told = firstLine(told)
	}
	var facts []string
	for _, f := range list(string(o.Facts)) {
		if f = lessons.Line(public(f)); f != "" {
			facts = append(facts, "- "+f)
		}
	}
	return strings.TrimSpace(told + "\n\n" + strings.Join(facts, "\n"))
}

// firstLine splits a text after its first line that is not blank.
func firstLine(s string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return lessons.Line(strings.TrimLeft(first, "-*• \t")), strings.TrimSpace(rest)
}

// A store is what was read of claude-mem.
type store struct {
	observations []observation
	sessions     map[text]session // by the id in the memory
	summaries    []summary
	prompts      map[asking]string
}

// An asking identifies a prompt by an agent's session and its number.
type asking struct {
	session text
	number  int64
}

func newStore() *store {
	return &store{sessions: map[text]session{}, prompts: map[asking]string{}}
}

// take adds a row of a table. Of duplicate sessions and prompts the first counts.
func (s *store) take(table string, read func(row any) error) error {
	var x session
	var o observation
	var y summary
	var p prompt
	err := read(map[string]any{"sdk_sessions": &x, "observations": &o, "session_summaries": &y, "user_prompts": &p}[table])
	if err != nil {
		return err
	}
	switch table {
	case "observations":
		s.observations = append(s.observations, o)
	case "session_summaries":
		s.summaries = append(s.summaries, y)
	case "sdk_sessions":
		if _, twice := s.sessions[x.Memory]; x.Memory != "" && !twice {
			s.sessions[x.Memory] = x
		}
	default:
		at := asking{p.Session, p.Number}
		if _, twice := s.prompts[at]; !twice && !protocol(string(p.Text)) {
			s.prompts[at] = storedPrompt(string(p.Text))
		}
	}
	return nil
}

// asked returns the prompt that an observation belongs to.
func (s *store) asked(memory text, number int64) string {
	x := s.sessions[memory]
	if t := s.prompts[asking{x.Content, number}]; t != "" {
		return t
	}
	if protocol(string(x.Asked)) {
		return ""
	}
	return storedPrompt(string(x.Asked))
}

// found returns the entries of a store. Of equal observations it keeps the first, as
// claude-mem does.
func (s *store) found(path string) (f exchange.Found) {
	twice := map[string]bool{}
	add := func(e exchange.Entry, request string) {
		if twice[e.Key] {
			return
		}
		twice[e.Key] = true
		ev := &e.Lesson.Evidence[0]
		ev.Path, ev.Quote = path, strings.TrimSpace(e.Lesson.Content+"\n\n"+e.Lesson.Insight)
		if request != "" {
			ev.Before = []string{request}
		}
		f.Entries = append(f.Entries, e)
	}
	for _, o := range s.observations {
		if o.content() == "" {
			f.Unread = append(f.Unread, exchange.Unread{Path: fmt.Sprintf("%s#%d", path, o.ID), Err: fmt.Errorf("an observation without a title, a narrative or facts")})
			continue
		}
		add(s.entry(o, path), s.asked(o.Session, int64(o.Prompt)))
	}
	for _, x := range s.summaries {
		if public(string(x.Learned)) != "" {
			add(s.learned(x, path), cmp.Or(public(string(x.Request)), s.asked(x.Session, x.Prompt)))
		}
	}
	return f
}

// entry converts an observation to a proposal.
func (s *store) entry(o observation, path string) exchange.Entry {
	e := s.begin(o.Session, cmp.Or(o.Merged, o.Project), o.key(), o.Created, o.Epoch)
	l := &e.Lesson
	l.Category = lessons.Category(cmp.Or(lessons.Line(string(o.Type)), "discovery"))
	l.Content, l.Insight = o.content(), o.insight()
	l.Tags = exchange.Terms(list(string(o.Concepts)))
	rule := fmt.Sprintf("observed in a session of %s, %d tokens to read", platform(string(s.sessions[o.Session].Platform)), o.tokens())
	if o.Work > 0 {
		rule += fmt.Sprintf(" and %d to find out", o.Work)
		l.Extra = []lessons.Field{{Key: workKey, Value: strconv.FormatInt(o.Work, 10)}}
	}
	e.Place = fmt.Sprintf("%s#%d", path, o.ID)
	if about := firstFile(string(o.Modified), checkout(o), string(o.Read)); about != noFile {
		rule += ", about " + lessons.Line(about)
	}
	l.Origin.Rule = rule
	e.Active = o.active()
	return e
}

// checkout returns the folder of the project, guessed from the paths of its files.
func checkout(o observation) string {
	for _, p := range append(files(string(o.Modified)), files(string(o.Read))...) {
		if at := strings.LastIndex(p, "/"+string(o.Project)+"/"); at >= 0 && o.Project != "" {
			return p[:at+1+len(o.Project)]
		}
	}
	return "/"
}

// learned makes a proposal of a session's summary.
func (s *store) learned(x summary, path string) exchange.Entry {
	e := s.begin(x.Session, cmp.Or(x.Merged, x.Project), x.key(), x.Created, x.Epoch)
	l := &e.Lesson
	l.Category = "discovery"
	l.Content, l.Insight = firstLine(public(string(x.Learned)))
	l.Origin.Rule = fmt.Sprintf("the summary of a session of %s says that it was learned", platform(string(s.sessions[x.Session].Platform)))
	e.Place = fmt.Sprintf("%s#S%d", path, x.ID)
	return e
}

// begin returns an entry with what all entries have in common.
func (s *store) begin(memory, project text, key string, created text, epoch int64) exchange.Entry {
	x := s.sessions[memory]
	at := time.UnixMilli(epoch).UTC()
	if epoch <= 0 {
		at, _ = time.Parse(time.RFC3339, string(created)) // zero if it cannot be parsed
	}
	source := string(cmp.Or(x.Content, memory))
	return exchange.Entry{Key: key, Lesson: lessons.Lesson{
		ID: exchange.ID(Name, Name, key), Status: lessons.Pending, Confidence: medium,
		Scope: lessons.Scope{Project: lessons.Line(string(cmp.Or(project, x.Project)))}, Created: at.UTC(),
		Origin:   lessons.Origin{Extractor: exchange.By(Name), Source: source},
		Evidence: []lessons.Evidence{{Agent: Name, Session: source, By: lessons.ByAgent, From: "import", At: at.UTC(), UUID: string(exchange.ID(Name, Name, key))}},
	}}
}

// medium is the confidence of entries that have none.
const medium lessons.Confidence = 0.6
