package curate_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/store"
)

// desk makes a corpus with proposals, at which Ada decides. The function that it
// returns removes it.
func desk(proposals ...lessons.Lesson) (*curate.Corpus, func()) {
	dir, err := os.MkdirTemp("", "curate")
	if err != nil {
		log.Fatal(err)
	}
	files, err := store.Open(filepath.Join(dir, "lessons"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := files.Put(store.Write{Op: lessons.OpPropose, By: "rules"}, proposals...); err != nil {
		log.Fatal(err)
	}
	c := &curate.Corpus{
		Library: curate.Library{Store: files, Index: index.At(filepath.Join(dir, "state", "index")), Now: time.Now},
		By:      "ada", Drafts: filepath.Join(dir, "state", "drafts"),
	}
	return c, func() { os.RemoveAll(dir) }
}

// proposal returns a lesson with evidence by a speaker.
func proposal(id lessons.ID, by lessons.Speaker, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: id, Status: lessons.Pending, Category: "workflow", Confidence: 0.6,
		Scope: lessons.Scope{Project: "shop", Role: "developer"}, Wording: lessons.Wording{Content: content},
		Evidence: []lessons.Evidence{{By: by, Quote: content, Session: "s-" + string(id)}},
	}
}

// get reads a lesson as the person sees it.
func get(c *curate.Corpus, id lessons.ID) lessons.Lesson {
	l, err := c.Store.Get(id)
	if err != nil {
		log.Fatal(err)
	}
	return l
}

// A person decides on one lesson as they saw it. When somebody else has changed it
// since, the decision is a conflict and nothing is written; an agent decides nothing
// at all.
func ExampleCorpus_Decide() {
	c, remove := desk(proposal("tests", lessons.ByPerson, "Run the tests before each commit."))
	defer remove()
	seen := get(c, "tests")
	l, err := c.Decide(curate.Approve, seen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Status, "by", l.Decided.By)

	theirs := l
	theirs.Content = "Run the tests before each push."
	if _, err := c.Store.Put(store.Write{Op: lessons.OpEdit, By: "bob"}, theirs); err != nil {
		log.Fatal(err)
	}
	_, err = c.Decide(curate.Archive.Because("too broad"), seen)
	fmt.Println("conflict:", errors.Is(err, lessons.ErrConflict))
	c.Agent = "Codex"
	_, err = c.Decide(curate.Archive, get(c, "tests"))
	fmt.Println("only a person:", errors.Is(err, curate.ErrPerson))
	// Output:
	// approved by ada
	// conflict: true
	// only a person: true
}

// Of many, those that somebody should look at one by one are left out and named.
// What was decided together is one step of undo.
func ExampleCorpus_DecideMany() {
	c, remove := desk(
		proposal("tests", lessons.ByPerson, "Run the tests before each commit."),
		proposal("notes", lessons.ByPerson, "Write release notes in the present tense."),
		proposal("heard", lessons.ByTool, "Set the retry limit to 9."),
	)
	defer remove()
	batch, err := c.DecideMany(curate.Approve, []lessons.Lesson{get(c, "tests"), get(c, "notes"), get(c, "heard")})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range batch.After {
		fmt.Println(l.ID, l.Status)
	}
	for _, left := range batch.Left {
		fmt.Println(left.Lesson.ID, "left out:", left.Why)
	}
	if _, err := c.Undo(1); err != nil {
		log.Fatal(err)
	}
	fmt.Println(get(c, "tests").Status, get(c, "notes").Status)
	// Output:
	// tests approved
	// notes approved
	// heard left out: only a tool speaks for it
	// pending pending
}

// Two lessons become one, with the evidence of both.
func ExampleCorpus_Merge() {
	c, remove := desk(
		proposal("one", lessons.ByPerson, "Run the tests before each commit."),
		proposal("two", lessons.ByPerson, "Before committing, run the tests."),
	)
	defer remove()
	after, err := c.Merge(curate.MergeOf([]lessons.Lesson{get(c, "one"), get(c, "two")}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(after[0].Content, "| evidence:", len(after[0].Evidence))
	for _, id := range []lessons.ID{"one", "two"} {
		l := get(c, id)
		fmt.Printf("%s is %s, into %q\n", id, l.Status, l.Decided.Into)
	}
	// Output:
	// Run the tests before each commit. | evidence: 2
	// one is pending, into ""
	// two is merged, into "one"
}

// Two lessons contradict each other. An order is proposed with a reason, and the
// person settles it: one takes the other's place.
func ExampleCorpus_Settle() {
	c, remove := desk(
		proposal("pnpm", lessons.ByPerson, "Use pnpm, not npm, to install packages."),
		proposal("npm", lessons.ByAgent, "Install packages with npm."),
	)
	defer remove()
	if _, err := c.Sync(context.Background()); err != nil {
		log.Fatal(err)
	}
	pairs, err := c.Contradictions(context.Background(), "shop")
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range pairs {
		fmt.Println(p.Ground)
		s, because := curate.Propose(p.Keep, p.Lose)
		fmt.Println("keep", s.Keep.ID, "because", because)
		s.Approve, s.Reason = true, "the lock file is pnpm's"
		keep, lose, err := c.Settle(s)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(keep.ID, keep.Status)
		fmt.Println(lose.ID, lose.Status, "superseded by", lose.Decided.SupersededBy)
	}
	// Output:
	// exclusive
	// keep pnpm because pnpm is a person's own words
	// pnpm approved
	// npm rejected superseded by pnpm
}

// A draft is a lesson in the hands of an editor. What was typed stays in its file
// until it is stored as the lesson, even if something fails meanwhile.
func ExampleCorpus_OpenDraft() {
	c, remove := desk(proposal("tests", lessons.ByPerson, "Run the tests."))
	defer remove()
	draft, err := c.OpenDraft(get(c, "tests"))
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(draft.Path) // the person's editor does this
	if err != nil {
		log.Fatal(err)
	}
	improved := strings.ReplaceAll(string(text), "Run the tests.", "Run the tests before each commit.")
	if err := os.WriteFile(draft.Path, []byte(improved), 0o600); err != nil {
		log.Fatal(err)
	}

	again, err := c.OpenDraft(get(c, "tests")) // after a crash, say
	if err != nil {
		log.Fatal(err)
	}
	edited, err := again.Read()
	if err != nil {
		log.Fatal(err)
	}
	l, err := c.Decide(curate.EditDraft(again, edited), again.Lesson)
	if err != nil {
		log.Fatal(err)
	}
	_, err = os.Stat(draft.Path)
	fmt.Println(l.Content, "| gone on with:", again.Again, "| draft removed:", os.IsNotExist(err))
	// Output:
	// Run the tests before each commit. | gone on with: true | draft removed: true
}
