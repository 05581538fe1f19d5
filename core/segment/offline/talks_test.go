package offline

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
	"Dutch": {
		`Hoe verwijder ik schimmel uit de badkamer?|Spuit azijn op de plekken en borstel na een uur.|Werkt dat ook op voegen?|Ja, maar daar duurt het langer.`,
		`Mijn Excel-formule geeft #DEEL/0! terug.|De noemer is leeg of nul.|Hoe vang ik dat af?|Met ALS.FOUT(A1/B1;0).`,
		`Schrijf een verjaardagswens voor mijn oma van 90.|Lieve oma, negentig jaar en nog steeds vol leven!|Iets grappiger graag.|Negentig kaarsjes: houd de brandblusser klaar!`,
		`Wie was de eerste mens op de maan?|Neil Armstrong in 1969.|En de tweede?|Buzz Aldrin.`,
		`Waarom valt mijn wifi steeds weg op zolder?|Het signaal is daar te zwak.|Helpt een versterker?|Ja, of een mesh-systeem.`,
		`Bereken 18 procent van 250.|45.|En 21 procent?|52,5.`,
		`Ik wil leren schaken. Waar begin ik?|Met de loop van de stukken en eenvoudige eindspelen.|Welke opening is makkelijk?|De Italiaanse opening.`,
		`Wat is een goede voedingsbodem voor orchideeën?|Grove boomschors met wat veenmos.|Hoe vaak moet ik ze water geven?|Eens per week onderdompelen.`,
	},
	"Polish": {
		`Jak usunąć rdzę z noża kuchennego?|Natrzyj go cytryną i solą, potem wypłucz.|A jeśli to nie pomoże?|Użyj pasty z sody oczyszczonej.`,
		`Dlaczego moja pętla w JavaScript nigdy się nie kończy?|Nie zwiększasz licznika.|Gdzie mam to dodać?|Na końcu ciała pętli: i++.`,
		`Zaproponuj trasę po Tatrach na weekend.|Sobota: Morskie Oko, niedziela: Dolina Kościeliska.|Czy da się to zrobić z dzieckiem?|Dolina tak, Morskie Oko najlepiej bryczką.`,
		`Ile wynosi pierwiastek z 144?|12.|A z 169?|13.`,
		`Napisz podanie o podwyżkę.|Szanowny Panie, proszę o podwyższenie wynagrodzenia.|Dodaj, że pracuję tu pięć lat.|Dodane: pracuję w firmie od pięciu lat.`,
		`Mój kot kicha od wczoraj.|To może być alergia albo przeziębienie.|Ma też łzawiące oczy.|Wtedy lepiej iść do weterynarza.`,
		`Kto napisał „Lalkę”?|Bolesław Prus.|O czym jest ta powieść?|O nieszczęśliwej miłości kupca Wokulskiego.`,
		`Jak długo gotować jajka na twardo?|Około dziewięciu minut.|Jak je łatwo obrać?|Zalej je od razu zimną wodą.`,
	},
	"Chinese": {
		`怎样去除衣服上的油渍？|先涂洗洁精，静置十分钟后用温水洗。|白色衬衫可以用漂白剂吗？|可以，但要少量。`,
		`用Python写一个函数判断质数。|def is_prime(n): return n > 1 and all(n % i for i in range(2, int(n**0.5)+1))|加上注释。|已加上注释说明循环的范围。`,
		`推荐三本适合小学生的科普书。|《昆虫记》《十万个为什么》《神奇校车》。|哪一本图画最多？|《神奇校车》。`,
		`我的电脑开机很慢怎么办？|关闭不必要的启动项。|在哪里关闭？|在任务管理器的启动选项卡里。`,
		`帮我写一封辞职信。|尊敬的领导：因个人原因，我申请辞去现职。|语气再委婉一些。|非常感谢您的培养，因个人原因，我只能遗憾地提出辞职。`,
		`长城有多长？|大约两万一千公里。|是什么时候建的？|主要在秦代和明代修建。`,
		`孩子发烧到三十八度五需要去医院吗？|先观察精神状态，多喝水。|他有点咳嗽。|如果持续三天就去看医生。`,
		`解方程x²-5x+6=0。|x=2或x=3。|写出因式分解过程。|(x-2)(x-3)=0。`,
	},
	"Swedish": {
		`Hur tvättar jag en ylletröja utan att den krymper?|Handtvätt i ljummet vatten med ulltvättmedel.|Kan jag torktumla den?|Nej, låt den plantorka.`,
		`Min Java-kod kastar NullPointerException på rad 12.|Variabeln är inte initierad.|Hur undviker jag det i framtiden?|Använd Optional eller kontrollera null.`,
		`Föreslå en vegetarisk middag på trettio minuter.|Pasta med svamp och spenat.|Vi har ingen spenat hemma.|Då går grönkål lika bra.`,
		`Vad är huvudstaden i Kanada?|Ottawa.|Hur många bor där?|Ungefär en miljon.`,
		`Skriv en kort dikt om havet.|Vågorna viskar, vinden svarar, stranden lyssnar.|Gör den längre.|Vågorna viskar, vinden svarar, stranden lyssnar, måsen minns.`,
		`Bilens vindruta är immig varje morgon.|Byt kupéfiltret och torka insidan.|Filtret är nytt.|Då kan värmepaketet läcka.`,
		`Räkna ut medelvärdet av 4, 8 och 15.|9.|Och medianen?|8.`,
		`Vilka vacciner behövs för en resa till Kenya?|Gula febern, hepatit A och tyfoid.|Behövs malariatabletter?|Ja, för de flesta områden.`,
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
