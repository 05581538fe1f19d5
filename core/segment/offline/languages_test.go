package offline

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
)

// offlineTalks are short tasks in many languages, one per line of "/": user and
// assistant in turns. The same four tasks everywhere: a hotel, a password, a
// recipe, a table of sales.
var offlineTalks = map[string][]string{
	"German": {
		"Guten Tag, ich möchte ein Doppelzimmer in Hamburg vom 3. bis 5. Juni buchen./Gerne! Wie viele Personen reisen an, und wünschen Sie Frühstück?/Zwei Personen, mit Frühstück bitte./Das Zimmer im Hotel Elbblick kostet 240 Euro. Soll ich es reservieren?/Ja, bitte reservieren./Die Reservierung ist bestätigt. Kann ich sonst noch etwas für Sie tun?",
		"Ich kann mich nicht mehr anmelden, mein Kennwort wird abgelehnt./Wie lautet Ihr Benutzername?/jonas.weber77/Ich habe einen Link zum Zurücksetzen an Ihre Adresse geschickt./Danke, jetzt klappt die Anmeldung wieder./Gern geschehen!",
		"Wie bereitet man eine Linsensuppe ohne Fleisch zu?/Zwiebeln anschwitzen, Linsen und Gemüse zugeben, dreißig Minuten köcheln lassen./Und welche Gewürze passen in die Suppe?/Kreuzkümmel, Lorbeer und etwas Essig geben der Suppe Tiefe.",
		"Erstelle mir eine Tabelle mit den Verkaufszahlen je Quartal aus der Datei umsatz_2024.csv./Die Tabelle je Quartal liegt jetzt in umsatz_quartal.xlsx./Kannst du in der Tabelle noch eine Spalte mit dem Wachstum ergänzen?/Die Spalte mit dem Wachstum je Quartal ist ergänzt.",
	},
	"French": {
		"Bonjour, je voudrais réserver une chambre double à Lyon du 3 au 5 juin./Avec plaisir ! Combien de personnes et souhaitez-vous le petit-déjeuner ?/Deux personnes, avec petit-déjeuner./La chambre à l'hôtel Bellecour coûte 240 euros. Dois-je la réserver ?/Oui, réservez-la./La réservation est confirmée. Puis-je vous aider pour autre chose ?",
		"Je n'arrive plus à me connecter, mon mot de passe est refusé./Quel est votre identifiant ?/claire.dubois77/Je vous ai envoyé un lien pour le réinitialiser./Merci, la connexion fonctionne./Je vous en prie !",
		"Comment préparer une soupe de lentilles sans viande ?/Faites revenir des oignons, ajoutez les lentilles et les légumes, laissez mijoter trente minutes./Et quelles épices vont bien dans cette soupe ?/Le cumin, le laurier et un peu de vinaigre relèvent la soupe.",
		"Crée un tableau des ventes par trimestre à partir du fichier ventes_2024.csv./Le tableau par trimestre se trouve dans ventes_trimestre.xlsx./Peux-tu ajouter une colonne avec la croissance dans le tableau ?/La colonne avec la croissance par trimestre est ajoutée.",
	},
	"Spanish": {
		"Hola, quisiera reservar una habitación doble en Sevilla del 3 al 5 de junio./¡Con gusto! ¿Cuántas personas son y desean desayuno?/Dos personas, con desayuno./La habitación en el hotel Giralda cuesta 240 euros. ¿La reservo?/Sí, resérvela por favor./La reserva está confirmada. ¿Puedo ayudarle en algo más?",
		"No puedo iniciar sesión, rechaza mi contraseña./¿Cuál es su nombre de usuario?/lucia.ramos77/Le envié un enlace para restablecerla./Gracias, ya puedo entrar./¡De nada!",
		"¿Cómo se prepara una sopa de lentejas sin carne?/Sofría cebolla, añada las lentejas y las verduras, y cueza treinta minutos./¿Y qué especias quedan bien en la sopa?/El comino, el laurel y un poco de vinagre dan sabor a la sopa.",
		"Crea una tabla con las ventas por trimestre a partir del archivo ventas_2024.csv./La tabla por trimestre está en ventas_trimestre.xlsx./¿Puedes añadir una columna con el crecimiento en la tabla?/La columna con el crecimiento por trimestre está añadida.",
	},
	"Portuguese": {
		"Olá, gostaria de reservar um quarto duplo no Porto de 3 a 5 de junho./Claro! Quantas pessoas são e desejam café da manhã?/Duas pessoas, com café da manhã./O quarto no hotel Ribeira custa 240 euros. Posso reservar?/Sim, pode reservar./A reserva está confirmada. Posso ajudar em mais alguma coisa?",
		"Não consigo entrar na minha conta, a senha é recusada./Qual é o seu nome de usuário?/bruno.alves77/Enviei um link para redefinir a senha./Obrigado, agora consegui entrar./De nada!",
		"Como se prepara uma sopa de lentilha sem carne?/Refogue cebola, junte as lentilhas e os legumes e cozinhe por trinta minutos./E quais temperos combinam com a sopa?/Cominho, louro e um pouco de vinagre dão sabor à sopa.",
		"Crie uma tabela com as vendas por trimestre a partir do arquivo vendas_2024.csv./A tabela por trimestre está em vendas_trimestre.xlsx./Você pode acrescentar uma coluna com o crescimento na tabela?/A coluna com o crescimento por trimestre foi acrescentada.",
	},
	"Italian": {
		"Buongiorno, vorrei prenotare una camera doppia a Torino dal 3 al 5 giugno./Volentieri! Quante persone siete e desiderate la colazione?/Due persone, con colazione./La camera all'hotel Mole costa 240 euro. La prenoto?/Sì, la prenoti pure./La prenotazione è confermata. Posso aiutarla in qualcos'altro?",
		"Non riesco più ad accedere, la password viene rifiutata./Qual è il suo nome utente?/marco.conti77/Le ho inviato un link per reimpostarla./Grazie, adesso l'accesso funziona./Prego!",
		"Come si prepara una zuppa di lenticchie senza carne?/Soffriggere la cipolla, aggiungere lenticchie e verdure e cuocere trenta minuti./E quali spezie stanno bene nella zuppa?/Cumino, alloro e un po' di aceto danno sapore alla zuppa.",
		"Crea una tabella con le vendite per trimestre dal file vendite_2024.csv./La tabella per trimestre si trova in vendite_trimestre.xlsx./Puoi aggiungere una colonna con la crescita nella tabella?/La colonna con la crescita per trimestre è stata aggiunta.",
	},
	"Russian": {
		"Здравствуйте, я хочу забронировать двухместный номер в Казани с 3 по 5 июня./Конечно! Сколько человек и нужен ли завтрак?/Двое, с завтраком./Номер в гостинице Волга стоит 240 евро. Забронировать?/Да, забронируйте./Бронь подтверждена. Могу ли я ещё чем-нибудь помочь?",
		"Не получается войти, пароль отклоняется./Какое у вас имя пользователя?/ivan.petrov77/Я отправил ссылку для сброса пароля./Спасибо, теперь вход работает./Пожалуйста!",
		"Как приготовить чечевичный суп без мяса?/Обжарьте лук, добавьте чечевицу и овощи, варите тридцать минут./А какие специи подходят к супу?/Зира, лавровый лист и немного уксуса украсят суп.",
		"Создай таблицу продаж по кварталам из файла sales_2024.csv./Таблица по кварталам лежит в sales_quarter.xlsx./Можешь добавить в таблицу столбец с ростом?/Столбец с ростом по кварталам добавлен.",
	},
	"Japanese": {
		"こんにちは、6月3日から5日まで京都でダブルルームを予約したいです。/かしこまりました。何名様で、朝食はご希望ですか？/二名で、朝食付きでお願いします。/鴨川ホテルの部屋は240ユーロです。予約しますか？/はい、予約してください。/予約が確定しました。他に何かお手伝いできることはありますか？",
		"ログインできません。パスワードが拒否されます。/ユーザー名を教えていただけますか？/tanaka.ken77/再設定用のリンクを送信しました。/ありがとうございます、ログインできました。/どういたしまして！",
		"肉を使わないレンズ豆のスープの作り方を教えてください。/玉ねぎを炒め、レンズ豆と野菜を加えて三十分煮込みます。/そのスープにはどんな香辛料が合いますか？/クミン、ローリエ、少量の酢がスープによく合います。",
		"sales_2024.csv から四半期ごとの売上の表を作成して。/四半期ごとの売上の表を sales_quarter.xlsx に保存しました。/その表に成長率の列を追加できますか？/四半期ごとの成長率の列を追加しました。",
	},
	"Korean": {
		"안녕하세요, 6월 3일부터 5일까지 부산에서 더블룸을 예약하고 싶어요./네! 몇 분이시고 조식을 원하시나요?/두 명이고 조식 포함해 주세요./해운대 호텔 객실은 240유로입니다. 예약할까요?/네, 예약해 주세요./예약이 확정되었습니다. 더 도와드릴 일이 있을까요?",
		"로그인이 안 돼요. 비밀번호가 거부됩니다./사용자 이름이 무엇인가요?/kim.minsu77/비밀번호 재설정 링크를 보냈습니다./감사합니다, 이제 로그인이 됩니다./천만에요!",
		"고기 없이 렌틸콩 수프를 어떻게 만드나요?/양파를 볶고 렌틸콩과 채소를 넣어 삼십 분 끓입니다./그 수프에는 어떤 향신료가 어울리나요?/커민과 월계수 잎, 식초를 조금 넣으면 수프가 맛있어집니다.",
		"sales_2024.csv 파일에서 분기별 매출 표를 만들어 줘./분기별 매출 표를 sales_quarter.xlsx에 저장했습니다./그 표에 성장률 열을 추가해 줄 수 있어?/분기별 성장률 열을 추가했습니다.",
	},
	"Arabic": {
		"مرحبا، أريد حجز غرفة مزدوجة في عمان من 3 إلى 5 يونيو./بكل سرور! كم عدد الأشخاص وهل تريدون الإفطار؟/شخصان مع الإفطار./الغرفة في فندق النخيل تكلف 240 يورو. هل أحجزها؟/نعم، احجزها من فضلك./تم تأكيد الحجز. هل هناك أي شيء آخر يمكنني مساعدتك به؟",
		"لا أستطيع تسجيل الدخول، كلمة المرور مرفوضة./ما هو اسم المستخدم الخاص بك؟/omar.haddad77/أرسلت رابطا لإعادة تعيين كلمة المرور./شكرا، تسجيل الدخول يعمل الآن./على الرحب والسعة!",
		"كيف أحضر حساء العدس بدون لحم؟/اقلي البصل ثم أضيفي العدس والخضار واتركيها ثلاثين دقيقة./وما هي التوابل المناسبة للحساء؟/الكمون وورق الغار وقليل من الخل تناسب الحساء.",
		"أنشئ جدولا للمبيعات حسب الربع من الملف sales_2024.csv./الجدول حسب الربع موجود في sales_quarter.xlsx./هل يمكنك إضافة عمود للنمو في الجدول؟/تمت إضافة عمود النمو لكل ربع.",
	},
	"Hindi": {
		"नमस्ते, मुझे जयपुर में 3 से 5 जून तक डबल कमरा बुक करना है।/ज़रूर! कितने लोग हैं और क्या नाश्ता चाहिए?/दो लोग, नाश्ते के साथ।/होटल हवा महल का कमरा 240 यूरो का है। क्या मैं बुक करूँ?/हाँ, बुक कर दीजिए।/बुकिंग पक्की हो गई है। क्या मैं और कुछ मदद कर सकता हूँ?",
		"मैं लॉगिन नहीं कर पा रहा हूँ, पासवर्ड अस्वीकार हो रहा है।/आपका उपयोगकर्ता नाम क्या है?/rahul.verma77/मैंने पासवर्ड बदलने का लिंक भेज दिया है।/धन्यवाद, अब लॉगिन हो गया।/आपका स्वागत है!",
		"बिना मांस के मसूर का सूप कैसे बनाते हैं?/प्याज़ भूनें, मसूर और सब्ज़ियाँ डालें और तीस मिनट पकाएँ।/और सूप में कौन से मसाले अच्छे लगते हैं?/जीरा, तेजपत्ता और थोड़ा सिरका सूप में अच्छे लगते हैं।",
		"फ़ाइल sales_2024.csv से तिमाही बिक्री की तालिका बनाओ।/तिमाही बिक्री की तालिका sales_quarter.xlsx में है।/क्या आप तालिका में वृद्धि का स्तंभ जोड़ सकते हैं?/तिमाही वृद्धि का स्तंभ जोड़ दिया गया है।",
	},
	"Turkish": {
		"Merhaba, 3-5 Haziran arası İzmir'de çift kişilik oda ayırtmak istiyorum./Elbette! Kaç kişi olacaksınız, kahvaltı ister misiniz?/İki kişi, kahvaltı dahil./Kordon Otel'deki oda 240 euro. Ayırtayım mı?/Evet, lütfen ayırtın./Rezervasyonunuz onaylandı. Yardımcı olabileceğim başka bir şey var mı?",
		"Hesabıma giremiyorum, parolam reddediliyor./Kullanıcı adınız nedir?/mehmet.kaya77/Parolanızı sıfırlamak için bir bağlantı gönderdim./Teşekkürler, şimdi girebildim./Rica ederim!",
		"Etsiz mercimek çorbası nasıl yapılır?/Soğanı kavurun, mercimek ve sebzeleri ekleyin, otuz dakika pişirin./Peki çorbaya hangi baharatlar yakışır?/Kimyon, defne yaprağı ve biraz sirke çorbaya yakışır.",
		"sales_2024.csv dosyasından üç aylık satış tablosunu oluştur./Üç aylık satış tablosu sales_quarter.xlsx içinde./Tabloya büyüme sütununu da ekleyebilir misin?/Üç aylık büyüme sütunu tabloya eklendi.",
	},
	"Chinese": {
		"你好，我想预订6月3日到5日杭州的双人房。/好的！请问几位入住，需要早餐吗？/两个人，要早餐。/西湖宾馆的房间是240欧元，要为您预订吗？/是的，请预订。/预订已确认。还有其他需要帮助的吗？",
		"我登录不了，密码总是被拒绝。/请问您的用户名是什么？/wang.lei77/我已发送重置密码的链接。/谢谢，现在可以登录了。/不客气！",
		"不放肉的扁豆汤怎么做？/先炒洋葱，再加扁豆和蔬菜，煮三十分钟。/那汤里放什么香料合适？/孜然、月桂叶和少许醋都适合这道汤。",
		"用 sales_2024.csv 生成按季度的销售表格。/按季度的销售表格已保存到 sales_quarter.xlsx。/表格里还能加一列增长率吗？/已在表格中加入每季度的增长率一列。",
	},
	"Polish": {
		"Dzień dobry, chciałbym zarezerwować pokój dwuosobowy w Gdańsku od 3 do 5 czerwca./Oczywiście! Ile osób i czy życzą sobie państwo śniadanie?/Dwie osoby, ze śniadaniem./Pokój w hotelu Neptun kosztuje 240 euro. Czy mam zarezerwować?/Tak, proszę zarezerwować./Rezerwacja jest potwierdzona. Czy mogę pomóc w czymś jeszcze?",
		"Nie mogę się zalogować, hasło jest odrzucane./Jaka jest pana nazwa użytkownika?/adam.nowak77/Wysłałem link do zmiany hasła./Dziękuję, teraz logowanie działa./Nie ma za co!",
		"Jak ugotować zupę z soczewicy bez mięsa?/Podsmaż cebulę, dodaj soczewicę i warzywa, gotuj trzydzieści minut./A jakie przyprawy pasują do tej zupy?/Kmin, liść laurowy i odrobina octu pasują do zupy.",
		"Stwórz tabelę sprzedaży według kwartałów z pliku sales_2024.csv./Tabela według kwartałów jest w sales_quarter.xlsx./Czy możesz dodać do tabeli kolumnę ze wzrostem?/Kolumna ze wzrostem według kwartałów została dodana.",
	},
	"English": {
		"Good morning, I'd like to book a double room in Bristol from 3 to 5 June./Certainly! How many guests, and would you like breakfast?/Two guests, with breakfast./The room at the Harbour Hotel is 240 euros. Shall I book it?/Yes, please book it./Your booking is confirmed. Is there anything else I can help you with?",
		"I can't log in any more, my password is rejected./What is your user name?/emma.clark77/I have sent you a link to reset it./Thanks, logging in works now./You're welcome!",
		"How do you make lentil soup without meat?/Fry onions, add lentils and vegetables, and simmer for thirty minutes./And which spices go well with the soup?/Cumin, bay leaf and a little vinegar suit the soup.",
		"Create a table of sales by quarter from the file sales_2024.csv./The table by quarter is in sales_quarter.xlsx./Can you add a column with the growth to the table?/The column with the growth by quarter has been added.",
	},
}

