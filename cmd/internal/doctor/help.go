package doctor

// Help is that of the verb.
const Help = "Doctor looks at all that learnings needs: the program and its settings, the\n" +
	"corpus, its index and its git copy, what waits for the worker, the chosen model.\n" +
	"Each line says ok, note (it works, and there is something to know) or wrong, and\n" +
	"below what is not ok stands what to type. It changes nothing, asks nobody on the\n" +
	"network without --online, and opens no lesson that was not broken before without\n" +
	"--deep. The exit code is 1 when something is wrong."
