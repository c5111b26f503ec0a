//go:build !linux

package main

import (
	"errors"
	"os"
	"syscall"
)

func openTerminal(w, h int) (pty, tty *os.File, err error) {
	return nil, nil, errors.New("the demo is made on Linux")
}

func ownTerminal() *syscall.SysProcAttr { return nil }