func taskOf(text string) (msgs []chat.Message) {
	for i, line := range strings.Split(text, "/") {
		role := chat.User
		if i%2 == 1 {
			role = chat.Assistant
		}
		msgs = append(msgs, chat.Message{Role: role, Content: line})
	}
	return msgs
}

// TestOfflineLanguages: the tasks come apart in any order, in most languages
// most of the time, and single ones stay whole.
func TestOfflineLanguages(t *testing.T) {
	var all, hits, wanted int
	for name, tasks := range offlineTalks {
		found, hit, want := 0, 0, 0
		for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}} {
			var msgs []chat.Message
			var starts []int
			for _, i := range order {
				if len(msgs) > 0 {
					starts = append(starts, len(msgs)+1)
				}
				msgs = append(msgs, taskOf(tasks[i])...)
			}
			got := startsOf(offlineCuts(t, msgs))
			found += len(got)
			want += len(starts)
			for _, s := range got {
				if slices.Contains(starts, s) {
					hit++
				}
			}
			samePrefixes(t, name, msgs, 1)
		}
		if 4*hit < 3*want || 4*hit < 3*found {
			t.Errorf("%s: %d of %d found are right, of %d", name, hit, found, want)
		}
		all, hits, wanted = all+found, hits+hit, wanted+want
	}
	if 10*hits < 9*wanted || 10*hits < 9*all {
		t.Errorf("%d of %d found are right, of %d", hits, all, wanted)
	}
	t.Logf("all: %d of %d found are right, of %d", hits, all, wanted)
}
