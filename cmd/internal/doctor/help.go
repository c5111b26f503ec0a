package doctor

// Help is that of the verb.
const Help = "Doctor looks at all that learnings needs: the program and its settings, the\n" +
	"corpus, its index and its git copy, what waits for the worker, the chosen model,\n" +
	"and of each agent that it finds, or of those that are named alone: whether it calls\n" +
	"learnings as setup writes it, whether you have told it that you trust that, what\n" +
	"each call is answered, and whether its sessions can be read. For that it runs the\n" +
	"commands that stand in the agent's files, with a payload that leaves nothing but a\n" +
	"line in the log of hooks.\n\n" +
	"Each line says ok, note (it works, and there is something to know) or wrong, and\n" +
	"below what is not ok stands what to type. Nothing is changed, nobody on the network\n" +
	"is asked without --online, and not every lesson is read without --deep. The exit\n" +
	"code is 1 when something is wrong."
