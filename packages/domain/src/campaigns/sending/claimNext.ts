import { DateTime, Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import { Ids } from "../../kernel/index.ts"
import { bulkLimitOf } from "../../messaging/chat/index.ts"
import { type LaneLease, LeaseLost } from "../../platform/background/index.ts"
import { type FoundCandidates, RecipientLedger } from "../RecipientLedger.ts"
import type { BroadcastSend } from "./BroadcastSend.ts"
import type { SendContext } from "./SendContext.ts"
import type { ClaimedCalls } from "./claimWindow.ts"
import { makeDecider } from "./decide.ts"
import { prepareCalls, toReadyRecipients } from "./prepareCalls.ts"
import { type CallResult, findContactsInConversation } from "./saveCallResults.ts"

/** Recipients to claim now at most, and to look ahead. */
interface Size {
  readonly limit: number
  readonly ahead: number
}

/** Whether a claim needs no counts over several broadcasts or numbers. */
const canClaimDirectly = ({ broadcast }: BroadcastSend, { account, settings }: SendContext) =>
  (broadcast.ignoreFrequencyCaps || settings.frequencyCaps.length === 0) && bulkLimitOf(account) === null

/** Returns the first candidates of the search. */
const limitCandidates = (found: FoundCandidates, limit: number): FoundCandidates => {
  if (found.candidates.length <= limit) return found
  const candidates = found.candidates.slice(0, limit)
  return { ...found, candidates, mark: candidates.findLast(({ dueAt }) => dueAt === null)?.seq ?? 0 }
}

/** Whether a result affects only its recipient. */
export const hasNoSideEffects = ({ counted, outcome }: CallResult): boolean =>
  counted === null && outcome.kind !== "failed"

/** Removes stored results. */
const removeSavedResults = (hand: BroadcastSend, results: ReadonlyArray<CallResult>) => {
  if (results.length === 0) return
  const stored = new Set(results)
  hand.results = hand.results.filter((result) => !stored.has(result))
  hand.inHand -= results.length
  hand.isUntold = true
}

/**
 * Claims the next recipients of a broadcast with one statement, which also stores earlier results. Only the lane owner calls it. Returns `null`
 * without a claim if a recipient is excluded or delayed, a count is necessary, or the data read has changed.
 */
export const claimNext = Effect.fnUntraced(function* (
  lane: LaneLease,
  hand: BroadcastSend,
  surroundings: SendContext,
  { ahead, limit }: Size
) {
  const { broadcast } = hand
  if (!canClaimDirectly(hand, surroundings)) return null
  const ledger = yield* RecipientLedger
  const now = yield* DateTime.now
  const search = { now, limit: ahead }
  const all = hand.ahead ?? (yield* ledger.next(broadcast.id, search))
  hand.ahead = null
  const { candidates, mark, revision } = limitCandidates(all, limit)
  const [found, talking] = yield* Effect.all(
    [(yield* Contacts).find(candidates.map(({ contactId }) => contactId)), findContactsInConversation(hand.results)],
    { concurrency: 2 }
  )
  const contacts = new Map(found.map((contact) => [contact.id, contact]))
  const nobody = new Set<never>()
  const decide = makeDecider(broadcast, surroundings, now)
  const ready = toReadyRecipients(
    candidates.map((candidate) => {
      const contact = contacts.get(candidate.contactId)
      return { candidate, decision: decide(candidate, contact, nobody) }
    })
  )
  if (ready.length === 0 || ready.length < candidates.length) return null
  const id = yield* (yield* Ids).next
  const { calls, window } = prepareCalls(
    ready,
    { id, broadcastId: broadcast.id, fence: lane.fence, claimedAt: now },
    surroundings.account.id,
    () => null
  )
  const results = hand.results.filter((result) => hasNoSideEffects(result) && !talking.has(result.contactId))
  const known = Array.from(contacts.values(), ({ id, version }) => ({ id, version }))
  const advanced = yield* ledger.advance({ lane, mark, revision, window, contacts: known, results, ahead: search })
  removeSavedResults(hand, results)
  if (advanced.outcome === "lease_lost") return yield* new LeaseLost()
  if (advanced.outcome !== "begun") return null
  hand.ahead = advanced.ahead
  const isAll = candidates.length === all.candidates.length && candidates.length < ahead
  return {
    calls,
    wait: null,
    freeAt: null,
    isAll: isAll && advanced.ahead.candidates.length === 0
  } satisfies ClaimedCalls
})
