package term

import (
	"errors"
	"syscall"
)

// closedPipe knows how Windows says that nobody reads a pipe any more:
// ERROR_BROKEN_PIPE and ERROR_NO_DATA.
func closedPipe(err error) bool {
	return errors.Is(err, syscall.Errno(109)) || errors.Is(err, syscall.Errno(232))
}
