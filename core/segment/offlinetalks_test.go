package segment

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
)

// shortTalks are tasks of two turns about anything, without greetings and
// thanks, one per line: user and assistant in turns, a bar between.
var shortTalks = map[string][]string{
	"Portuguese": {
		`Como faço para tirar mancha de vinho de uma toalha branca?|Cubra com sal, depois lave com água fria e bicarbonato.|E se a mancha já secou?|Deixe de molho em vinagre branco por uma hora.`,
		`Minha consulta SQL retorna linhas duplicadas: SELECT nome FROM clientes JOIN pedidos.|Use DISTINCT ou agrupe pelo cliente.|Funcionou. E como conto os pedidos de cada um?|SELECT nome, COUNT(*) FROM clientes JOIN pedidos GROUP BY nome.`,
		`Resolva a equação 3x + 7 = 22.|x = 5.|Pode mostrar os passos?|Subtraia 7 dos dois lados, depois divida por 3.`,
		`Quero plantar tomates na varanda. Qual vaso devo usar?|Um vaso de pelo menos 20 litros com furos.|Quantas vezes por semana devo regar?|No verão, todos os dias.`,
		`Escreva um e-mail pedindo férias em julho.|Prezado chefe, gostaria de solicitar férias em julho.|Deixe mais curto.|Solicito férias em julho. Obrigado.`,
		`Qual a capital da Mongólia?|Ulan Bator.|Quantos habitantes ela tem?|Cerca de um milhão e meio.`,
		`Meu notebook esquenta muito quando jogo.|Limpe as ventoinhas e use uma base refrigerada.|Já limpei, continua quente.|Troque a pasta térmica do processador.`,
		`Crie uma função em Go que inverta uma string.|func Inverte(s string) string { r := []rune(s); slices.Reverse(r); return string(r) }|Agora escreva um teste para ela.|func TestInverte(t *testing.T) { ... }`,
		`Sugira um treino de corrida para iniciantes.|Alterne um minuto correndo e dois andando, por vinte minutos.|E depois de um mês?|Corra cinco minutos e ande um.`,
		`O que significa a expressão "chutar o balde"?|Perder a paciência e abandonar tudo.|Existe algo parecido em inglês?|"To throw in the towel" é próximo.`,
	},
	"Italian": {
		`Come si toglie il calcare dal bollitore?|Fai bollire acqua e aceto, poi risciacqua.|Posso usare anche il limone?|Sì, l'acido citrico funziona bene.`,
		`La mia app React si ricarica all'infinito dopo useEffect.|Manca l'array delle dipendenze.|Dove lo metto esattamente?|Come secondo argomento: useEffect(fn, []).`,
		`Calcola l'area di un cerchio con raggio 4.|Circa 50,27.|E la circonferenza?|Circa 25,13.`,
		`Vorrei visitare la Sicilia in una settimana. Che itinerario consigli?|Palermo, Agrigento, Siracusa e Catania.|Serve l'auto?|È molto comoda, soprattutto per Agrigento.`,
		`Scrivi un post per annunciare l'apertura della nostra libreria.|Apriamo sabato! Vi aspettiamo con libri e dolci.|Aggiungi un emoji e l'indirizzo via Roma 12.|Apriamo sabato in via Roma 12! 📚`,
		`Chi ha dipinto la Scuola di Atene?|Raffaello Sanzio.|In quale museo si trova?|Nei Musei Vaticani.`,
		`Il gatto graffia il divano, cosa posso fare?|Metti un tiragraffi accanto al divano.|Non lo usa.|Prova a spruzzare erba gatta sul tiragraffi.`,
		`Come installo PostgreSQL su Ubuntu?|sudo apt install postgresql|Come creo un utente?|sudo -u postgres createuser --interactive`,
		`Devo preparare una carbonara per sei persone.|Servono 600 g di spaghetti, 6 tuorli e 250 g di guanciale.|Uno è vegetariano, come faccio?|Sostituisci il guanciale con zucchine croccanti.`,
		`Spiegami che cos'è l'inflazione.|È l'aumento generale dei prezzi nel tempo.|Perché le banche centrali alzano i tassi?|Per frenare la domanda e quindi i prezzi.`,
	},
	"Korean": {
		`김치찌개를 맛있게 끓이는 방법을 알려 주세요.|신김치를 볶은 뒤 돼지고기와 물을 넣고 끓이세요.|두부는 언제 넣나요?|마지막 오 분에 넣으세요.`,
		`파이썬에서 리스트의 중복을 제거하려면 어떻게 해?|set()으로 변환하면 됩니다.|순서를 유지하고 싶어.|list(dict.fromkeys(items))를 사용하세요.`,
		`15와 24의 최소공배수를 구해 줘.|120입니다.|풀이 과정도 보여 줘.|15=3×5, 24=2³×3이므로 2³×3×5=120입니다.`,
		`제주도에서 이틀 동안 갈 만한 곳을 추천해 줘.|성산일출봉과 우도, 협재해변이 좋습니다.|비가 오면 어디로 가지?|아쿠아리움이나 박물관을 추천합니다.`,
		`이력서 자기소개를 써 줘. 나는 간호사야.|환자를 먼저 생각하는 5년 차 간호사입니다.|조금 더 자신감 있게 고쳐 줘.|현장에서 신뢰받는 5년 차 간호사입니다.`,
		`세탁기에서 이상한 소리가 나요.|수평이 맞는지 확인하세요.|수평은 맞아요.|그러면 베어링을 점검해야 합니다.`,
		`리눅스에서 포트 8080을 쓰는 프로세스를 찾는 명령은?|lsof -i :8080|그걸 종료하려면?|kill 뒤에 PID를 적으세요.`,
		`블랙홀은 어떻게 만들어지나요?|무거운 별이 붕괴할 때 생깁니다.|태양도 될 수 있나요?|아니요, 질량이 부족합니다.`,
		`강아지 이름을 지어 줘, 하얀색이야.|구름이나 눈송이는 어떨까요?|더 짧은 이름이 좋아.|설이는 어떠세요?`,
		`매트리스를 고를 때 무엇을 봐야 해?|체형과 수면 자세에 맞는 단단함을 보세요.|옆으로 자는 사람은?|조금 부드러운 것이 좋습니다.`,
	},
	"Turkish": {
		`Kahve lekesi gömlekten nasıl çıkar?|Soğuk suyla ıslatıp sirke sürün.|Leke eskiyse ne yapmalıyım?|Karbonatlı suda bir gece bekletin.`,
		`JavaScript'te iki tarihi nasıl karşılaştırırım?|getTime() değerlerini karşılaştırın.|Aradaki gün sayısını da bulabilir miyim?|Farkı 86400000'e bölün.`,
		`7 faktöriyel kaçtır?|5040.|Peki 8 faktöriyel?|40320.`,
		`Kapadokya'da iki gün için plan yap.|İlk gün Göreme, ikinci gün Ihlara Vadisi.|Balon turu ne kadar?|Kişi başı yaklaşık 150 euro.`,
		`Patrona zam istemek için mesaj yaz.|Maaşımın yeniden değerlendirilmesini rica ediyorum.|Daha nazik olsun.|Uygun olduğunuzda maaşımı görüşebilir miyiz?`,
		`Arabamın aküsü sürekli bitiyor.|Alternatörü kontrol ettirin.|Yeni değişti, hâlâ bitiyor.|O zaman kaçak akım olabilir.`,
		`Bir git dalını nasıl silerim?|git branch -d dal|Uzaktaki dalı da silmek istiyorum.|git push origin --delete dal`,
		`Fotosentez nedir, kısaca açıkla.|Bitkilerin ışıkla şeker üretmesidir.|Gece de olur mu?|Hayır, ışık gerekir.`,
		`Kızım için doğum günü pastası önerir misin?|Çilekli pandispanya güzel olur.|Çikolatalı olsun istiyor.|O zaman ganajlı çikolatalı pasta yapın.`,
		`Osmanlı Devleti ne zaman kuruldu?|1299 yılında.|Kurucusu kimdi?|Osman Bey.`,
	},
	"English": {
		`My sourdough doesn't rise. What am I doing wrong?|The starter may be too weak; feed it twice a day.|I fed it yesterday and it bubbles.|Then let the dough ferment longer in a warm place.`,
		`Prove that the square root of 2 is irrational.|Assume p/q in lowest terms; then p and q are both even, a contradiction.|Does the same proof work for 3?|Yes, with divisibility by 3 instead.`,
		`Write a regex that matches ISO dates.|\d{4}-\d{2}-\d{2}|It should reject month 20.|\d{4}-[01]\d-\d{2}`,
		`Who won the football World Cup in 1998?|France, against Brazil.|Who scored in the final?|Zidane twice and Petit.`,
		`Our kitchen tap drips all night.|Usually the washer is worn; replace it.|Which size do I need?|Most taps take a half-inch washer.`,
		`Give me five slogans for a vegan bakery.|Bake kind. Crumbs without cruelty. Pure rise. Leaf and loaf. Sweet roots.|I like the second. Make variations of it.|Crumbs with care. Crumbs, no cruelty.`,
		"Rust complains: cannot borrow `x` as mutable more than once.|End the first borrow before the second begins.|Where would I put the braces?|Around the first use of the borrow.",
		`What is the derivative of x^2 sin x?|2x sin x + x^2 cos x.|And the second derivative?|2 sin x + 4x cos x - x^2 sin x.`,
		`How much should I tip in Japan?|Nothing; tipping is not customary.|Not even in hotels?|No, service is included.`,
		`Plan a birthday party for a six-year-old who loves dinosaurs.|Dig for eggs, a dino cake, and a fossil craft.|We only have two hours.|Then egg hunt, cake and one craft.`,
	},
}

