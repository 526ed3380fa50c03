import { DateTime, Effect } from "effect"
import { type ChatAccount, dailyLimitOf, DailyReach, type Recipient } from "../../messaging/chat/index.ts"
import { Contacts, type PhoneNumber, sameIdentity } from "../../crm/index.ts"
import { Conversations, isWindowOpen, windowOf } from "../../messaging/inbox/index.ts"
import { transact } from "../../kernel/index.ts"

/**
 * Counts those who were written to for what the provider lets the business of the account reach in 24 hours. Whoever may be answered freely does not
 * count. People may use the whole of it: that it is used up is for the provider to say.
 */
export const countTests = Effect.fnUntraced(function* (account: ChatAccount, to: ReadonlyArray<PhoneNumber>) {
  if (dailyLimitOf(account) === null || to.length === 0) return
  const now = yield* DateTime.now
  const recipients = to.map((value): Recipient => ({ kind: "phone", value }))
  const contacts = yield* (yield* Contacts).findByIdentity(recipients)
  const windows = yield* (yield* Conversations).windows(
    account.id,
    contacts.map(({ id }) => id)
  )
  const outside = recipients.filter((recipient) => {
    const contact = contacts.find(({ identities }) => identities.some((mine) => sameIdentity(mine, recipient)))
    return !windows.some((each) => each.contactId === contact?.id && isWindowOpen(windowOf(each, recipient), now))
  })
  yield* (yield* DailyReach).reach(account, outside, { now, most: null })
}, transact)
