package proof

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// Tag is the element around every block of lessons given to a session.
const Tag = "learnings-context"

// maxInBlocks limits the lessons of one text: a session is given about five at once.
const maxInBlocks = 100

var (
	tagIDs = lessons.LazyRegexp(`(?:<|&lt;)` + Tag + `\b[^<>]{0,400}\blessons="([a-z0-9_,-]+)"`) // until 2026-11
	anID   = lessons.LazyRegexp(`^[a-z0-9_-]{1,64}$`)
	// row matches a lesson of a block: its handle ends the line of its sentence.
	row = lessons.LazyRegexp(`(?m)^- .*\[L-([a-z0-9_-]{1,64})\]\r?$`)
)

// InBlocks returns the lessons named by the blocks in a text. Only call it for text that
// a harness put into a transcript: a page that an agent reads may hold such blocks, too.
func InBlocks(text string) (ids []lessons.ID) {
	add := func(id string) {
		if len(ids) < maxInBlocks && !slices.Contains(ids, lessons.ID(id)) {
			ids = append(ids, lessons.ID(id))
		}
	}
	if !strings.Contains(text, Tag) {
		return nil
	}
	for _, m := range tagIDs().FindAllStringSubmatch(text, -1) {
		for id := range strings.SplitSeq(m[1], ",") {
			if anID().MatchString(id) {
				add(id)
			}
		}
	}
	parts := strings.Split(text, Tag)
	for i, block := range parts[1:] {
		if before := parts[i]; strings.HasSuffix(before, "</") || strings.HasSuffix(before, "&lt;/") { // a closing tag
			continue
		}
		for _, m := range row().FindAllStringSubmatch(block, -1) {
			add(m[1])
		}
	}
	return ids
}
