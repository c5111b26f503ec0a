package rules

import (
	"math/bits"
	"strings"
	"sync"
)

// A sign is a way in which people word a rule, a wish, a correction or a mere
// request. Signs are written as phrases over the words that [words] gives:
// words in a row, "a|b" for either, "x?" for one that may be left out, "^" for
// the start of the sentence, "$" for its end. They hold no word of any one
// project.
type sign struct {
	name string
	says string // what it means, in words that a reviewer understands; "" for one that speaks against a lesson or says little
	list string // phrases, one a line
}

var signs = []sign{
	{"always", "states what holds always", `
		^ always|never
		, always|never
		and|but|so|please|also|you|we|i always|never
		must|should|shall|will|can|to always|never|only|not
		from now on
		going forward
		in the? future
		in general
		as a rule
		every|each time
		whenever
		by default
		generally|usually|normally`},
	{"wants", "says what they want", `
		i|we|i'd|we'd would|do|also|really|just|still|actually|only? want|prefer|love|rather|expect|hope
		i'd|we'd rather|prefer|like|love|expect
		would be good|great|nice|better|ideal|preferable
		ideally
		prefer|preferred|preferably
		the preferred`},
	{"unwanted", "says what they do not want", `
		don't|didn't|never|not really|actually? want|like|need|care
		do|did not want|like|need|care
		no longer want|need|use
		no need for|to
		not needed|necessary|required|worth
		unnecessary|redundant|useless|pointless
		get rid of`},
	{"should", "says how it should be", `
		should|must|shouldn't|mustn't
		needs to
		ought|has|have to
		supposed to
		need|needs to? be`},
	{"ours", "says how it should be", `
		we|it|this|that|they|these|those|there|everything|all|which should|shouldn't|must|needs|ought|can't|cannot
		we|it|they has|have to
		we|they don't need`},
	{"instead", "names one thing instead of another", `
		instead of?
		rather than
		as opposed to
		in favor|favour of
		, not
		just use
		use <code>|<path>
		switch|switched|move|moved to|from
		replace with|by`},
	{"forbids", "forbids something", `
		^ don't|never|avoid|stop|no|not
		^ do not
		, don't|never|not|no
		and|but|so|please|also|then don't|never|not|no
		please do not
		and|but|so do not
		no more
		let's not
		not to`},
	{"denies", "says what is not so", `
		we|you|i|they|it don't|shouldn't|can't|cannot|never|aren't|won't|didn't|haven't|doesn't|isn't
		we|you|i|they do|should|can|have|are|did not
		no longer
		there's|there is|are no
		has|have nothing
		isn't|aren't|wasn't|doesn't`},
	{"wrong", "says that something is wrong", `
		is|are|was|that's|it's|seems|looks|still|just really|just|totally|still|all|a|the? wrong|incorrect|misleading|confusing|bad|off|weird|odd|broken|backwards|useless
		is|are|that's|it's|was not right|correct|true|what|how|the|a
		isn't right|correct|true|what|how|the
		not true|right|correct
		you forgot|missed|broke|removed|ignored|skipped|didn't|haven't|shouldn't|weren't
		you were told
		i told|said|asked
		^ no|nope|nah|uh|um|umm|hmm|wait
		^ hold on
		makes no sense
		doesn't make sense`},
	{"why", "asks why it was done so", `
		^ why
		^ but|so|and|hmm|wait ,? why
		why did|do|are|is|does|would|not|don't|isn't|can't|on
		how come`},
	{"meant", "says what was meant", `
		actually
		i mean|meant
		in fact
		to be clear
		the|my point
		on purpose
		intentional|intentionally|deliberate|deliberately|intended|intention
		by design
		as|like i said
		i was thinking
		the idea|intent|goal|intention|purpose is|was|of`},
	{"knows", "tells how the project is", `
		we|it|they|this|that|you already|only|also|now|currently|always|still
		we have|use|used|removed|changed|moved|store|keep|had|did|renamed|added|call|support|own|made|decided|don't|agreed
		we're|we've|we'd
		there's|there is|are|should already|a|an|only
		already have|has|exists|exist|there|in|does|do
		used to`},
	{"fact", "tells how the project is", `
		is|are|was|it's|that's only|always|already|not|never|deprecated|required|called|just|meant|for|supposed
		is|are the same
		is|are part of
		is|are no longer
		means
		refers to
		is called
		stands for
		has|have nothing to
		lives|live|belongs|belong in|on|to|under`},
	{"reason", "gives a reason", `
		because|otherwise
		since|given we|it|the|this|that|they|you|i|there|now
		so that
		given that
		that's|which is|why why?
		the reason
		in case
		due to
		which means`},
	{"same", "asks to follow what is there", `
		same as|way|thing|for|style|pattern|approach
		the same
		consistent|consistently|consistency
		like|as we|in|the|with other?
		aligns?|aligned|align|matches|match|matching|follow|follows|following|reuse|existing|convention|conventions|standard|standards|pattern|patterns|idiomatic|similar|mirror
		best practice|practices`},
	{"ensure", "asks to make sure", `
		make|be|making sure
		ensure|ensures|remember|note|important
		keep in mind
		don't forget
		be careful`},
	{"taste", "finds it too much", `
		too much|many|verbose|complex|complicated|long|wide|big|generic|specific|noisy|short|small
		overkill|noise|simple|simpler|simplest|simplify|complicated|complex|complexity|clean|cleaner|clutter|redundant|duplicate|duplicated|duplication|confusing|readable|clear|clearer`},
	{"asks you", "", `
		^ can|could|would|will you|we|i
		^ ok|and|also|so|then|now|hmm|please|yes|great ,? can|could|would|will you|we|i
		can|could you please?`},
	{"asks", "", `
		^ what|how|where|which|who|when|is|are|do|does|did|was|were|has|have|any
		^ and|so|but|ok|hmm|wait|then|now ,? what|how|where|which|who|is|are|do|does|did|was`},
	{"doubts", "asks whether it should not be otherwise", `
		shouldn't|couldn't|can't|isn't|aren't|don't|doesn't|wouldn't we|it|this|that|you|they|there|i|the
		should|could we|it|this|that|you|they|there|i|the`},
	{"tag", "", `
		right|no|yeah|yes|ok|correct|or|hey|yea ? $`},
	{"goes on", "", `
		^ ok|okay|yes|yeah|yep|sure|continue|commit|push|next|great|thanks|cool|perfect|good|nice|proceed|done|try|run|lgtm|alright|awesome
		^ go|looks ahead|good|on
		^ do it|that|this
		sounds|looks good`},
	{"lets", "", `
		let's|lets
		let us`},
	{"look", "", `
		take|have a look
		look at|into
		check|review|explain|investigate|summarize|verify|try|analyze|research|confirm
		tell|show me
		find|figure out
		see if
		can you see|find`},
	{"hedges", "", `
		maybe|perhaps|wonder|might|probably|possibly|unsure
		i|we guess|suspect|feel
		not sure
		could be`},
	{"thinks", "gives their view", `
		i|we think|believe|thought|assume|suspect|guess|wonder|feel|assumed|expected
		i'd|i would think|say|expect
		in my head|opinion|view
		imo`},
	{"this one", "", `
		this|that one|branch|pr|file|commit|test|error|issue|change|time|plan|session
		here
		for now
		right now
		now|today|currently
		at the moment`},
	{"docs", "speaks of what agents read", `
		<doc>
		docs|doc|documentation|document|documented|changelog|instructions|guideline|guidelines|readme|skill|skills`},
	{"tests", "speaks of tests and checks", `
		test|tests|tested|testing|tdd|coverage|lint|linter|fmt|ci|e2e|integration|unit`},
	{"vcs", "speaks of commits and branches", `
		commit|commits|committed|push|pushed|branch|branches|rebase|merge|pr|prs|squash|worktree|main|amend`},
	{"when", "says when it holds", `
		before|after|until|once|when|if|unless|while you|we|it|a|the|any|there|that|this|every|each|they|an
		first
		each|every`},
	{"concludes", "", `
		so we|it|that|the|you|i|they|there
		as it|we|this|they`},
	{"people", "", `
		user|users|people|someone|customer|customers|everyone|others|team`},
	{"reports", "", `
		error|errors|fail|fails|failed|failing|crash|crashes|exception|bug
		not working
		doesn't|didn't|isn't|still work|working|seem
		i still? see|get|got|saw|see
		happens|happened|still`},
	{"all of it", "", `
		all|every|each|any|everything|anything|only|both|never|always|no`},
	{"review", "", `
		consider adding|using|extracting|removing|either|making|updating|whether|renaming
		severity
		line|lines <num>
		could lead|cause|result|allow|be|still
		this|which could|may|might|means|ensures|causes|will|allows
		bugbot|reviewer|copilot`},
	{"better", "", `
		better|worse|easier|simpler|cleaner|safer|faster|more|less to|than|if|for|?`},
	{"please", "", `
		please|pls`},
	{"wish", "says what they would like", `
		i|we would like|love|want|need to|you|a|the|it|them
		i|we need|want|like to|you|a|the|it`},
}

