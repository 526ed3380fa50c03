import { DateTime, Effect } from "effect"
import { type ChatAccountId, isAboutAccount, markAccount, type Refusal, wantTemplates } from "../chat/index.ts"
import { type ContactId, Contacts, storeReceivedContacts } from "../crm/index.ts"
import { transact } from "../kernel/index.ts"
import { Meeting } from "./receiving/Meeting.ts"

const optOut = Effect.fnUntraced(function* (id: ContactId, { at, reason }: Refusal) {
  const meeting = new Meeting(yield* (yield* Contacts).lock([id]), new Map(), yield* DateTime.now, () => "")
  meeting.tell(id, { state: "unsubscribed", source: "chat_refusal", evidence: reason, at })
  yield* storeReceivedContacts(meeting.met)
}, transact)

/** Does what a refusal asks for beyond the message: with the account, with its templates, or with the contact's consent. */
export const heed = Effect.fnUntraced(function* (
  refusal: Refusal,
  chatAccountId: ChatAccountId,
  contactId: ContactId | null
) {
  if (isAboutAccount(refusal)) yield* markAccount(chatAccountId, refusal)
  if (refusal.remedy === "refresh_template") yield* transact(wantTemplates([chatAccountId]))
  if (refusal.remedy === "opt_out" && contactId !== null) yield* Effect.orDie(optOut(contactId, refusal))
})
