package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// github decodes what GitHub's REST API gives of the reviews of pull requests:
// review comments (pulls/N/comments), reviews (pulls/N/reviews) and the
// conversation (issues/N/comments), as lists or one object a line. "gh api
// --paginate" prints one list behind the other, and with --slurp a list of them.
//
// In front of a comment stands what it is about, as an agent's words: the end of
// the code, and what it answers. Each comment names its author and its address;
// those of bots are an agent's, and so are those of people who have no part in the
// repository: in a public one anybody may comment.
type github struct {
	base
	asked map[string]string // the beginning of each comment, by its id
}

const (
	// maxAsked bounds what is remembered for answers, so that a hostile file
	// cannot fill the memory.
	maxAsked = 20_000
	// maxHunk is how many bytes of the code in front of a comment are told: its
	// end, which is what the comment is about.
	maxHunk = 240
	// maxLink and maxAuthor are longer than GitHub's.
	maxLink, maxAuthor = 300, 64
)

// outsiders are the associations of people with no part in a repository, and of the
// stand-ins for people of another forge.
var outsiders = []string{"NONE", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN"}

var (
	// pullLink is the address of a comment: the repository's owner and name, and
	// the number of the pull request.
	pullLink = lazyRegexp(`^https?://[A-Za-z0-9.:-]+/([A-Za-z0-9._-]+)/([A-Za-z0-9._-]+)/pull/([0-9]{1,12})(?:[/#][A-Za-z0-9_/#.-]*)?$`)
	// asides are HTML comments, which bots and templates leave in texts.
	asides = lazyRegexp(`(?s)<!--.*?-->`)
)

func newGitHub(b base) decoder { return &github{b, map[string]string{}} }

func isGitHub(g glimpse) bool {
	if !g.rest.is('[') || g.open != "" {
		return false
	}
	i := space(g.rest, 1)
	if i < len(g.rest) && g.rest[i] == '[' {
		i = space(g.rest, i+1)
	}
	o, _, _ := parseObject(g.rest, i, nil)
	return isGitHubLine(o)
}

func isGitHubLine(o object) bool {
	return pullLink().MatchString(o.get("html_url").text()) && o.get("user") != nil && o.get("body") != nil &&
		(o.get("pull_request_url").isString() || o.get("issue_url").isString())
}

func (g *github) record(o object) {
	link := o.get("html_url").text()
	m := pullLink().FindStringSubmatch(link)
	if m == nil || len(link) > maxLink {
		return
	}
	t := Turn{Line: g.d.line, UUID: cmp.Or(o.get("node_id").text(), link), Session: fmt.Sprintf("%s/%s#%s", m[1], m[2], m[3])}
	for _, when := range []string{"created_at", "submitted_at"} {
		if at := g.d.at(o.get(when)); !at.IsZero() {
			t.At = at
		}
	}
	s := &g.d.session
	s.ID, s.Dir = cmp.Or(s.ID, t.Session), cmp.Or(s.Dir, m[2]) // no more than a name is known
	text := ownWords(o.get("body").text())
	if text == "" {
		return
	}
	user := o.get("user").members(nil)
	author := cmp.Or(name(user.get("login").text(), maxAuthor), "ghost")
	g.d.note(t, Agent, Message, g.about(o))
	if len(g.asked) < maxAsked {
		g.asked[string(o.get("id"))] = author + ": " + start(text, maxHunk)
	}
	t.Speaker, t.Kind, t.Text, t.Author, t.Link = Person, Message, text, author, link
	if user.get("type").equals("Bot") || strings.HasSuffix(author, "[bot]") || slices.Contains(outsiders, o.get("author_association").text()) {
		t.Speaker, t.Text = Agent, cutText(text)
	}
	g.d.emit(t)
}

// about is what a comment is about; "" for a review as a whole.
func (g *github) about(o object) string {
	path := o.get("path").text()
	if path == "" {
		return ""
	}
	about := path + "\n" + tail(o.get("diff_hunk").text(), maxHunk)
	if asked := g.asked[string(o.get("in_reply_to_id"))]; asked != "" {
		about += "\n" + asked
	}
	return about
}

// GitHubLines puts comments from lists on lines of their own, and drops everything
// else.
func GitHubLines(data []byte) ([]byte, error) {
	var out bytes.Buffer
	var lists func(v json.RawMessage, depth int) error
	lists = func(v json.RawMessage, depth int) error {
		if raw(v).is('{') {
			if err := json.Compact(&out, v); err != nil {
				return err
			}
			return out.WriteByte('\n')
		}
		var in []json.RawMessage
		if depth == 2 || json.Unmarshal(v, &in) != nil {
			return nil
		}
		for _, e := range in {
			if err := lists(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var v json.RawMessage
		switch err := d.Decode(&v); {
		case errors.Is(err, io.EOF):
			return out.Bytes(), nil
		case err != nil:
			return nil, fmt.Errorf("reading what GitHub says: %w", err)
		}
		if err := lists(v, 0); err != nil {
			return nil, err
		}
	}
}

// ownWords is a comment without what it quotes of others.
func ownWords(body string) string {
	body = asides().ReplaceAllString(strings.ReplaceAll(body, "\r\n", "\n"), "")
	var out []string
	for _, line := range strings.Split(body, "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), ">") {
			out = append(out, line)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// name is a name on one line, without what cannot be seen, and short.
func name(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r > '~' {
			return -1
		}
		return r
	}, s)
	return start(s, most)
}

// tail is the end of a text from a line on.
func tail(s string, most int) string {
	s = strings.TrimRight(s, "\n")
	if len(s) <= most {
		return s
	}
	_, s, _ = strings.Cut(s[len(s)-most:], "\n")
	return strings.ToValidUTF8(s, "")
}