// phrases are the signs by phrase: for each row of words the numbers of the
// signs that it is. They are built on first use: hooks start this program too.
var phrases = sync.OnceValue(func() map[string][]int {
	lists := make([]string, len(signs))
	for i, s := range signs {
		lists[i] = s.list
	}
	return byPhrase(lists)
})

// byPhrase gives the numbers of the lists that each phrase is in.
func byPhrase(lists []string) map[string][]int {
	m := make(map[string][]int, 4096)
	for i, list := range lists {
		for line := range strings.Lines(list) {
			for _, p := range expand(strings.Fields(line)) {
				if p != "" {
					m[p] = append(m[p], i)
				}
			}
		}
	}
	return m
}

// expand gives every phrase that a line of a sign stands for.
func expand(line []string) []string {
	out := []string{""}
	for _, item := range line {
		optional := len(item) > 1 && strings.HasSuffix(item, "?")
		alternatives := strings.Split(strings.TrimSuffix(item, "?"), "|")
		if item == "?" {
			alternatives = []string{"?"}
		}
		var next []string
		for _, head := range out {
			if optional {
				next = append(next, head)
			}
			for _, a := range alternatives {
				next = append(next, strings.TrimLeft(head+" "+a, " "))
			}
		}
		out = next
	}
	return out
}

// maxPhrase is the most words in a phrase.
const maxPhrase = 5

// found gives the numbers of the signs in a row of words, each once, in order.
func found(w []string) []int { return lookUp(phrases(), w) }

// lookUp finds the phrases of a row of words, and gives their numbers, each
// once, in order. There are fewer than 64.
func lookUp(phrases map[string][]int, w []string) []int {
	row := make([]string, 0, len(w)+2)
	row = append(append(append(row, "^"), w...), "$")
	var has uint64
	var b []byte
	for i := range row {
		b = b[:0]
		for n := 0; n < maxPhrase && i+n < len(row); n++ {
			if n > 0 {
				b = append(b, ' ')
			}
			b = append(b, row[i+n]...)
			for _, k := range phrases[string(b)] {
				has |= 1 << k
			}
		}
	}
	var out []int
	for ; has != 0; has &= has - 1 {
		out = append(out, bits.TrailingZeros64(has))
	}
	return out
}
