import { DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { Ids, transact } from "../../kernel/index.ts"
import { DailyRecipients } from "../../messaging/chat/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { type Candidate, RecipientLedger } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { frequencyCapPlan } from "../audience/planAudience.ts"
import type { ListChanged } from "../errors.ts"
import type { SendContext } from "./SendContext.ts"
import { makeDecider, type PostponeReason } from "./decide.ts"
import {
  reserveDailyRecipients,
  type CandidateDecision,
  prepareCalls,
  type PreparedCall,
  toReadyRecipients
} from "./prepareCalls.ts"

/** Calls of a claim. */
export interface ClaimedCalls {
  readonly calls: ReadonlyArray<PreparedCall>
  /** Reason for delayed recipients, if any. */
  readonly wait: PostponeReason | null
  /** Time when the daily limit has capacity again, if it is reached. */
  readonly freeAt: DateTime.Utc | null
  /** Whether no other recipient is due now. */
  readonly isAll: boolean
}

/** Reads the contacts and those that reached a cap. With caps, only one sender at a time decides about a contact. */
const readContacts = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  { isMarketing, settings }: SendContext,
  ids: ReadonlyArray<ContactId>,
  now: DateTime.Utc
) {
  const port = yield* Contacts
  const isFree = broadcast.ignoreFrequencyCaps || settings.frequencyCaps.length === 0
  const found = yield* isFree ? port.find(ids) : port.lock(ids)
  const contacts = new Map(found.map((contact) => [contact.id, contact]))
  if (isFree) return { contacts, enough: new Set<ContactId>() }
  const caps = yield* frequencyCapPlan(isMarketing, now, broadcast.id, settings.frequencyCaps)
  const counting = caps.filter(({ automated, of }) => automated || of.length > 0)
  return { contacts, enough: yield* (yield* RecipientLedger).capped(ids, counting, now) }
})

/** Drops the decisions from the first recipient beyond the daily limit on. These recipients stay unchanged on the list. */
const takeBefore = (decided: ReadonlyArray<CandidateDecision>, from: Candidate | null) =>
  from === null
    ? decided
    : decided.slice(
        0,
        decided.findIndex(({ candidate }) => candidate === from)
      )

/** Returns the place up to which these decisions cover the list. Delayed recipients have lower places. */
const listMark = (decided: ReadonlyArray<CandidateDecision>) =>
  decided.findLast(({ candidate }) => candidate.dueAt === null)?.candidate.seq ?? 0

const claim = Effect.fnUntraced(function* (
  lane: LaneLease,
  broadcast: Broadcast,
  surroundings: SendContext,
  limit: number
) {
  const ledger = yield* RecipientLedger
  const now = yield* DateTime.now
  const { candidates, mark, revision } = yield* ledger.next(broadcast.id, { now, limit })
  const { contacts, enough } = yield* readContacts(
    broadcast,
    surroundings,
    candidates.map(({ contactId }) => contactId),
    now
  )
  const decide = makeDecider(broadcast, surroundings, now)
  const all = candidates.map((candidate): CandidateDecision => {
    const contact = contacts.get(candidate.contactId)
    return { candidate, decision: decide(candidate, contact, enough) }
  })
  const { account } = surroundings
  const ready = toReadyRecipients(all)
  const { blocked, counted } = yield* reserveDailyRecipients(account, ready, now)
  const decided = takeBefore(all, blocked?.from.candidate ?? null)
  const windowId = yield* (yield* Ids).next
  const { calls, window } = prepareCalls(
    ready.slice(0, blocked === null ? ready.length : ready.indexOf(blocked.from)),
    { id: windowId, broadcastId: broadcast.id, fence: lane.fence, claimedAt: now },
    account.id,
    (each) => (counted.has(each) ? { business: account, recipient: each.address, at: now } : null)
  )
  const waits = decided.flatMap(({ candidate: { seq }, decision }) =>
    decision.kind === "postpone" ? [{ seq, dueAt: decision.until, wait: decision.wait }] : []
  )
  const hasBegun = yield* ledger.begin({
    revision,
    mark: blocked === null ? mark : listMark(decided),
    window,
    excluded: decided.flatMap(({ candidate: { seq }, decision }) =>
      decision.kind === "exclude" ? [{ seq, reason: decision.reason }] : []
    ),
    postponed: waits.map(({ dueAt, seq }) => ({ seq, dueAt }))
  })
  if (!hasBegun) {
    yield* (yield* DailyRecipients).takeBack(
      account,
      Array.from(counted, ({ address }) => address),
      now
    )
    return null
  }
  const left = decided.filter(({ decision }) => decision.kind === "exclude").length
  if (left > 0) yield* (yield* RecipientReservations).giveBack(broadcast.id, left)
  yield* (yield* LaneQueue).hold(lane)
  return {
    calls,
    wait: waits[0]?.wait ?? null,
    freeAt: blocked?.freeAt ?? null,
    isAll: blocked === null && candidates.length < limit
  } satisfies ClaimedCalls
}, transact)

const isNotListChanged = <E extends { readonly _tag: string }>(
  error: E | ListChanged
): error is Exclude<E, ListChanged> => error._tag !== "ListChanged"

/**
 * Claims the next recipients of a broadcast: reads and decides them, and stores the claim before any call. Only the lane owner calls it. Returns
 * `null` if the broadcast is not sending. Reads again after a concurrent merge of contacts.
 */
export const claimWindow = (...args: Parameters<typeof claim>) =>
  Effect.retry(claim(...args), { until: isNotListChanged })
