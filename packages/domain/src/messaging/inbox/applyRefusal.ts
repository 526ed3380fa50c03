import { DateTime, Effect } from "effect"
import { type ChatAccountId, isAboutAccount, markAccount, type Refusal, wantTemplates } from "../chat/index.ts"
import { type ContactId, Contacts, storeReceivedContacts } from "../../crm/index.ts"
import { transact } from "../../kernel/index.ts"
import { ContactResolver } from "./receiving/ContactResolver.ts"

const optOut = Effect.fnUntraced(function* (id: ContactId, { at, reason }: Refusal) {
  const resolver = new ContactResolver(yield* (yield* Contacts).lock([id]), new Map(), yield* DateTime.now, () => "")
  resolver.recordConsent(id, { state: "unsubscribed", source: "chat_refusal", evidence: reason, at })
  yield* storeReceivedContacts(resolver.changes)
}, transact)

/** Applies a refusal beyond the message: to the account, to its templates, or to the contact's consent. */
export const applyRefusal = Effect.fnUntraced(function* (
  refusal: Refusal,
  chatAccountId: ChatAccountId,
  contactId: ContactId | null
) {
  if (isAboutAccount(refusal)) yield* markAccount(chatAccountId, refusal)
  if (refusal.remedy === "refresh_template") yield* transact(wantTemplates([chatAccountId]))
  if (refusal.remedy === "opt_out" && contactId !== null) yield* Effect.orDie(optOut(contactId, refusal))
})
