import { DateTime, Effect } from "effect"
import {
  bulkLimitOf,
  type Business,
  type ChatAccount,
  DailyReach,
  reachLasts,
  type Recipient
} from "../../messaging/chat/index.ts"
import type { ContactId } from "../../crm/index.ts"
import { Conversations, isWindowOpen, windowOf } from "../../messaging/inbox/index.ts"

/** Somebody who is about to be written to. */
interface Addressed {
  readonly contactId: ContactId
  readonly address: Recipient
}

/** That somebody counts as written to, for which business and from when on. */
export interface Counted {
  readonly business: Business
  readonly recipient: Recipient
  readonly at: DateTime.Utc
}

/** Of whom only the first ones may be written to: from whom on nobody, who of those before counts for it, and when the next one may be. */
export interface ReachCount<A extends Addressed> {
  readonly blocked: { readonly from: A; readonly freeAt: DateTime.Utc } | null
  readonly counted: ReadonlySet<A>
}

/**
 * Counts those who are written to over the account for what its provider lets its business reach in 24 hours, as long as they fit. Whoever
 * may be answered freely does not count.
 */
export const countReach = Effect.fnUntraced(function* <A extends Addressed>(
  account: ChatAccount,
  ready: ReadonlyArray<A>,
  now: DateTime.Utc
) {
  const most = bulkLimitOf(account)
  if (most === null || ready.length === 0) return { blocked: null, counted: new Set() } satisfies ReachCount<A>
  const windows = yield* (yield* Conversations).windows(
    account.id,
    ready.map(({ contactId }) => contactId)
  )
  const outside = ready.filter(
    ({ address, contactId }) =>
      !windows.some((each) => each.contactId === contactId && isWindowOpen(windowOf(each, address), now))
  )
  const { freeAt, granted } = yield* (yield* DailyReach).reach(
    account,
    outside.map(({ address }) => address),
    { now, most }
  )
  const from = outside[granted]
  const blocked = from === undefined ? null : { from, freeAt: freeAt ?? DateTime.addDuration(now, reachLasts) }
  return { blocked, counted: new Set(outside.slice(0, granted)) } satisfies ReachCount<A>
})
