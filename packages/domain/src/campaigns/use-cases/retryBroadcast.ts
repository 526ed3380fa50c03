import { Effect } from "effect"
import { type Fault, transact, useCase, ValidationFailed } from "../../kernel/index.ts"
import { addDraft } from "../addDraft.ts"
import { Broadcast, type NewBroadcastRetry } from "../Broadcast.ts"
import type { BroadcastRetry } from "../BroadcastRetry.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import { copyOf } from "../copyOf.ts"
import { AudienceEmpty, BroadcastNotEditable } from "../Errors.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientList, type RecipientTally } from "../RecipientList.ts"
import { requireRecipients } from "../recipients/requireRecipients.ts"
import { hasEnded } from "../transitions.ts"

const ended = ["completed", "cancelled", "failed"] as const

const faultsOf = ({ acceptDouble = false, codes, statuses }: NewBroadcastRetry): ReadonlyArray<Fault> => [
  ...(statuses.includes("in_doubt") && !acceptDouble
    ? [
        {
          pointer: "/acceptDouble",
          message: "Expected true: whoever is in doubt may have got the message, and would get it a second time"
        }
      ]
    : []),
  ...(codes !== undefined && !statuses.includes("failed")
    ? [{ pointer: "/codes", message: "Expected codes with the status failed only: no other has an error" }]
    : [])
]

const isRetried =
  ({ codes, statuses }: BroadcastRetry) =>
  ({ code, status }: RecipientTally) =>
    statuses.some((each) => each === status) &&
    (status !== "failed" || codes === null || (code !== null && codes.includes(code)))

/**
 * Drafts a broadcast that tries one again that has ended: for just those of its recipients who failed, were never sent to, or are in
 * doubt. Each keeps its variant, and all rules hold again.
 */
export const retryBroadcast = useCase(
  "broadcasts.retry",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (id: BroadcastId, request: NewBroadcastRetry) {
    const original = yield* (yield* Broadcasts).get(id)
    const errors = faultsOf(request)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const { status } = original
    if (!hasEnded(status)) return yield* new BroadcastNotEditable({ status, allowed: ended })
    yield* requireRecipients(original)
    const { codes = null, name, statuses } = request
    const retry: BroadcastRetry = { broadcastId: id, statuses, codes }
    yield* requireAudienceReach({ ...original, retry })
    const tallies = yield* (yield* RecipientList).tally(id)
    if (!tallies.some(isRetried(retry))) return yield* new AudienceEmpty({ matched: 0 })
    const copy = yield* copyOf(original, "retry", { ...(name !== undefined && { name }) })
    // Who was held out is on the list of nobody who is tried again, and stays so with the same key.
    const draft = new Broadcast({ ...copy, splitKey: original.splitKey, holdOut: 0, retry })
    yield* addDraft(draft)
    return draft
  }, transact)
)
