/** Words in one language by which somebody wants no more marketing, or wants it again. */
interface BuiltIn {
  readonly language: string
  readonly optOut: ReadonlyArray<string>
  readonly optIn: ReadonlyArray<string>
}

/**
 * What counts in every organization. No word is among them that customers write for another reason: to cancel is mostly about an
 * order, and yes is the answer to any question.
 */
export const builtInWords: ReadonlyArray<BuiltIn> = [
  {
    language: "en",
    optOut: ["stop", "stop all", "stop promotions", "unsubscribe", "opt out"],
    optIn: ["start", "unstop", "subscribe", "opt in"]
  },
  { language: "de", optOut: ["stopp", "abmelden", "abbestellen"], optIn: ["anmelden", "abonnieren"] },
  { language: "fr", optOut: ["arrêt", "désabonner", "désinscrire"], optIn: ["réabonner", "s'abonner"] },
  { language: "es", optOut: ["baja", "darme de baja", "darse de baja"], optIn: ["alta", "suscribirme", "suscribirse"] },
  { language: "pt", optOut: ["parar", "sair", "descadastrar"], optIn: ["inscrever", "cadastrar"] },
  { language: "it", optOut: ["disiscrivimi", "cancella iscrizione"], optIn: ["iscrivimi"] },
  { language: "nl", optOut: ["afmelden", "uitschrijven"], optIn: ["aanmelden", "inschrijven"] },
  { language: "pl", optOut: ["wypisz", "wypisz mnie", "rezygnuję"], optIn: ["zapisz mnie", "subskrybuj"] },
  { language: "tr", optOut: ["abonelikten çık", "listeden çık"], optIn: ["abone ol"] },
  { language: "sv", optOut: ["stoppa", "avregistrera", "avprenumerera"], optIn: ["prenumerera"] },
  { language: "da", optOut: ["afmeld", "frameld"], optIn: ["tilmeld"] },
  { language: "cs", optOut: ["odhlásit", "odhlásit odběr"], optIn: ["přihlásit odběr"] },
  { language: "ro", optOut: ["dezabonare", "dezabonează-mă"], optIn: ["abonare", "abonează-mă"] },
  { language: "ru", optOut: ["стоп", "отписаться", "отписка"], optIn: ["старт", "подписаться", "подписка"] },
  { language: "uk", optOut: ["відписатися", "відписка"], optIn: ["підписатися", "підписка"] },
  { language: "ar", optOut: ["إلغاء الاشتراك", "أوقف الرسائل"], optIn: ["اشتراك", "اشترك"] },
  { language: "he", optOut: ["הסר", "הסירו אותי", "הסרה"], optIn: ["הצטרפות"] },
  { language: "hi", optOut: ["संदेश बंद करें", "सदस्यता समाप्त करें"], optIn: ["सदस्यता लें"] },
  { language: "id", optOut: ["berhenti", "berhenti langganan"], optIn: ["langganan", "berlangganan"] },
  { language: "zh", optOut: ["退订", "退訂", "取消订阅", "取消訂閱"], optIn: ["订阅", "訂閱"] }
]
