package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// longestWait is how long a server may ask us to wait before the next try.
// When it asks for more, the request fails: the next run will do it.
const longestWait = time.Minute

// newClient gives a client that reads no more of an answer than it should,
// follows no redirect (it would carry the key along), and does not wait for
// ever.
func newClient(attempt time.Duration) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = attempt
	return &http.Client{
		Transport:     guarded{t},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// guarded limits what is read of an answer, and tells Anthropic's SDK, which
// would wait as long as it is told, not to wait for hours.
type guarded struct{ http.RoundTripper }

func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := g.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if wait, ok := retryAfter(resp.Header, time.Now()); ok && wait > longestWait {
		resp.Header.Set("x-should-retry", "false")
	}
	resp.Body = limitedBody{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	return resp, nil
}

type limitedBody struct {
	io.Reader
	io.Closer
}

// retryAfter reads how long a server asks us to wait: seconds, milliseconds or
// a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("retry-after-ms"), 64); err == nil && ms >= 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	v := h.Get("retry-after")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second)), true
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(t.Sub(now), 0), true
	}
	return 0, false
}

// worthRetrying are the statuses after which the same request may succeed.
func worthRetrying(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}

// statusError makes an error of a server's answer. said is what it said of it.
func statusError(who Model, status int, h http.Header, said string) error {
	var sort error
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusPaymentRequired:
		sort = ErrAuth
	case status == http.StatusTooManyRequests || status == 529:
		sort = ErrBusy
	case status >= 300 && status < 400:
		return fmt.Errorf("asking %s: %w: it redirects to another address, which is not followed", who, ErrProtocol)
	}
	text := strconv.Itoa(status)
	if t := http.StatusText(status); t != "" {
		text += " " + t
	}
	if wait, ok := retryAfter(h, time.Now()); ok && sort == ErrBusy {
		text += ", try again in " + wait.Round(time.Second).String()
	}
	if said != "" {
		text += ": " + said
	}
	if sort == nil {
		return fmt.Errorf("asking %s: %s", who, text)
	}
	return fmt.Errorf("asking %s: %w (%s)", who, sort, text)
}

// sleep waits, or returns the reason why ctx ended first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// timedOut says in words which of the two limits was met, since "context
// deadline exceeded" tells nobody what to change.
func timedOut(ctx context.Context, err error, c Config) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("asking %s: no answer within %s: %w", c.Model, c.Timeout, context.DeadlineExceeded)
	case ctx.Err() != nil:
		return fmt.Errorf("asking %s: %w", c.Model, ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("asking %s: no answer within %s, tried %d times: %w", c.Model, c.Attempt, c.Retries+1, context.DeadlineExceeded)
	}
	return nil
}
