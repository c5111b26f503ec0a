package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file serves HTTP. The rules are:
//
//   - It listens only on a loopback address.
//   - Clients must send the token, a file in the state folder that only this user can read.
//   - It refuses browsers, that is, requests with another Host or from a page, so that no
//     web site reaches the server through DNS rebinding.

// UsualAddress is the default address.
const UsualAddress = "127.0.0.1:7349"

const (
	path        = "/mcp"
	idleSession = 30 * time.Minute
	ending      = 2 * time.Second
	tokenFile   = "mcp-token"
)

// address returns the address to listen on, from a port or a loopback address with a
// port.
func address(s string) (string, error) {
	if !strings.Contains(s, ":") {
		s = ":" + s
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil || port == "" {
		return "", fmt.Errorf("%q is no address: give a port, or 127.0.0.1 with a port", s)
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", fmt.Errorf("%s is not of this machine alone: a server of lessons listens on 127.0.0.1", host)
	}
	return net.JoinHostPort(host, port), nil
}

// tokenOf reads the token in a state folder, and creates it if needed. Only this user can
// read it.
func tokenOf(state string) (token string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the token of the server: %w", err)
		}
	}()
	name := filepath.Join(state, tokenFile)
	if err := os.MkdirAll(state, 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(rand.Text() + rand.Text() + "\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return "", err
	}
	data, err := os.ReadFile(name)
	if token = strings.TrimSpace(string(data)); err == nil && len(token) < 32 {
		err = fmt.Errorf("%s is too short for one; remove it, and a new one is made", name)
	}
	return token, err
}

// Listen serves clients over HTTP until ctx is done. Once it listens it writes the
// configuration for a client to out.
func (s *Server) Listen(ctx context.Context, at, state string, out io.Writer) error {
	at, err := address(at)
	if err != nil {
		return err
	}
	token, err := tokenOf(state)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	if _, err := fmt.Fprintln(out, clientConfig("http://"+l.Addr().String()+path, token)); err != nil {
		l.Close()
		return fmt.Errorf("writing what configures a client: %w", err)
	}
	defer s.count()
	go s.look(ctx)
	web := &http.Server{Handler: s.Handler(token), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: idleSession, MaxHeaderBytes: 16 << 10}
	done := make(chan error, 1)
	go func() { done <- web.Serve(l) }()
	select {
	case err := <-done:
		return fmt.Errorf("listening: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), ending)
	defer cancel()
	if web.Shutdown(grace) != nil {
		_ = web.Close() // clients keep streams open
	}
	return nil
}

// clientConfig returns a server's configuration in the format of most clients.
func clientConfig(url, token string) string {
	data, _ := json.MarshalIndent(map[string]any{"mcpServers": map[string]any{"learnings": map[string]any{
		"type": "http", "url": url, "headers": map[string]string{"Authorization": "Bearer " + token},
	}}}, "", "  ")
	return string(data)
}

// Handler handles requests that carry the token.
func (s *Server) Handler(token string) http.Handler {
	streams := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		SessionTimeout: idleSession, MaxRequestBodyBytes: mostLine, // the SDK rejects other hosts
	})
	own := http.NewCrossOriginProtection().Handler(streams)
	want := sha256.Sum256([]byte("Bearer " + token))
	mux := http.NewServeMux()
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is missing or wrong; `learnings mcp --http` prints it", http.StatusUnauthorized)
			return
		}
		own.ServeHTTP(w, r)
	})
	return mux
}
