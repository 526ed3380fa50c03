import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import {
  bulkLimitOf,
  type Business,
  type ChatAccount,
  type ChatAccountId,
  DailyReach,
  type Outgoing,
  reachLasts,
  type Recipient
} from "../../messaging/chat/index.ts"
import { Conversations, isWindowOpen, windowOf } from "../../messaging/inbox/index.ts"
import { recipientIdAt, recipientPrefix } from "../Ids.ts"
import type { BroadcastWindow, Candidate } from "../RecipientLedger.ts"
import type { Decision } from "./decide.ts"

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

/** A recipient in hand, ready to be given to the provider. */
export interface PreparedCall {
  readonly seq: number
  readonly contactId: ContactId
  readonly chatAccountId: ChatAccountId
  readonly windowId: string
  readonly claimedAt: DateTime.Utc
  /** How often it was called before, as far as that counts. */
  readonly attempts: number
  readonly outgoing: Outgoing
  /** As whom it counts for the daily limit; `null` where it does not. */
  readonly counted: Counted | null
}

/** A candidate, and what is to become of it. */
export interface Decided {
  readonly candidate: Candidate
  readonly decision: Decision
}

/** Those that are sent to. */
export const readyOf = (decided: ReadonlyArray<Decided>) =>
  decided.flatMap(({ candidate, decision }) => {
    const { address, contactId } = candidate
    return decision.kind === "send" && address !== null ? [{ candidate, contactId, address, decision }] : []
  })

/** Somebody who is sent to. */
export type Ready = ReturnType<typeof readyOf>[number]

/** What the provider is given for those who are sent to, and the window that is kept of it. `asWhom` says as whom they count for the daily limit. */
export const prepareCalls = (
  ready: ReadonlyArray<Ready>,
  { broadcastId, claimedAt, fence, id: windowId }: Omit<BroadcastWindow, "calls">,
  chatAccountId: ChatAccountId,
  asWhom: (ready: Ready) => Counted | null
) => {
  const prefix = recipientPrefix(broadcastId)
  const calls = ready.map((each): PreparedCall => {
    const { address, candidate, contactId, decision } = each
    const { attempts, seq } = candidate
    const outgoing: Outgoing = {
      to: address,
      content: { kind: "template", template: decision.filling },
      replyTo: null,
      reference: recipientIdAt(prefix, seq)
    }
    return { seq, contactId, chatAccountId, windowId, claimedAt, attempts, outgoing, counted: asWhom(each) }
  })
  const kept = ready.map(({ candidate: { seq }, contactId, decision }) => ({ seq, contactId, values: decision.values }))
  const window: BroadcastWindow = { id: windowId, broadcastId, fence, claimedAt, calls: kept }
  return { calls, window }
}
