package transcript_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

// A verified is what is in a real session, counted by hand or by a script that
// goes another way than the reader does.
type verified struct {
	path                                     string
	turns, human, calls, failed, refused, ms int // human: turns in which a person said something; ms: answers and reasons among them
}

// TestVerified reads real sessions of the agents whose counts in SOURCES.tsv
// are by other definitions. Where these differ:
//   - Gemini: fa4593e0 has one person's message, not two: "System: Please
//     continue." is the program's.
//   - OpenCode: a shell command that exits with an error has failed, too.
//   - SpecStory: 2026-01-29 has 86 calls: one more is in what a person pasted,
//     and the rest in what tools have read. Plans, summaries, images and the
//     bodies of slash commands are nobody's message. /exit and /login have no
//     words; the answers to questions are counted here.
//   - Aider: 770 messages, 337 commands with words, 3 shell lines; 86 repeats
//     of what /ask was given, 24 questions that /help wrote and 13 lists of lint
//     errors are nobody's. Calls are the blocks of edits.
var verifieds = []verified{
	{path: "gemini-cli/entireio__cli/29eb990e-c773-4302-a4e7-317f0af0001f.json", turns: 1},
	{path: "gemini-cli/entireio__cli/f7633853-6663-4dbb-bbf4-6159afa29df8.json", turns: 45, human: 1, calls: 9},
	{path: "gemini-cli/entireio__cli/fa4593e0-f7e1-4dd1-b656-da95fb4d60fa.json", turns: 9, human: 1, calls: 1},
	{path: "gemini-cli/entireio__cli/faff42ab-6ea5-4f78-b8c4-f7dd6272af08.json", turns: 14, human: 2, calls: 2},
	{path: "opencode/victoryforphil__dark-factory/session__crisp-garden__ses_39bc72f63ffeQb8egYBpyTrCNr.json", turns: 142, human: 8, calls: 39, failed: 2},
	{path: "opencode/victoryforphil__dark-factory/session__curious-harbor__ses_39b4b4b3bffeXCkbhNdUgsq5wv.json", turns: 139, human: 9, calls: 43, failed: 5, refused: 1},
	{path: "opencode/victoryforphil__dark-factory/session__hidden-river__ses_39b709b7fffea1aT6PAuEvX6Zq.json", turns: 174, human: 10, calls: 55},
	{path: "opencode/victoryforphil__dark-factory/session__kind-meadow__ses_39b9a333bffeVNXMK6bSZru9Uq.json", turns: 269, human: 12, calls: 87, failed: 1},
	{path: "specstory/specstoryai__getspecstory/2026-07-02_15-28-22Z.md", turns: 382, human: 14, calls: 138, failed: 2, refused: 2},
	{path: "specstory/specstoryai__getspecstory/specstory-cli__2026-01-29_17-39-47Z-the-droid-factory-provider.md", turns: 327, human: 14, calls: 86, failed: 2, refused: 1},
	{path: "specstory/specstoryai__getspecstory/specstory-cli__2026-02-10_14-21-48Z-ok-read-at-docs.md", turns: 189, human: 13, calls: 44, failed: 10, refused: 2},
	{path: "specstory/specstoryai__getspecstory/specstory-cli__2026-02-11_14-35-11Z-implement-the-following-plan.md", turns: 400, human: 18, calls: 136, failed: 7, refused: 4},
	{path: "specstory/specstoryai__getspecstory/specstory-cli__2026-02-23_12-05-09Z-implement-the-following-plan.md", turns: 702, human: 20, calls: 251, failed: 3, refused: 2},
	{path: "specstory/specstoryai__getspecstory/specstory-cli__2026-06-23_20-26-43Z-ok-take-a-look.md", turns: 866, human: 22, calls: 322, failed: 3, refused: 1, ms: 2},
	{path: "specstory/specstoryai__getspecstory/specstory-cli__2026-07-24_20-01-58Z.md", turns: 452, human: 31, calls: 179, failed: 1, ms: 3},
	{path: "aider/Aider-AI__aider/chat-history.md", turns: 7020, human: 1110, calls: 704, failed: 91},
	{path: "copilot-cli/EntityProcess__agentv/1afc31c8-d97f-4331-bae9-b6417f1b79a9.jsonl", turns: 3, human: 1},
	{path: "copilot-cli/EntityProcess__agentv/2426852d-6cf5-4e90-be9f-e45fc6c7d5e4.jsonl", turns: 2, human: 1},
	{path: "copilot-cli/EntityProcess__agentv/487fbe81-e917-46ad-a7c6-bf31cba53339.jsonl", turns: 2, human: 1},
	{path: "pi/badlogic__pi-mono/large-session.jsonl", turns: 1118, human: 88, calls: 391, failed: 19},
	{path: "cline/cline__cline/sdk__packages__core__fixtures__session__session.messages.json", turns: 41, human: 5, calls: 11},
	{path: "mini-swe-agent/SWE-agent__mini-swe-agent/deepseek_chat_dev__marshmallow-code__marshmallow-1343__marshmallow-code__marshmallow-1343.traj.json", turns: 297, calls: 104, failed: 5},
	{path: "mini-swe-agent/SWE-agent__mini-swe-agent/deepseek_chat_dev__marshmallow-code__marshmallow-1359__marshmallow-code__marshmallow-1359.traj.json", turns: 219, calls: 74, failed: 5},
	{path: "swe-agent/SWE-agent__SWE-agent/ctf__crypto__BabyEncryption.traj", turns: 47, calls: 16, failed: 3},
	{path: "swe-agent/SWE-agent__SWE-agent/ctf__crypto__BabyTimeCapsule.traj", turns: 26, calls: 9},
}

