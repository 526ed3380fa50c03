import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import {
  bulkLimitOf,
  type BusinessRef,
  type ChatAccount,
  type ChatAccountId,
  DailyRecipients,
  type OutgoingMessage,
  dailyWindow,
  type Recipient
} from "../../messaging/chat/index.ts"
import { Conversations, isWindowOpen, findWindowExpiry } from "../../messaging/inbox/index.ts"
import { recipientIdAt, recipientPrefix } from "../Ids.ts"
import type { BroadcastWindow, Candidate } from "../RecipientLedger.ts"
import type { RecipientDecision } from "./decide.ts"

/** Somebody who is about to be written to. */
interface AddressedContact {
  readonly contactId: ContactId
  readonly address: Recipient
}

/** That somebody counts as written to, for which business and from when on. */
export interface DailyRecipientEntry {
  readonly business: BusinessRef
  readonly recipient: Recipient
  readonly at: DateTime.Utc
}

/** Of whom only the first ones may be written to: from whom on nobody, who of those before counts for it, and when the next one may be. */
export interface DailyRecipientReservation<A extends AddressedContact> {
  readonly blocked: { readonly from: A; readonly freeAt: DateTime.Utc } | null
  readonly counted: ReadonlySet<A>
}

/**
 * Counts those who are written to over the account for what its provider lets its business reach in 24 hours, as long as they fit. Whoever
 * may be answered freely does not count.
 */
export const reserveDailyRecipients = Effect.fnUntraced(function* <A extends AddressedContact>(
  account: ChatAccount,
  ready: ReadonlyArray<A>,
  now: DateTime.Utc
) {
  const most = bulkLimitOf(account)
  if (most === null || ready.length === 0)
    return { blocked: null, counted: new Set() } satisfies DailyRecipientReservation<A>
  const windows = yield* (yield* Conversations).windows(
    account.id,
    ready.map(({ contactId }) => contactId)
  )
  const outside = ready.filter(
    ({ address, contactId }) =>
      !windows.some((each) => each.contactId === contactId && isWindowOpen(findWindowExpiry(each, address), now))
  )
  const { freeAt, granted } = yield* (yield* DailyRecipients).reach(
    account,
    outside.map(({ address }) => address),
    { now, most }
  )
  const from = outside[granted]
  const blocked = from === undefined ? null : { from, freeAt: freeAt ?? DateTime.addDuration(now, dailyWindow) }
  return { blocked, counted: new Set(outside.slice(0, granted)) } satisfies DailyRecipientReservation<A>
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
  readonly outgoing: OutgoingMessage
  /** As whom it counts for the daily limit; `null` where it does not. */
  readonly counted: DailyRecipientEntry | null
}

/** A candidate, and what is to become of it. */
export interface CandidateDecision {
  readonly candidate: Candidate
  readonly decision: RecipientDecision
}

/** Those that are sent to. */
export const toReadyRecipients = (decided: ReadonlyArray<CandidateDecision>) =>
  decided.flatMap(({ candidate, decision }) => {
    const { address, contactId } = candidate
    return decision.kind === "send" && address !== null ? [{ candidate, contactId, address, decision }] : []
  })

/** Somebody who is sent to. */
export type ReadyRecipient = ReturnType<typeof toReadyRecipients>[number]

/** What the provider is given for those who are sent to, and the window that is kept of it. `asWhom` says as whom they count for the daily limit. */
export const prepareCalls = (
  ready: ReadonlyArray<ReadyRecipient>,
  { broadcastId, claimedAt, fence, id: windowId }: Omit<BroadcastWindow, "calls">,
  chatAccountId: ChatAccountId,
  asWhom: (ready: ReadyRecipient) => DailyRecipientEntry | null
) => {
  const prefix = recipientPrefix(broadcastId)
  const calls = ready.map((each): PreparedCall => {
    const { address, candidate, contactId, decision } = each
    const { attempts, seq } = candidate
    const outgoing: OutgoingMessage = {
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
