import { Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Confirmation, InboundAnswer } from "../../messaging/inbox/index.ts"
import { StoredBroadcastSettings } from "../StoredBroadcastSettings.ts"

/** What is said in a language: as it is spoken there, else as it is spoken anywhere. */
const textIn = (texts: Readonly<Record<string, string>>, locale: string | null): string | null => {
  if (locale === null) return null
  const [language] = locale.split("-")
  return texts[locale] ?? (language === undefined ? undefined : texts[language]) ?? null
}

/** Confirms to those who have opted out by these messages that they get no more, in their language, else in the organization's. */
export const answerOptOuts = Effect.fnUntraced(function* (answers: ReadonlyArray<InboundAnswer>) {
  const none: ReadonlyArray<Confirmation> = []
  const optOuts = answers.filter(({ optsOut }) => optsOut)
  if (optOuts.length === 0) return none
  const { optOutReply } = yield* (yield* StoredBroadcastSettings).get()
  if (optOutReply === null) return none
  const { locale } = yield* (yield* Organizations).current()
  const found = yield* (yield* Contacts).find(optOuts.map(({ contactId }) => contactId))
  const contacts = new Map(found.map((contact) => [contact.id, contact]))
  return optOuts.flatMap(({ contactId, message: { conversationId } }): ReadonlyArray<Confirmation> => {
    const text = textIn(optOutReply, contacts.get(contactId)?.locale ?? null) ?? textIn(optOutReply, locale)
    return text === null ? [] : [{ conversationId, text }]
  })
})
