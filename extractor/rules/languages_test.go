package rules

import (
	"slices"
	"strings"
	"testing"
)

// spoken are, by language, what people say to be kept and what only sounds
// like it: bug reports with the words for "wrong" and "error", brush-offs,
// questions, requests for this once, and statements about the past.
var spoken = []struct {
	language string
	kept     []string
	not      []string
}{
	{"German", []string{
		"Auf keinen Fall die Tabellen in der Produktion anfassen.",
		"Verwende immer pnpm in diesem Projekt, nie npm.",
		"Ab jetzt bitte vor jedem Commit `make lint` ausführen.",
		"Merk dir: die Migrationen laufen vor den Tests.",
		"Das stimmt nicht, der Port kommt aus der Konfiguration und nicht aus dem Code.",
		"Das stimmt so nicht. Der Port steht in config.toml.",
		"Nimm die vorhandene Hilfsfunktion statt einer neuen.",
		"Ich habe dir schon gesagt, dass die Tests ohne Netz laufen müssen.",
		"Bitte nie direkt auf main pushen.",
		"Du hast vergessen, den Client nach der Änderung neu zu erzeugen.",
		"Vergiss nicht, das Changelog zu ergänzen.",
	}, []string{
		"Jedes Mal stürzt der Server beim Start ab.",
		"Der Fehler ist immer noch da, der Test schlägt fehl.",
		"Beim Start kommt eine falsche Meldung: Verbindung verweigert.",
		"Kein Problem, mach ruhig weiter.",
		"Kannst du bitte immer wieder mal in die Logs schauen?",
		"Stimmt das so, oder ist das falsch?",
		"Ich habe das schon gepusht.",
		"Der Server antwortet nie, wenn die Datenbank fehlt.",
		"Keine Ahnung, woran das liegt.",
		"Nochmal bitte.",
		"Das stimmt nicht.",
		"Nein.",
	}},
	{"French", []string{
		"Ne pousse rien sur la branche de production sans mon accord.",
		"Utilise toujours pnpm dans ce projet.",
		"À partir de maintenant, lance les tests avant chaque commit.",
		"Ne modifie jamais le client généré à la main.",
		"Ce n'est pas ça, le port vient de la configuration et non du code.",
		"Utilise la fonction existante au lieu d'en écrire une autre.",
		"Je t'ai déjà dit de ne pas toucher aux migrations.",
		"N'oublie pas de mettre à jour le changelog à chaque version.",
		"Il faut toujours passer par l'interface du dépôt.",
		"Non, il faut garder l'ancien nom pour les clients existants.",
	}, []string{
		"Chaque fois que je clique, la page se ferme.",
		"Il y a une erreur dans le test, ça ne marche pas.",
		"La page affiche une mauvaise valeur depuis hier.",
		"Pas de problème, continue.",
		"Peux-tu toujours relancer les tests ?",
		"Est-ce que c'est faux ou non ?",
		"Le serveur ne répond jamais quand la base est vide.",
		"Aucune idée d'où ça vient.",
		"Pas grave, on verra plus tard.",
		"Ce n'est pas ça.",
		"Le mal est fait, le build est cassé.",
	}},
	{"Spanish", []string{
		"No toques las migraciones que ya están en producción.",
		"Usa siempre pnpm en este proyecto, nunca npm.",
		"A partir de ahora ejecuta los tests antes de cada commit.",
		"Nunca modifiques el cliente generado a mano.",
		"Eso no es correcto, el puerto viene de la configuración y no del código.",
		"Usa la función que ya existe en vez de escribir otra.",
		"Ya te dije que no toques las migraciones.",
		"No olvides actualizar el changelog con cada versión.",
		"Siempre hay que pasar por la interfaz del repositorio.",
		"Te olvidaste de regenerar el cliente después de cambiar el esquema.",
	}, []string{
		"Cada vez que pulso el botón se cierra la ventana.",
		"El test sale mal y da un error de conexión.",
		"Algo va mal con la página de inicio.",
		"No hay problema, sigue.",
		"¿Puedes usar siempre el mismo puerto?",
		"¿Eso es correcto o está mal?",
		"El servidor nunca responde cuando falta la base de datos.",
		"Ni idea de por qué falla.",
		"No te preocupes por eso ahora.",
		"Eso no es correcto.",
		"Ya lo arreglé yo, continúa.",
	}},
	{"Portuguese", []string{
		"Não mexa nos arquivos gerados pelo cliente.",
		"Use sempre pnpm neste projeto, nunca npm.",
		"A partir de agora rode os testes antes de cada commit.",
		"Nunca altere o cliente gerado na mão.",
		"Isso não está certo, a porta vem da configuração e não do código.",
		"Use a função que já existe em vez de escrever outra.",
		"Já te falei para não mexer nas migrações.",
		"Não esqueça de atualizar o changelog a cada versão.",
		"Você esqueceu de gerar o cliente depois de mudar o esquema.",
		"Não foi isso que eu pedi, o nome tem que continuar o mesmo.",
	}, []string{
		"Toda vez que abro a página ela fecha.",
		"O teste deu erro de novo, está tudo errado no log.",
		"A página mostra um valor errado desde ontem.",
		"Sem problema, pode continuar.",
		"Você pode sempre rodar os testes?",
		"Isso está certo ou errado?",
		"O servidor nunca responde quando o banco está vazio.",
		"Não faço ideia do motivo da falha.",
		"Não se preocupe com isso agora.",
		"Isso não está certo.",
		"Já corrigi o erro, continue.",
	}},
	{"Italian", []string{
		"Non toccare i file generati dal client.",
		"Usa sempre pnpm in questo progetto, mai npm.",
		"D'ora in poi esegui i test prima di ogni commit.",
		"Non modificare mai il client generato a mano.",
		"Non è corretto, la porta viene dalla configurazione e non dal codice.",
		"Usa la funzione esistente invece di scriverne un'altra.",
		"Ti ho già detto di non toccare le migrazioni.",
		"Ricordati di aggiornare il changelog a ogni versione.",
		"Devi sempre passare dall'interfaccia del repository.",
		"Hai dimenticato di rigenerare il client dopo la modifica dello schema.",
	}, []string{
		"Ogni volta che apro la pagina si chiude.",
		"Il test va male e dà un errore di connessione.",
		"La pagina mostra un valore sbagliato da ieri.",
		"Nessun problema, continua pure.",
		"Puoi usare sempre la stessa porta?",
		"È corretto o è sbagliato?",
		"Il server non risponde mai quando il database è vuoto.",
		"Non ne ho idea.",
		"Non preoccuparti di questo adesso.",
		"Non è corretto.",
		"Ho già corretto l'errore, vai avanti.",
	}},
	{"Russian", []string{
		"Ни в коем случае не трогай таблицы на сервере.",
		"Всегда используй pnpm в этом проекте, а не npm.",
		"С этого момента запускай тесты перед каждым коммитом.",
		"Никогда не меняй сгенерированный клиент вручную.",
		"Это неправильно, порт берётся из конфигурации, а не из кода.",
		"Используй существующую функцию вместо новой.",
		"Я уже говорил: не трогай миграции.",
		"Не забывай обновлять changelog в каждой версии.",
		"Запомни: миграции выполняются до тестов.",
		"Ты забыл заново сгенерировать клиент после изменения схемы.",
	}, []string{
		"Каждый раз сервер падает при запуске.",
		"Тест падает с ошибкой соединения, всё плохо.",
		"Страница показывает неправильное значение со вчерашнего дня.",
		"Не проблема, продолжай.",
		"Можешь всегда запускать тесты?",
		"Это правильно или неправильно?",
		"Сервер никогда не отвечает, когда база пуста.",
		"Понятия не имею, почему так.",
		"Не беспокойся об этом сейчас.",
		"Это неправильно.",
		"Ошибка уже исправлена, продолжай.",
	}},
	{"Chinese", []string{
		"以后都用pnpm，不要用npm。",
		"从现在开始，提交之前要先跑lint。",
		"永远不要手动修改生成的客户端代码。",
		"那不对，端口应该从配置文件里读取，不是写在代码里。",
		"不是我要的。名字必须保持和原来一样。",
		"请使用已有的函数，而不是再写一个。",
		"我说过不要动数据库迁移文件。",
		"记住：迁移脚本要在测试之前运行。",
		"你忘了在修改接口之后重新生成客户端。",
		"别用npm，用pnpm。",
	}, []string{
		"页面报错了，错误在第十行。",
		"测试失败，提示连接错误。",
		"没问题，继续。",
		"这个值不对吗？",
		"这样做对吗",
		"服务器总是没有响应，日志里有错误信息。",
		"帮我以后都看一下日志。",
		"不用担心这个问题。",
		"不对。",
		"这个函数返回的结果有误，请修复。",
		"以后再说吧。",
	}},
	{"Japanese", []string{
		"今後は必ずpnpmを使ってください。",
		"これからはコミットの前にlintを実行してください。",
		"生成されたクライアントは絶対に手で編集しないでください。",
		"そうじゃない、ポートは設定ファイルから読むようにして。",
		"違います。名前は元のままにしてください。",
		"npmではなくpnpmを使ってください。",
		"さっきも言ったけど、マイグレーションには触らないで。",
		"覚えておいて、テストの前にマイグレーションを実行する。",
		"このプロジェクトでは英語でコメントを書いてください。",
	}, []string{
		"エラーが出ました。ログを見てください。",
		"テストが間違った値で失敗しています。",
		"問題ないです、続けてください。",
		"これは正しいですか？",
		"この値は間違っていますか",
		"サーバーが常に応答しない。",
		"大丈夫です、気にしないで。",
		"バグを修正してください。",
		"違う。",
		"原因が分かりません。",
	}},
	{"Korean", []string{
		"앞으로는 항상 pnpm을 사용하세요.",
		"지금부터 커밋하기 전에 lint를 먼저 돌려줘.",
		"생성된 클라이언트는 절대 직접 수정하지 마.",
		"그게 아니라 포트는 설정 파일에서 읽어야 해.",
		"그건 아니야. 이름은 원래대로 유지해야 해.",
		"npm 말고 pnpm 써줘.",
		"아까도 말했는데 마이그레이션은 건드리지 마.",
		"기억해줘: 테스트 전에 마이그레이션을 실행한다.",
		"이 프로젝트에서는 주석을 영어로 써줘.",
	}, []string{
		"오류가 발생했어요. 로그를 확인해 주세요.",
		"테스트가 잘못된 값으로 실패합니다.",
		"괜찮아, 계속해.",
		"이게 맞나요?",
		"이 값이 틀렸나요",
		"서버가 항상 응답하지 않습니다.",
		"문제없어요, 진행하세요.",
		"버그를 고쳐 주세요.",
		"아니.",
		"에러 원인을 모르겠어.",
	}},
}

