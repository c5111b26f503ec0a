package term

import (
	"errors"
	"syscall"
)

// closedPipe reports whether err is Windows' error for a closed pipe: ERROR_BROKEN_PIPE
// or ERROR_NO_DATA.
func closedPipe(err error) bool {
	return errors.Is(err, syscall.Errno(109)) || errors.Is(err, syscall.Errno(232))
}
