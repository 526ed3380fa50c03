import { DateTime, Effect } from "effect"
import type { ChatAccountId, Outgoing } from "../../chat/index.ts"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { Ids, transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../work/index.ts"
import { planCaps } from "../audience/planAudience.ts"
import type { Broadcast } from "../Broadcast.ts"
import { recipientIdAt, recipientPrefix } from "../recipientId.ts"
import { type BroadcastWindow, RecipientLedger } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { decide, type Wait } from "./decide.ts"
import type { Surroundings } from "./Surroundings.ts"

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
}

/** What was taken in hand. */
export interface Claimed {
  readonly calls: ReadonlyArray<PreparedCall>
  /** Why recipients were put off, if any was. */
  readonly wait: Wait | null
  /** Whether nobody else's turn has come yet. */
  readonly isAll: boolean
}

/** Reads the contacts, and who of them has had enough. Where there are caps, of all who send to a contact one decides at a time. */
const readContacts = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  { isMarketing, settings }: Surroundings,
  ids: ReadonlyArray<ContactId>,
  now: DateTime.Utc
) {
  const port = yield* Contacts
  const isFree = broadcast.ignoreFrequencyCaps || settings.frequencyCaps.length === 0
  const found = yield* isFree ? port.find(ids) : port.lock(ids)
  const contacts = new Map(found.map((contact) => [contact.id, contact]))
  if (isFree) return { contacts, enough: new Set<ContactId>() }
  const caps = yield* planCaps(isMarketing, now, broadcast.id, settings.frequencyCaps)
  const counting = caps.filter(({ of }) => of.length > 0)
  return { contacts, enough: yield* (yield* RecipientLedger).capped(ids, counting, now) }
})

/**
 * Takes the next recipients of a broadcast in hand, as the owner of its account: reads them, decides of each, and stores that before
 * anybody is called. `null` when the broadcast is not sending any more.
 */
export const claimWindow = Effect.fnUntraced(function* (
  lane: LaneLease,
  broadcast: Broadcast,
  surroundings: Surroundings,
  limit: number
) {
  const ledger = yield* RecipientLedger
  const now = yield* DateTime.now
  const { candidates, mark } = yield* ledger.next(broadcast.id, { now, limit })
  const { contacts, enough } = yield* readContacts(
    broadcast,
    surroundings,
    candidates.map(({ contactId }) => contactId),
    now
  )
  const decided = candidates.map((candidate) => ({
    candidate,
    decision: decide(candidate, contacts.get(candidate.contactId), enough, broadcast, surroundings, now)
  }))
  const windowId = yield* (yield* Ids).next
  const prefix = recipientPrefix(broadcast.id)
  const { account } = surroundings
  const sent = decided.flatMap(({ candidate, decision }) => {
    const { address, attempts, contactId, seq } = candidate
    if (decision.kind !== "send" || address === null) return []
    const outgoing: Outgoing = {
      to: address,
      content: { kind: "template", template: decision.filling },
      replyTo: null,
      reference: recipientIdAt(prefix, seq)
    }
    const call: PreparedCall = {
      seq,
      contactId,
      chatAccountId: account.id,
      windowId,
      claimedAt: now,
      attempts,
      outgoing
    }
    return [{ call, kept: { seq, contactId, values: decision.values } }]
  })
  const window: BroadcastWindow = {
    id: windowId,
    broadcastId: broadcast.id,
    fence: lane.fence,
    claimedAt: now,
    calls: sent.map(({ kept }) => kept)
  }
  const waits = decided.flatMap(({ candidate: { seq }, decision }) =>
    decision.kind === "postpone" ? [{ seq, dueAt: decision.until, wait: decision.wait }] : []
  )
  const hasBegun = yield* ledger.begin({
    mark,
    window,
    excluded: decided.flatMap(({ candidate: { seq }, decision }) =>
      decision.kind === "exclude" ? [{ seq, reason: decision.reason }] : []
    ),
    postponed: waits.map(({ dueAt, seq }) => ({ seq, dueAt }))
  })
  if (!hasBegun) return null
  const left = decided.filter(({ decision }) => decision.kind === "exclude").length
  if (left > 0) yield* (yield* RecipientReservations).giveBack(broadcast.id, left)
  yield* (yield* LaneQueue).hold(lane)
  return {
    calls: sent.map(({ call }) => call),
    wait: waits[0]?.wait ?? null,
    isAll: candidates.length < limit
  } satisfies Claimed
}, transact)
