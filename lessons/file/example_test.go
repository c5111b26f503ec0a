package file_test

import (
	"fmt"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

func ExampleDecode() {
	l, err := file.Decode([]byte(`---
content: "Run make generate after editing a .proto file"
confidence: high
tags: [protobuf, build]
project: shop
---

The generated client is checked in.

    make generate
`))
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Status, l.Confidence, l.Tags)
	fmt.Println(l.Insight)
	fmt.Println(l.Example)
	// Output:
	// pending 0.90 [protobuf build]
	// The generated client is checked in.
	// make generate
}

func ExampleEncode() {
	l := lessons.Lesson{
		ID: "k7m2p9qx", Status: lessons.Approved, Confidence: 0.9,
		Wording: lessons.Wording{Content: "Use tabs", Insight: "gofmt does."},
		Scope:   lessons.Scope{Project: "shop", Role: "developer"},
		Created: time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC),
	}
	text, err := file.Encode(l)
	if err != nil {
		panic(err)
	}
	fmt.Println(file.Name(l, 1))
	fmt.Print(string(text))
	// Output:
	// shop/developer/20260405143000-use-tabs.md
	// ---
	// content: "Use tabs"
	// memory_type: learning
	// importance: 0.9
	// confidence: high
	// tags: []
	// source: ""
	// role: "developer"
	// project: "shop"
	// created: "2026-04-05T14:30:00+00:00"
	// id: "k7m2p9qx"
	// category: pattern
	// score: 0.90
	// status: approved
	// ---
	//
	// gofmt does.
}
