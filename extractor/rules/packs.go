package rules

import "slices"

// packs are the languages beside English. See languages.go for how they are
// written.
var packs = slices.Concat(packsApart, packsTogether)

// packsApart are the languages that write words apart.
var packsApart = []pack{
	{language: "German", forms: map[string]string{
		"remember": `
			^ bitte? merk|merke dir
			merk dir
			^ bitte? denk|denke daran|dran
			^ bitte? vergiss nicht|nie
			^ merke|regel|merksatz|wichtig :`,
		"again": `
			ich hab|habe dir doch|schon|bereits|gesagt
			ich hab|habe doch gesagt
			wie oft muss|soll|habe ich
			zum dritten|zweiten|wiederholten mal
			hatte|hab|habe ich dir gesagt|schon|bereits`,
		"standing": `
			ab jetzt|sofort|heute
			von nun|jetzt an
			in zukunft
			künftig|zukünftig .. verwende|benutze|nutze|nimm|schreib|schreibe|mach|mache|immer|nie|niemals|nicht
			verwende|benutze|nutze|nimm|schreib|schreibe|mach|mache|lass|führe|prüfe|teste|frag|frage|committe|pushe|lösche|ändere|halte|rufe|starte|installiere bitte? immer|nie|niemals|stets
			^ bitte? immer|stets|nie|niemals .. verwenden|benutzen|nutzen|nehmen|ausführen|schreiben|machen|lassen|prüfen|testen|committen|pushen|fragen|vermeiden|löschen|ändern|starten
			in diesem projekt|repo|repository .. verwende|benutze|nutze|nimm|verwenden|benutzen|nutzen|nehmen|immer|nie|niemals
			du sollst|musst|darfst immer|nie|niemals
			du sollst|musst|darfst .. immer|nie|niemals
			vor jedem|jeder .. verwende|führe|prüfe|teste|frag|starte|ausführen|prüfen|testen|fragen|starten`,
		"instead": `
			verwende|benutze|nutze|nimm|schreib|schreibe|mach|mache .. statt|anstatt|anstelle|stattdessen
			bitte .. statt|anstatt|anstelle .. verwenden|benutzen|nutzen|nehmen
			verwende|benutze|nutze|nimm .. , nicht
			du sollst|solltest .. statt|anstatt|anstelle|sondern`,
		"wrong": `
			das stimmt so? nicht
			das ist doch|so? falsch|verkehrt|quatsch|unsinn
			nicht das , was .. wollte|meinte|gemeint|gesagt
			nicht das was .. wollte|meinte|gemeint|gesagt
			das war doch? falsch|nicht
			so|das habe|hab ich nicht|das? gemeint|gewollt|gesagt|nicht
			das wollte ich nicht|so
			du hast das? falsch|vergessen|missverstanden|übersehen|kaputt
			du hast .. vergessen|übersehen|missverstanden|kaputtgemacht
			da liegst du falsch
			^ nein , das|so|du|wir|es`,
		"forbids": `
			verwende|benutze|nutze|nimm|schreib|schreibe|mach|mache|ändere|lösche|committe|pushe bitte? kein|keine|keinen|nicht
			du darfst|sollst .. nicht|kein|keine|keinen
			hör auf`,
	}, not: `
		kein problem|ding
		keine ahnung|sorge|eile
		macht nichts
		mach dir .. sorgen
		kannst|könntest|würdest du
		^ ich verstehe
		ich habe|hab das schon|bereits`},

	{language: "French", forms: map[string]string{
		"remember": `
			^ souviens-toi|rappelle-toi
			n'oublie|n'oubliez pas|jamais
			retiens|retenez que|bien|ceci|ça|cela|:
			note|notez bien? que
			^ règle|rappel|important :
			garde|gardez en tête|mémoire`,
		"again": `
			je t'ai|vous|l'ai déjà
			je t'ai dit|demandé
			je te|vous l'ai déjà
			je te l'ai dit|déjà
			combien de fois
			je viens de te dire
			comme je t'ai|l'ai dit|déjà`,
		"standing": `
			à partir de maintenant
			à l'avenir
			dorénavant|désormais .. utilise|utilisez|fais|faites|mets|mettez|toujours|jamais|écris|lance|ne|n'utilise
			utilise|utilisez|fais|faites|mets|mettez|lance|lancez|écris|écrivez|garde|gardez|vérifie|vérifiez|exécute|exécutez|demande|demandez|ajoute|ajoutez|commite toujours|systématiquement
			n'utilise|n'utilisez|n'ajoute|n'ajoutez|n'écris|n'exécute|n'installe jamais|plus
			ne fais|faites|mets|mettez|lance|lancez|touche|touchez|modifie|modifiez|supprime|supprimez|commite|pousse|change|changez|crée|créez jamais|plus
			tu dois|devrais toujours|jamais
			il faut toujours
			il ne faut jamais
			dans ce projet|dépôt|repo .. utilise|utilisez|toujours|jamais|n'utilise|évite
			avant chaque|tout .. lance|exécute|vérifie|demande|fais`,
		"instead": `
			utilise|utilisez|mets|mettez|prends|prenez|fais|faites .. plutôt|place|lieu
			utilise|utilisez .. et|, pas
			remplace|remplacez .. par`,
		"wrong": `
			ce n'est pas ça|correct|juste|bon|vrai
			c'est pas ça|bon|correct
			n'est|c'est pas ce que|qu'on
			c'est faux|incorrect
			tu as|t'as oublié|cassé|mal|supprimé|ignoré
			tu te trompes
			je n'ai|t'ai pas dit|demandé
			^ non , ce|c'est|il|tu|on|je|n'utilise|utilise|pas`,
		"forbids": `
			n'utilise|n'utilisez|n'ajoute|n'ajoutez|n'installe pas|aucun|aucune
			ne fais|faites|touche|touchez|modifie|modifiez|supprime|supprimez|commite|pousse|mets|change|crée pas
			arrête|arrêtez|cesse|cessez de|d'utiliser
			évite|évitez de|d'utiliser`,
	}, not: `
		pas de problème|souci
		pas grave
		aucune idée
		ne t'inquiète|t'inquiètes
		peux-tu|pourrais-tu|pouvez-vous|pourriez-vous
		tu peux|pourrais
		est-ce que`},

	{language: "Spanish", forms: map[string]string{
		"remember": `
			^ recuerda|recordá|recuerde que|:|siempre|usar|no|nunca
			no olvides|olvide
			no te olvides
			ten|tené|tenga en|presente cuenta|que
			^ regla|nota|importante :`,
		"again": `
			ya te dije|he|lo|había
			te dije|pedí que
			te lo dije|he dicho
			cuántas veces
			te he dicho|pedido
			como te dije`,
		"standing": `
			a partir de ahora
			de ahora en adelante
			de aquí en adelante
			en el futuro .. usa|use|haz|no|siempre|nunca
			siempre usa|usá|use|utiliza|utilice|ejecuta|corre|haz|pon|escribe|añade|agrega|mantén|deja|comprueba|revisa|crea|llama|pregunta|verifica
			usa|usá|use|utiliza|ejecuta|corre|haz|pon|escribe|añade|agrega|mantén|deja|comprueba|revisa|crea|pregunta|verifica siempre
			nunca|jamás uses|use|utilices|pongas|hagas|toques|borres|cambies|crees|añadas|agregues|commitees|subas|ejecutes|instales|escribas|modifiques|edites|llames
			no .. uses|utilices|pongas|hagas|toques|borres|cambies|subas|ejecutes|instales|modifiques .. nunca|más|jamás
			debes|tienes siempre|que siempre?
			hay que .. siempre
			siempre hay|debes|tienes que|usar|hacer|ejecutar
			nunca hay|debes|deberías que|usar|hacer|tocar|modificar
			en este proyecto|repo|repositorio .. usa|usá|usamos|siempre|nunca|uses
			antes de cada|cualquier .. ejecuta|corre|comprueba|pregunta|revisa|haz`,
		"instead": `
			usa|usá|use|utiliza|pon|haz .. vez|lugar de|del
			usa|usá|use|utiliza .. , no
			cambia|reemplaza|sustituye .. por`,
		"wrong": `
			eso no es correcto|así|cierto|verdad|lo
			eso está|esta mal
			eso es incorrecto|falso
			no es lo que .. pedí|quería|dije|quiero
			te equivocaste
			te has equivocado|olvidado
			has roto|olvidado|borrado|ignorado
			te olvidaste
			estás equivocado
			no te pedí|dije
			^ no , eso|así|tú|usa|debe|tiene|es|no|te`,
		"forbids": `
			no uses|utilices|pongas|hagas|toques|borres|cambies|crees|añadas|agregues|commitees|subas|ejecutes|instales|escribas|modifiques|edites
			deja|dejá de usar|hacer|poner|tocar|modificar|crear
			evita|evitá usar|hacer|poner`,
	}, not: `
		no hay problema
		no te preocupes
		ni idea
		no pasa nada
		no importa
		puedes|podrías|puede|podés
		me puedes|podrías`},

	{language: "Portuguese", forms: map[string]string{
		"remember": `
			^ lembre-se|lembra|lembre
			não|nao esqueça|esquece
			não|nao se esqueça
			tenha|tem em mente
			^ regra|nota|importante :`,
		"again": `
			já|ja te? disse|falei|pedi|avisei
			eu te? disse|falei|pedi para|pra|que
			quantas vezes
			como eu|já disse|falei`,
		"standing": `
			a partir de agora
			de agora em diante
			daqui para|pra frente
			no futuro .. use|usa|não|sempre|nunca
			sempre use|usa|utilize|execute|rode|faça|coloque|escreva|adicione|mantenha|deixe|verifique|crie|chame|pergunte|rodar|usar|execute
			use|usa|utilize|execute|rode|faça|coloque|escreva|adicione|mantenha|verifique|crie|pergunte sempre
			nunca|jamais use|usa|utilize|coloque|faça|mexa|apague|mude|crie|adicione|commite|suba|execute|instale|escreva|modifique|edite|altere|remova
			não|nao .. use|utilize|faça|mexa|altere|apague|commite|suba .. nunca|mais|jamais
			você|voce deve|precisa|pode sempre|nunca
			neste|nesse projeto|repo|repositório .. use|usamos|sempre|nunca|utilize
			antes de cada|qualquer .. execute|rode|verifique|pergunte|faça`,
		"instead": `
			use|usa|utilize|coloque|faça .. vez|lugar de|do|da
			use|usa|utilize .. , não|nao
			troque|substitua .. por|pelo|pela`,
		"wrong": `
			isso não|nao está|é|foi correto|certo|isso|verdade|o
			isso está|esta|tá|é|ta errado|incorreto|falso
			não|nao é|foi .. que eu? pedi|quero|queria|falei|disse
			não|nao foi isso|o que
			você|voce esqueceu|quebrou|apagou|ignorou|errou
			você|voce está|entendeu errado|equivocado
			não|nao te? pedi|falei isso|para
			^ não|nao , isso|é|você|use|deve|o|a|eu|não`,
		"forbids": `
			não|nao use|utilize|coloque|faça|mexa|apague|mude|crie|adicione|commite|suba|execute|instale|escreva|modifique|edite|altere|remova
			pare|para|pára de usar|fazer|criar|mexer|commitar|alterar
			evite usar|fazer|criar|o|a`,
	}, not: `
		sem problema|problemas
		não|nao se preocupe
		não|nao tem problema
		não|nao faço ideia
		você|voce|vc pode|poderia|consegue
		^ pode|consegue|poderia`},

	{language: "Italian", forms: map[string]string{
		"remember": `
			^ ricorda|ricordati|ricordate
			non dimenticare|scordare
			tieni|tenga presente|a|conto mente|che?
			^ regola|nota|importante :`,
		"again": `
			ti ho già|detto
			te l'ho già|detto
			quante volte
			come ti ho detto
			te l'avevo detto`,
		"standing": `
			d'ora in poi|avanti
			da ora|adesso in poi|avanti
			in futuro .. usa|usate|non|sempre|mai
			usa|usate|utilizza|esegui|fai|metti|scrivi|aggiungi|mantieni|lascia|controlla|crea|chiedi|verifica|lancia sempre
			non .. usare|utilizzare|fare|mettere|toccare|modificare|cancellare|committare|cambiare|creare|scrivere|eseguire|installare .. mai|più
			non usare|utilizzare|fare|mettere|toccare|modificare|cancellare|committare|cambiare|creare|scrivere|eseguire|installare mai|più
			mai usare|utilizzare|toccare|modificare|committare
			devi|dovresti sempre
			non devi|dovresti mai
			in questo progetto|repo|repository .. usa|usate|usiamo|sempre|mai
			prima di ogni .. esegui|lancia|controlla|chiedi|verifica`,
		"instead": `
			usa|usate|utilizza|metti|prendi .. invece|posto|anziché|piuttosto di|del|della|che?
			usa|usate|utilizza .. invece|anziché|piuttosto
			usa|usate|utilizza .. , non
			sostituisci .. con`,
		"wrong": `
			non è|e' corretto|giusto|così|quello|vero
			non è quello che
			è|è|e' sbagliato|errato|falso .. questo|quello|così|hai
			hai sbagliato|dimenticato|rotto|cancellato|ignorato|frainteso
			ti sei|stai sbagliato|sbagliando|dimenticato
			questo è|non sbagliato|errato|va
			non ti ho chiesto|detto
			^ no , questo|quello|così|non|usa|devi|il|la|è|deve`,
		"forbids": `
			non usare|utilizzare|fare|mettere|toccare|modificare|cancellare|committare|cambiare|creare|scrivere|eseguire|installare|aggiungere
			smetti|smettila di
			evita di`,
	}, not: `
		nessun problema
		non preoccuparti|ti
		non importa
		non fa niente
		non ne ho idea
		puoi|potresti|può|potete
		non so`},

	{language: "Russian", forms: map[string]string{
		"remember": `
			запомни|запомните
			^ помни|имей|учти|учитывай|имейте что|в|,|:
			не забывай|забудь|забывайте
			^ правило|важно|запомни :`,
		"again": `
			я уже|же тебе? говорил|сказал|просил|говорила|сказала|просила
			я тебе говорил|сказал|уже|же
			сколько раз
			уже говорил|сказал|просил тебе?
			я же? говорил|сказал|просил`,
		"standing": `
			с этого момента
			отныне
			впредь
			в|на будущем|будущее .. используй|не|всегда|никогда|делай
			всегда используй|используйте|запускай|делай|пиши|добавляй|проверяй|спрашивай|оставляй|создавай|ставь|коммить|вызывай
			используй|используйте|запускай|делай|пиши|добавляй|проверяй|спрашивай|оставляй|создавай|ставь всегда|только
			никогда не .. используй|используйте|делай|трогай|меняй|удаляй|коммить|пуш|пушь|создавай|пиши|запускай|правь|редактируй|добавляй|вызывай
			больше .. не .. используй|делай|трогай|меняй|удаляй|коммить|пушь|создавай|пиши|запускай
			ты|вы должен|должна|должны всегда|никогда
			в этом проекте|репозитории|репо .. используй|используем|всегда|никогда|не
			перед|после каждым|каждого|каждой .. запускай|проверяй|делай|спрашивай`,
		"instead": `
			используй|используйте|ставь|бери|делай|пиши .. вместо
			используй|используйте .. , а не
			замени .. на
			не используй|используйте .. , а|используй`,
		"wrong": `
			это неправильно|неверно
			это не то ,? что|чего
			это не так
			так неправильно|нельзя|не
			ты забыл|забыла|сломал|сломала|удалил|ошибся|ошиблась|неправильно|неверно|пропустил|проигнорировал
			вы забыли|сломали|ошиблись|неправильно
			я не это|то имел|просил|хотел|говорил
			не то .. просил|хотел|имел
			^ нет , это|так|не|ты|используй|надо|нужно|мы`,
		"forbids": `
			не используй|используйте|делай|делайте|трогай|трогайте|меняй|меняйте|удаляй|коммить|пушь|создавай|пиши|запускай|правь|редактируй|добавляй
			перестань|прекрати|хватит
			избегай`,
	}, not: `
		не проблема
		ничего страшного
		не беспокойся|волнуйся|переживай
		понятия не имею
		не важно
		можешь|сможешь|могли|мог бы?`},
}