func TestVerified(t *testing.T) {
	for _, want := range verifieds {
		t.Run(want.path, func(t *testing.T) {
			turns, session := turnsOf(t, want.path)
			got := verified{path: want.path, turns: len(turns)}
			for _, u := range turns {
				switch {
				case u.Kind == transcript.Call:
					got.calls++
				case u.Kind == transcript.Result && u.Failed:
					got.failed++
				case u.Kind == transcript.Result && u.Refused:
					got.refused++
				case u.Speaker == transcript.Person && u.Text != "":
					got.human++
					if u.Kind == transcript.Answer || u.Kind == transcript.Rejection {
						got.ms++
					}
				}
				if u.Kind == transcript.Result && (u.Tool == nil || u.Tool.Name == "") {
					t.Errorf("line %d: an answer to no call", u.Line)
				}
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if session.ID == "" {
				t.Error("no session")
			}
		})
	}
}

// TestLinesOfTurns checks that the words of turns are on the lines that they
// say, in documents and prose: the beginning of what was said is there.
func TestLinesOfTurns(t *testing.T) {
	for _, v := range verifieds {
		data, err := os.ReadFile(filepath.Join(shared(t, "transcripts"), filepath.FromSlash(v.path)))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		turns, session := turnsOf(t, v.path)
		for _, u := range turns {
			if u.Speaker != transcript.Person || u.Text == "" {
				continue
			}
			record := strings.Join(lines[u.Line-1:min(u.Line+12, len(lines))], "\n")
			word := strings.Trim(strings.Fields(u.Text)[0], `"'\`)
			if !strings.Contains(record, word) && u.Kind != transcript.Answer {
				t.Errorf("%s:%d (%s): no %q in %.200q", v.path, u.Line, session.Agent, word, record)
			}
		}
	}
}

// TestChats checks that an Aider history tells its chats apart.
func TestChats(t *testing.T) {
	turns, session := turnsOf(t, "aider/Aider-AI__aider/chat-history.md")
	chats := map[string]int{}
	for _, u := range turns {
		chats[u.Session]++
		if u.Session != "" && (u.At.IsZero() || !strings.Contains(u.Session, u.At.Format("20060102-150405"))) {
			t.Fatalf("line %d: chat %s at %v", u.Line, u.Session, u.At)
		}
	}
	// 1,133 headings; behind 150 of them is nothing, and before the first is
	// something.
	if len(chats) != 984 || session.ID != "aider-20240822-084704" || session.Start.Format("2006-01-02") != "2024-08-05" {
		t.Errorf("%d chats, %+v", len(chats), session)
	}
}

// TestFixtures takes no session of an agent that is not known for one of an
// agent that is. OpenClaw is built on pi.
func TestFixtures(t *testing.T) {
	root := filepath.Join(shared(t, "transcripts"), "other-fixtures", "jazzyalex__agent-sessions")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"agent": "claude-code", "claude": "claude-code", "gemini": "gemini-cli", "copilot": "copilot-cli", "openclaw": "pi", "qwen": "qwen-code", "child.jsonl": "cursor"}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(root, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		format, _ := transcript.Detect(data)
		agent, _, _ := strings.Cut(e.Name(), "__")
		agent, _, _ = strings.Cut(agent, "-")
		if n := names[agent]; n != "" {
			agent = n
		}
		if format != "" && string(format) != agent {
			t.Errorf("%s is taken for %s", e.Name(), format)
		}
		if format == "" && slices.Contains([]string{"cursor", "pi", "copilot-cli"}, agent) {
			t.Errorf("%s is not known", e.Name())
		}
	}
}
