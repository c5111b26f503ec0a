package tui

import (
	"strings"
	"testing"

	"learnings/tui/look"
)

// The line above the queue names its order, and the words of a search are underlined.
func TestQueueOrder(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 120, 30).wants(t, "at first", "sort value ▾")
	p.press(">").wants(t, "by age", "sort age").press(">").wants(t, "by project", "sort project")
	p.press(">").wants(t, "by confidence", "sort confidence", "━ sure")
	if got := p.a.review.Rows[0].ID; got != "d9u4p2nm" {
		t.Errorf("the first is %s", got)
	}
	p.press("<", "<", "<").wants(t, "back", "sort value")
	p.press("/").typed("npm").press("enter").wants(t, "searched", "sort relevance")
	if text := p.a.View().Content; !strings.Contains(text, look.New("", true, look.TrueColour).Strong.Underline().Render("npm")) {
		t.Errorf("the word is not underlined:\n%q", text)
	}
}
