import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import {
  bulkLimitOf,
  businessOf,
  type BusinessRef,
  type ChatAccount,
  type ChatAccountId,
  DailyRecipients,
  type OutgoingMessage,
  dailyWindow,
  type Recipient
} from "../../messaging/chat/index.ts"
import { Conversations, isWindowOpen, findWindowExpiry } from "../../messaging/inbox/index.ts"
import { type BroadcastId, recipientIdAt, recipientPrefix } from "../Ids.ts"
import type { BroadcastWindow, Candidate, RecipientResult } from "../RecipientLedger.ts"
import type { RecipientDecision } from "./decide.ts"

/** A contact with the address of its message. */
interface AddressedContact {
  readonly contactId: ContactId
  readonly address: Recipient
}

/** A contact that counts for the daily limit, with the business and the start of its 24 hours. */
export interface DailyRecipientEntry {
  readonly business: BusinessRef
  readonly recipient: Recipient
  readonly at: DateTime.Utc
}

/** Result of a reservation: the first contact beyond the limit, the counted contacts before it, and the time of the next free place. */
export interface DailyRecipientReservation<A extends AddressedContact> {
  readonly blocked: { readonly from: A; readonly freeAt: DateTime.Utc } | null
  readonly counted: ReadonlySet<A>
}

/** Counts contacts for the daily limit of the account's business while capacity remains. Contacts with an open service window do not count. */
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
    businessOf(account),
    outside.map(({ address }) => address),
    { now, most }
  )
  const from = outside[granted]
  const blocked = from === undefined ? null : { from, freeAt: freeAt ?? DateTime.addDuration(now, dailyWindow) }
  return { blocked, counted: new Set(outside.slice(0, granted)) } satisfies DailyRecipientReservation<A>
})

/** A claimed recipient, ready for the provider. */
export interface PreparedCall {
  readonly broadcastId: BroadcastId
  readonly seq: number
  readonly contactId: ContactId
  readonly chatAccountId: ChatAccountId
  readonly windowId: string
  readonly claimedAt: DateTime.Utc
  /** Number of earlier attempts that count. */
  readonly attempts: number
  readonly outgoing: OutgoingMessage
  /** Entry for the daily limit; `null` if it does not count. */
  readonly counted: DailyRecipientEntry | null
}

/** Result of a call, its contact and its entry for the daily limit. */
export interface CallResult extends RecipientResult {
  readonly chatAccountId: ChatAccountId
  readonly contactId: ContactId
  readonly counted: DailyRecipientEntry | null
}

export const callResult = (
  { chatAccountId, contactId, counted, seq, windowId }: PreparedCall,
  at: DateTime.Utc,
  outcome: RecipientResult["outcome"]
): CallResult => ({ windowId, seq, at, outcome, counted, contactId, chatAccountId })

/** Whether a result affects only its recipient. */
export const hasNoSideEffects = ({ counted, outcome }: CallResult): boolean =>
  counted === null && outcome.kind !== "failed"

/** Whether a contact was counted for the daily limit and then not sent to. */
export const freesCapacity = ({ counted, outcome }: CallResult): boolean =>
  counted !== null && outcome.kind !== "sent" && outcome.kind !== "in_doubt"

/** A candidate and its decision. */
export interface CandidateDecision {
  readonly candidate: Candidate
  readonly decision: RecipientDecision
}

/** Returns the recipients to send to. */
export const toReadyRecipients = (decided: ReadonlyArray<CandidateDecision>) =>
  decided.flatMap(({ candidate, decision }) => {
    const { address, contactId } = candidate
    return decision.kind === "send" && address !== null ? [{ candidate, contactId, address, decision }] : []
  })

/** A recipient to send to. */
export type ReadyRecipient = ReturnType<typeof toReadyRecipients>[number]

/** Prepares the calls of the recipients to send to, and their window. `asWhom` returns their entries for the daily limit. */
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
    return {
      broadcastId,
      seq,
      contactId,
      chatAccountId,
      windowId,
      claimedAt,
      attempts,
      outgoing,
      counted: asWhom(each)
    }
  })
  const kept = ready.map(({ candidate: { seq }, contactId, decision }) => ({ seq, contactId, values: decision.values }))
  const window: BroadcastWindow = { id: windowId, broadcastId, fence, claimedAt, calls: kept }
  return { calls, window }
}
