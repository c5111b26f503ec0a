package transcript

import (
	"bytes"
	"slices"
)

// HeadSize is how many bytes of a file [Detect] wants to see.
const HeadSize = 64 << 10

// Detect tells the format of a session from the first bytes of its file; the
// last line of head may be cut. It looks at records and never at names: a
// file of prose, of another agent or of no records at all is no session.
func Detect(head []byte) (Format, bool) {
	head = bytes.TrimPrefix(head, []byte(byteOrderMk))
	var o object
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		for i := space(line, 0); i < len(line); {
			var err error
			var end int
			o, end, err = parseObject(line, i, o[:0])
			if f := detectRecord(o); f != "" {
				return f, f != unknown
			}
			if err != nil {
				break
			}
			i = space(line, end)
		}
		head = rest
	}
	return "", false
}

// unknown is the format of records that only look like those of a known one.
const unknown Format = "?"

var (
	codexTypes  = []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
	claudeState = []string{"queue-operation", "last-prompt", "mode", "permission-mode", "custom-title", "ai-title", "agent-name", "agent-setting", "pr-link", "tag"}
)

// detectRecord tells the format that a record is of, "" when it could be of
// any. The record may be the visible part of one that is cut.
func detectRecord(o object) Format {
	kind := o.get("type").word()
	switch {
	case slices.Contains(codexTypes, kind):
		if o.get("timestamp") != nil && (o.get("payload").is('{') || len(o) == 2) {
			return Codex
		}
	case kind == "user" || kind == "assistant" || kind == "system" || kind == "attachment" || kind == "progress":
		if o.get("message").get("parts") != nil {
			return unknown // Qwen Code's records have the same frame
		}
		if o.get("sessionId") != nil && o.get("uuid") != nil && (o.get("isSidechain") != nil || o.get("userType") != nil) {
			return ClaudeCode
		}
	case kind == "" && o.get("isSidechain") != nil && o.get("parentUuid") != nil && o.get("sessionId") != nil:
		return ClaudeCode // cut before its type
	case kind == "file-history-snapshot":
		if o.get("messageId") != nil {
			return ClaudeCode
		}
	case kind == "summary":
		if o.get("leafUuid") != nil {
			return ClaudeCode
		}
	case slices.Contains(claudeState, kind):
		if o.get("sessionId") != nil {
			return ClaudeCode
		}
	}
	return ""
}
