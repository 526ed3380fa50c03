import { DateTime, Effect, Equal } from "effect"
import { ChatAccount, type ChatAccountId, ChatAccounts, type Remedy, wantTemplates } from "../chat/index.ts"
import { type ContactId, Contacts, keepMet } from "../crm/index.ts"
import { Outbox, transact } from "../kernel/index.ts"
import { Meeting } from "./receiving/Meeting.ts"

/** What the provider has said, and when. */
interface Refusal {
  readonly remedy: Remedy
  readonly code: number
  readonly reason: string
  readonly at: DateTime.Utc
}

/** What a refusal says about the whole account, where it says anything. */
const statuses: Partial<Readonly<Record<Remedy, ChatAccount["status"]>>> = {
  stop_account: "degraded",
  reauthorize: "disconnected"
}

/** Whether a refusal is about the account, and not only about one message. */
export const isAboutAccount = ({ remedy }: Pick<Refusal, "remedy">): boolean => remedy in statuses

/** Marks an account as the refusal says, unless it was looked at since. */
export const markAccount = Effect.fnUntraced(
  function* (id: ChatAccountId, { at, code, reason, remedy }: Refusal) {
    const accounts = yield* ChatAccounts
    const before = yield* accounts.get(id)
    const { lastCheckedAt, status: from } = before
    const isStale = lastCheckedAt !== null && DateTime.isGreaterThan(lastCheckedAt, at)
    const to = statuses[remedy] ?? from
    const lastError = { code, reason }
    if (isStale || (from === to && Equal.equals(before.lastError, lastError))) return
    const marked = new ChatAccount({ ...before, status: to, lastError, updatedAt: yield* DateTime.now })
    yield* accounts.save(marked, null, before.version)
    if (from !== to) {
      yield* (yield* Outbox).append({ type: "chat_account.status_changed", chatAccountId: id, from, to })
    }
  },
  transact,
  // It was removed, or changed by somebody who knows more.
  (effect) => Effect.ignore(effect)
)

const optOut = Effect.fnUntraced(function* (id: ContactId, { at, reason }: Refusal) {
  const meeting = new Meeting(yield* (yield* Contacts).lock([id]), new Map(), yield* DateTime.now, () => "")
  meeting.tell(id, { state: "unsubscribed", source: "chat_refusal", evidence: reason, at })
  yield* keepMet(meeting.met)
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