// TestOfflineShortTalks: tasks of a few words come apart where no greeting or
// pause tells where they begin, and stay whole by themselves.
func TestOfflineShortTalks(t *testing.T) {
	for name, tasks := range shortTalks {
		found, hit, want, whole := 0, 0, 0, 0
		for seed := range uint64(5) {
			var msgs []chat.Message
			var starts []int
			for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(tasks)) {
				if len(msgs) > 0 {
					starts = append(starts, len(msgs)+1)
				}
				msgs = append(msgs, talkOf(tasks[i])...)
			}
			got := startsOf(offlineCuts(t, msgs))
			found, want = found+len(got), want+len(starts)
			for _, s := range got {
				if slices.Contains(starts, s) {
					hit++
				}
			}
		}
		for _, task := range tasks {
			if len(offlineCuts(t, talkOf(task))) == 1 {
				whole++
			}
		}
		if 4*2*hit < 3*(found+want) { // F1 of .75
			t.Errorf("%s: %d of %d found are right, of %d", name, hit, found, want)
		}
		if 5*whole < 4*len(tasks) {
			t.Errorf("%s: %d of %d stay whole", name, whole, len(tasks))
		}
	}
}

func talkOf(text string) (msgs []chat.Message) {
	for i, line := range strings.Split(text, "|") {
		role := chat.User
		if i%2 == 1 {
			role = chat.Assistant
		}
		msgs = append(msgs, chat.Message{Role: role, Content: line})
	}
	return msgs
}
