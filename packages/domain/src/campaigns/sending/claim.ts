import { DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { Ids, transact } from "../../kernel/index.ts"
import { bulkLimitOf, businessOf, DailyRecipients } from "../../messaging/chat/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { type Candidate, type FoundCandidates, RecipientLedger } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { frequencyCapPlan } from "../audience/planAudience.ts"
import type { SendContext } from "./SendContext.ts"
import { makeDecider, type PostponeReason } from "./decide.ts"
import {
  type CallResult,
  type CandidateDecision,
  hasNoSideEffects,
  prepareCalls,
  type PreparedCall,
  reserveDailyRecipients,
  toReadyRecipients
} from "./prepareCalls.ts"
import { findContactsInConversation } from "./store.ts"

/** Claimed recipients. */
interface ClaimedCalls {
  readonly kind: "claimed"
  readonly calls: ReadonlyArray<PreparedCall>
  /** Results that the claim has stored. */
  readonly stored: ReadonlyArray<CallResult>
  /** Candidates after the claimed ones; `null` if unknown. */
  readonly lookahead: FoundCandidates | null
  /** Reason for delayed recipients, if any. */
  readonly postponeReason: PostponeReason | null
  /** Time when the daily limit has capacity again, if it is reached. */
  readonly freeAt: DateTime.Utc | null
  /** Whether no other recipient is due now. */
  readonly isAll: boolean
}

/** Result of a claim. After `unfit`, the recipients need a claim in a unit of work. */
export type ClaimResult =
  | ClaimedCalls
  | { readonly kind: "unfit" | "not_sending" | "lease_lost"; readonly stored: ReadonlyArray<CallResult> }

const unclaimed = (
  kind: "unfit" | "not_sending" | "lease_lost",
  stored: ReadonlyArray<CallResult> = []
): ClaimResult => ({
  kind,
  stored
})

/** A broadcast and its send context. */
interface Sendable {
  readonly broadcast: Broadcast
  readonly context: SendContext
}

const hasCaps = ({ broadcast, context }: Sendable) =>
  !broadcast.ignoreFrequencyCaps && context.settings.frequencyCaps.length > 0

/** Whether a claim needs no counts over several broadcasts or numbers. */
export const canClaimDirectly = (sendable: Sendable): boolean =>
  !hasCaps(sendable) && bulkLimitOf(sendable.context.account) === null

/** Returns the first candidates of the search. */
const limitCandidates = (found: FoundCandidates, limit: number): FoundCandidates => {
  if (found.candidates.length <= limit) return found
  const candidates = found.candidates.slice(0, limit)
  return { ...found, candidates, mark: candidates.findLast(({ dueAt }) => dueAt === null)?.seq ?? 0 }
}

/** A claim of up to `limit` recipients, and a search for up to `ahead` after them. */
interface DirectClaim extends Sendable {
  readonly limit: number
  readonly ahead: number
  readonly lookahead: FoundCandidates | null
  readonly results: ReadonlyArray<CallResult>
}

/**
 * Claims the next recipients of a broadcast with one statement, which also stores results. Only the lane owner calls it. The claim is unfit if a
 * recipient is excluded or delayed, or the data read has changed.
 */
export const claimNext = Effect.fnUntraced(function* (
  lane: LaneLease,
  { ahead, broadcast, context, limit, lookahead, results }: DirectClaim
) {
  const ledger = yield* RecipientLedger
  const now = yield* DateTime.now
  const search = { now, limit: ahead }
  const all = lookahead ?? (yield* ledger.next(broadcast.id, search))
  const { candidates, mark, revision } = limitCandidates(all, limit)
  const [found, talking] = yield* Effect.all(
    [(yield* Contacts).find(candidates.map(({ contactId }) => contactId)), findContactsInConversation(results)],
    { concurrency: 2 }
  )
  const contacts = new Map(found.map((contact) => [contact.id, contact]))
  const decide = makeDecider(broadcast, context, now)
  const ready = toReadyRecipients(
    candidates.map((candidate) => {
      const contact = contacts.get(candidate.contactId)
      return { candidate, decision: decide(candidate, contact, new Set()) }
    })
  )
  if (ready.length === 0 || ready.length < candidates.length) return unclaimed("unfit")
  const { calls, window } = prepareCalls(
    ready,
    { id: yield* (yield* Ids).next, broadcastId: broadcast.id, fence: lane.fence, claimedAt: now },
    context.account.id,
    () => null
  )
  const stored = results.filter((result) => hasNoSideEffects(result) && !talking.has(result.contactId))
  const known = found.map(({ id, version }) => ({ id, version }))
  const advanced = yield* ledger.advance({
    lane,
    mark,
    revision,
    window,
    contacts: known,
    results: stored,
    ahead: search
  })
  if (advanced.outcome !== "begun") {
    return unclaimed(advanced.outcome === "list_changed" ? "unfit" : advanced.outcome, stored)
  }
  const isAll = candidates.length === all.candidates.length && candidates.length < ahead
  return {
    kind: "claimed",
    calls,
    stored,
    lookahead: advanced.ahead,
    postponeReason: null,
    freeAt: null,
    isAll: isAll && advanced.ahead.candidates.length === 0
  } satisfies ClaimResult
})

/** Reads the contacts, and the contacts at a cap. With caps, only one sender at a time decides about a contact. */
const readContacts = Effect.fnUntraced(function* (
  sendable: Sendable,
  ids: ReadonlyArray<ContactId>,
  now: DateTime.Utc
) {
  const port = yield* Contacts
  const { broadcast, context } = sendable
  const found = yield* hasCaps(sendable) ? port.lock(ids) : port.find(ids)
  const contacts = new Map(found.map((contact) => [contact.id, contact]))
  if (!hasCaps(sendable)) return { contacts, cappedContactIds: new Set<ContactId>() }
  const caps = yield* frequencyCapPlan(context.isMarketing, now, broadcast.id, context.settings.frequencyCaps)
  const counting = caps.filter(({ automated, of }) => automated || of.length > 0)
  return { contacts, cappedContactIds: yield* (yield* RecipientLedger).capped(ids, counting, now) }
})

/** Drops the decisions from the first recipient beyond the daily limit on. These recipients stay unchanged on the list. */
const takeBefore = (decided: ReadonlyArray<CandidateDecision>, from: Candidate | null) =>
  from === null
    ? decided
    : decided.slice(
        0,
        decided.findIndex(({ candidate }) => candidate === from)
      )

/** Returns the last place of the list that these decisions cover. Delayed recipients have lower places. */
const listMark = (decided: ReadonlyArray<CandidateDecision>) =>
  decided.findLast(({ candidate }) => candidate.dueAt === null)?.candidate.seq ?? 0

const claim = Effect.fnUntraced(function* (lane: LaneLease, sendable: Sendable, limit: number) {
  const { broadcast, context } = sendable
  const ledger = yield* RecipientLedger
  const now = yield* DateTime.now
  const { candidates, mark, revision } = yield* ledger.next(broadcast.id, { now, limit })
  const ids = candidates.map(({ contactId }) => contactId)
  const { contacts, cappedContactIds } = yield* readContacts(sendable, ids, now)
  const decide = makeDecider(broadcast, context, now)
  const all = candidates.map((candidate): CandidateDecision => {
    const contact = contacts.get(candidate.contactId)
    return { candidate, decision: decide(candidate, contact, cappedContactIds) }
  })
  const { account } = context
  const ready = toReadyRecipients(all)
  const { blocked, counted } = yield* reserveDailyRecipients(account, ready, now)
  const decided = takeBefore(all, blocked?.from.candidate ?? null)
  const { calls, window } = prepareCalls(
    ready.slice(0, blocked === null ? ready.length : ready.indexOf(blocked.from)),
    { id: yield* (yield* Ids).next, broadcastId: broadcast.id, fence: lane.fence, claimedAt: now },
    account.id,
    (each) => (counted.has(each) ? { business: businessOf(account), recipient: each.address, at: now } : null)
  )
  const postponed = decided.flatMap(({ candidate: { seq }, decision }) =>
    decision.kind === "postpone" ? [{ seq, dueAt: decision.until, wait: decision.wait }] : []
  )
  const excluded = decided.flatMap(({ candidate: { seq }, decision }) =>
    decision.kind === "exclude" ? [{ seq, reason: decision.reason }] : []
  )
  const hasBegun = yield* ledger.begin({
    revision,
    mark: blocked === null ? mark : listMark(decided),
    window,
    excluded,
    postponed: postponed.map(({ dueAt, seq }) => ({ seq, dueAt }))
  })
  if (!hasBegun) {
    const recipients = Array.from(counted, ({ address }) => address)
    yield* (yield* DailyRecipients).takeBack(businessOf(account), recipients, now)
    return unclaimed("not_sending")
  }
  if (excluded.length > 0) yield* (yield* RecipientReservations).giveBack(broadcast.id, excluded.length)
  yield* (yield* LaneQueue).hold(lane)
  return {
    kind: "claimed",
    calls,
    stored: [],
    lookahead: null,
    postponeReason: postponed[0]?.wait ?? null,
    freeAt: blocked?.freeAt ?? null,
    isAll: blocked === null && candidates.length < limit
  } satisfies ClaimResult
}, transact)

/**
 * Claims the next recipients of a broadcast in a unit of work: reads and decides them, and stores the claim before any call. Only the lane owner
 * calls it. Reads again after a concurrent merge of contacts.
 */
export const claimWindow = (...args: Parameters<typeof claim>) =>
  claim(...args).pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "ListChanged" }),
    Effect.catchTag("ListChanged", Effect.die)
  )
