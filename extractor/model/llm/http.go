package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
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
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A line sends requests to a server of a model, again where that may help. Both
// protocols are written by hand on it: the official SDKs would add 18 MB and 21
// MB to the program (openai-go v3.95.0 and anthropic-sdk-go v1.84.0, measured
// in it), more than half of what it has without them, for three endpoints.
type line struct {
	c      Config
	client *http.Client
	sleep  func(context.Context, time.Duration) error
	sign   func(http.Header) // adds who we are
}

func newLine(c Config, sign func(http.Header)) line {
	return line{c: c, client: newClient(c.Attempt), sleep: sleep, sign: sign}
}

// send sends a request and gives the last answer; nil is sent as no body.
func (l line) send(ctx context.Context, method, url string, body any) (int, http.Header, []byte, error) {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return 0, nil, nil, fmt.Errorf("asking %s: %v", l.c.Model, err)
		}
	}
	for try := 0; ; try++ {
		status, header, answer, err := l.once(ctx, method, url, payload)
		last := try >= l.c.Retries || ctx.Err() != nil
		if err == nil && (!worthRetrying(status) || last) {
			return status, header, answer, nil
		}
		if err != nil && last {
			return 0, nil, nil, l.failed(ctx, err)
		}
		wait := backoff(try)
		if asked, ok := retryAfter(header, time.Now()); ok {
			if asked > longestWait {
				return status, header, answer, nil
			}
			wait = asked
		}
		if err := l.sleep(ctx, wait); err != nil {
			return 0, nil, nil, timedOut(ctx, err, l.c)
		}
	}
}

// once makes one try.
func (l line) once(ctx context.Context, method, url string, payload []byte) (int, http.Header, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, l.c.Attempt)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(payload))
	if err != nil {
		return 0, nil, nil, err
	}
	if payload != nil {
		req.Header.Set("content-type", "application/json")
	}
	l.sign(req.Header)
	resp, err := l.client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return resp.StatusCode, resp.Header, answer, err
}

// failed makes an error of what kept a request from being answered.
func (l line) failed(ctx context.Context, err error) error {
	if late := timedOut(ctx, err, l.c); late != nil {
		return late
	}
	return fmt.Errorf("asking %s: %s", l.c.Model, l.excerpt(err.Error()))
}

// refused makes an error of an answer that is none.
func (l line) refused(status int, h http.Header, body []byte) error {
	return statusError(l.c.Model, status, h, l.complaint(body))
}

func (l line) excerpt(s string) string { return excerpt(s, l.c.Redact, l.c.Key, l.c.AuthToken) }

// complaint is what the server says went wrong: the message in its JSON, or
// the start of whatever it sent.
func (l line) complaint(body []byte) string {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &e) == nil {
		var m struct {
			Message string `json:"message"`
		}
		var s string
		switch {
		case json.Unmarshal(e.Error, &m) == nil && m.Message != "":
			return l.excerpt(m.Message)
		case json.Unmarshal(e.Error, &s) == nil && s != "":
			return l.excerpt(s)
		}
	}
	return l.excerpt(string(body))
}

// backoff is half a second, doubled with each try up to eight, less a random
// part so that many clients do not come back at once.
func backoff(try int) time.Duration {
	d := min(500*time.Millisecond<<min(try, 10), 8*time.Second)
	return d - rand.N(d/4)
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
