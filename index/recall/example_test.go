package recall_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"learnings/index/recall"
)

// A session about protocol buffers is given what fits it. Each lesson that was
// considered says why it is in or out.
func ExamplePick() {
	ctx := context.Background()
	corpus := over( // an index.Index, or as here a scan of the lessons themselves
		lesson("proto", "Run make generate after editing a .proto file."),
		lesson("again", "After editing a .proto file, run make generate."),
		lesson("colour", "Buttons are blue.", sure(0.6)),
	)
	choices, err := recall.Pick(ctx, corpus, nil, recall.Situation{
		Project: "octofs", Role: "developer", Prompt: "Edit the .proto file and run the tests.",
		All: true, Now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
	}, recall.Budget{Lessons: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range choices {
		fmt.Println(c.Lesson.ID, c.In, "|", c.Why)
	}
	if err := recall.Write(os.Stdout, choices, recall.Style{Project: "octofs"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// again true | shares Edit, proto, run, file with it; sure, 94 % fresh
	// proto false | says nearly the same as again
	// colour false | beside the subject: shares no telling word with it
	// <learnings-context project="octofs">
	// The user approved these for this project; follow them unless the user says otherwise in this session. `learnings show ID` tells more.
	// - After editing a .proto file, run make generate. [L-again]
	// </learnings-context>
}