func TestOtherLanguages(t *testing.T) {
	for _, l := range spoken {
		if len(l.kept) < 8 || len(l.not) < 8 {
			t.Errorf("%s: %d and %d examples", l.language, len(l.kept), len(l.not))
		}
		for _, said := range l.kept {
			ls := propose(t, Rules{}, session, talk("person: start", "agent: Done. I changed the files.", "person: "+said, "agent: Ok."))
			if len(ls) == 0 {
				t.Errorf("%s: %q is not proposed", l.language, said)
			} else if !strings.Contains(said, ls[0].Evidence[0].Quote) {
				t.Errorf("%s: %q is not in %q", l.language, ls[0].Evidence[0].Quote, said)
			}
		}
		for _, said := range l.not {
			for _, before := range []string{"agent: Done. I changed the files.", "agent: Shall I go on?"} {
				if ls := propose(t, Rules{}, session, talk("person: start", before, "person: "+said, "agent: Ok.")); len(ls) > 0 {
					t.Errorf("%s: %q made a lesson: %s (%s)", l.language, said, ls[0].Content, ls[0].Origin.Rule)
				}
			}
		}
	}
}

// TestPacksLeaveEnglishAlone: no phrase of another language is one of English.
func TestPacksLeaveEnglishAlone(t *testing.T) {
	for _, d := range distractors {
		if f := spaced(words(d.said)); len(f) > 0 {
			t.Errorf("%q is %v", d.said, f)
		}
	}
	for p, lines := range packBook().at {
		if n := len(strings.Fields(p)); lines != nil && (n > maxPhrase || strings.TrimSpace(strings.Trim(p, "^$,:. ")) == "") {
			t.Errorf("the phrase %q has %d words", p, n)
		}
	}
	for _, l := range packs() {
		for name := range l.phrases {
			if _, ok := forms[name]; !ok && !slices.Contains([]string{"not", "asks", "strong", "weak", "against", "common"}, name) {
				t.Errorf("%s: there is no form %q", l.language, name)
			}
		}
	}
}
