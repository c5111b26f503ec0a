package main

import (
	"context"

	"learnings/cmd/internal/render"
)

// mostReadings is how many candidates a person is shown for one lesson.
const mostReadings = 5

// rewordings lists the lessons most likely to say the same as one in other
// words. Nobody but a person can tell: no threshold is applied.
func rewordings(ctx context.Context, a *app, o duplicatesOptions, word string) error {
	named, err := a.named([]string{word})
	if err != nil {
		return err
	}
	c, err := a.curated()
	if err != nil {
		return err
	}
	n := mostReadings
	if o.limit > 0 {
		n = o.limit
	}
	found, err := c.Rewordings(ctx, named[0], n)
	if err != nil {
		return err
	}
	return a.Give(render.Readings(named[0], found), o.json)
}
