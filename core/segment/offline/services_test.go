package offline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/chat"
)

// offlineServices are tasks of one domain each, which share most of their
// words: what comes next is harder to tell from what goes on.
var offlineServices = map[string][]string{
	"a bank, German": {
		"Ich habe meine Kreditkarte verloren und möchte sie sperren lassen./Das tut mir leid. Nennen Sie mir bitte Ihre Kundennummer./Meine Kundennummer ist 4471902./Danke, Herr Krüger. Soll ich die Karte mit der Endung 8812 sperren?/Ja, genau diese./Die Karte ist gesperrt. Eine neue Karte kommt in fünf Werktagen.",
		"Mir wurde am Montag zweimal derselbe Betrag abgebucht, 49,90 Euro vom Fitnessstudio./Ich sehe mir das an. Wie lautet Ihre Kundennummer?/5520318/Ich sehe zwei Abbuchungen über 49,90 Euro. Soll ich eine zurückbuchen?/Bitte die zweite zurückbuchen. Wie lange dauert das?/Die Rückbuchung dauert zwei Werktage. Kann ich noch etwas für Sie tun?/Nein, das war alles, vielen Dank./Gern geschehen, einen schönen Tag!",
		"Kann ich mein Überweisungslimit für eine größere Zahlung erhöhen?/Natürlich. Bitte geben Sie mir Ihre Kundennummer und das gewünschte Limit./6610044, das Limit soll 10.000 Euro betragen./Das Limit beträgt jetzt für 24 Stunden 10.000 Euro./Reicht das auch für eine Zahlung in die Schweiz?/Ja, das Limit gilt auch für Zahlungen in die Schweiz.",
		"Ich bin umgezogen und muss meine Adresse ändern./Gern. Ihre Kundennummer und die neue Adresse bitte./Kundennummer 7093321, Lindenweg 4, 50667 Köln./Ihre Adresse wurde auf Lindenweg 4, 50667 Köln geändert. Kann ich sonst noch helfen?",
		"Warum wurde mein Antrag auf einen Dispokredit abgelehnt?/Das prüfe ich für Sie. Wie ist Ihre Kundennummer?/Das ist die 8123377./Der Antrag wurde abgelehnt, weil der regelmäßige Geldeingang noch keine drei Monate besteht./Und wann kann ich den Antrag wieder stellen?/Ab dem ersten Juli können Sie den Antrag erneut stellen.",
		"Ich möchte einen Dauerauftrag über 850 Euro für die Miete einrichten./Gern. Wie lautet Ihre Kundennummer, und an wen soll das Geld gehen?/9034412, an Hausverwaltung Seidel, IBAN DE02120300000000202051./Der Dauerauftrag über 850 Euro ist ab dem ersten eingerichtet. Stimmt der Verwendungszweck Miete?/Ja, passt so./Alles erledigt. Melden Sie sich gern jederzeit.",
	},
	"a telephone company, Spanish": {
		"Mi conexión a internet se cae cada noche desde el martes./Lamento la molestia. ¿Me indica su número de cliente?/Es el 330912./Veo cortes en su línea. ¿Ha reiniciado el router?/Sí, dos veces, y sigue igual./He abierto una avería, un técnico irá mañana entre las 9 y las 12.",
		"Quiero cambiar mi tarifa a una con más datos móviles./Claro. ¿Cuál es su número de cliente?/448120/Tenemos 30 GB por 15 euros o 60 GB por 22 euros. ¿Cuál prefiere?/La de 60 GB./El cambio a 60 GB se aplicará el día 1. ¿Necesita algo más?/No, gracias, eso es todo./¡Que tenga un buen día!",
		"Me han cobrado una llamada internacional que no hice./Vamos a revisarlo. ¿Su número de cliente, por favor?/551733, la llamada es de 12,40 euros./Efectivamente hay un cargo de 12,40 euros a Francia. ¿Desea que lo anule?/Sí, por favor./El cargo de 12,40 euros queda anulado en la próxima factura.",
		"¿Cómo activo el roaming para viajar a México?/Necesito su número de cliente para activarlo./667001/El roaming para México está activado, con 5 GB incluidos./¿Y cuánto cuestan las llamadas?/Las llamadas en México cuestan 0,25 euros por minuto.",
		"Necesito una copia de la factura de marzo./Por supuesto. ¿Me da su número de cliente?/718244/He enviado la factura de marzo a su correo. ¿Puedo ayudarle con algo más?",
		"Quisiera dar de baja la línea de mi hijo./Puedo ayudarle. Indíqueme su número de cliente y la línea./825530, la línea es 611223344./La línea 611223344 tiene permanencia hasta agosto. ¿Desea continuar con la baja?/Entonces espero hasta agosto./De acuerdo, no se ha hecho ningún cambio.",
	},
	"a code base, English": {
		"The login page shows a blank screen on Safari. Find out why./The bundle uses a lookbehind regex in auth\\validate.ts that Safari 15 does not support./Rewrite the regex so that it works there./I replaced the lookbehind in auth\\validate.ts with a capture group; the tests pass.",
		"Add a --json flag to the export command./I added --json to cmd\\export.go; it prints one object per line./Also document it in the README./The README now has a section on export --json.",
		"Our nightly job ran out of memory, heap dump is in heap.hprof/The dump shows 3 GB of strings held by ReportCache. Entries are never evicted./Limit it to 500 entries./ReportCache now evicts the least recently used beyond 500 entries.",
		"Why is the CI cache never hit?/The key contains the commit hash, so each build writes a new entry./Use the lock file's hash instead./The key in .github\\workflows\\ci.yml is now the hash of package-lock.json.",
		"Migrate the users table: split name into first_name and last_name/I wrote migrations\\0042_split_name.sql, which splits at the first space./What about people with one name only?/For them last_name is empty; the migration handles that now.",
		"bump grpc to the newest version and fix what breaks/grpc is at 1.71; two deprecated dial options were replaced in rpc\\client.go./run the integration tests too/The integration tests pass with grpc 1.71.",
	},
	"a shop, Japanese": {
		"注文した靴のサイズが合わないので交換したいです。/かしこまりました。注文番号を教えていただけますか？/A55213です。/ご注文A55213を確認しました。どのサイズに交換しますか？/26センチでお願いします。/26センチへの交換を手配しました。",
		"昨日届いた花瓶が割れていました。/申し訳ございません。注文番号をお願いいたします。/B77120です。/返金と再送のどちらをご希望でしょうか？/返金してください。/花瓶の代金を返金しました。他にご不明な点はございますか？",
		"配送先の住所を変更できますか？/注文番号を教えていただけますか？/C10988です。新しい住所は大阪市北区梅田1-1です。/配送先を大阪市北区梅田1-1に変更しました。",
		"クーポンが使えません。/どのクーポンコードでしょうか？/SPRING20です。/SPRING20は三月で期限が切れています。代わりに10%割引をお付けします。/ありがとうございます。/どういたしまして。良い一日をお過ごしください。",
		"領収書を会社名で発行してもらえますか？/はい、注文番号と会社名を教えてください。/D40021、株式会社山田です。/株式会社山田宛の領収書をメールでお送りしました。",
	},
}

// TestOfflineServices: in one domain some boundaries are missed, but what is
// cut is mostly right.
func TestOfflineServices(t *testing.T) {
	for name, tasks := range offlineServices {
		found, hit, want := 0, 0, 0
		for seed := range uint64(6) {
			var msgs []chat.Message
			var starts []int
			for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(tasks)) {
				if len(msgs) > 0 {
					starts = append(starts, len(msgs)+1)
				}
				msgs = append(msgs, taskOf(tasks[i])...)
			}
			for _, s := range startsOf(offlineCuts(t, msgs)) {
				found++
				if slices.Contains(starts, s) {
					hit++
				}
			}
			want += len(starts)
		}
		if 4*hit < 3*found || 3*hit < want {
			t.Errorf("%s: %d of %d found are right, of %d", name, hit, found, want)
		}
	}
}
