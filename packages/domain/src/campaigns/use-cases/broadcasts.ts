import { DateTime, Effect, Equal } from "effect"
import {
  CurrentActor,
  type ValidationIssue,
  nextId,
  NotFound,
  paged,
  type PageRequest,
  requireVersion,
  transact,
  useCase,
  ValidationFailed
} from "../../kernel/index.ts"
import { ChatAccounts } from "../../messaging/chat/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { Broadcast, type BroadcastPatch, toDraft, type NewBroadcast, type NewBroadcastRetry } from "../Broadcast.ts"
import { type BroadcastQuery, Broadcasts } from "../Broadcasts.ts"
import { BroadcastId } from "../Ids.ts"
import { RecipientList, type RecipientTally, requireRecipients } from "../RecipientList.ts"
import type { BroadcastRetry } from "../RecipientStatus.ts"
import { requireSnapshot } from "../audience/audienceSnapshots.ts"
import { addDraft, duplicateOf, type CopyName } from "../broadcastDrafts.ts"
import { broadcastAuditFields } from "../broadcastChanges.ts"
import { hasEnded } from "../broadcastTransitions.ts"
import { checkDefinition } from "../definitionChecks.ts"
import { AudienceEmpty, BroadcastNotEditable } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { BroadcastAttribution } from "../report/BroadcastAttribution.ts"
import { BroadcastReports } from "../report/BroadcastReport.ts"
import { buildBroadcastReport } from "../report/buildBroadcastReport.ts"
import { requireAudiencePermissions, requireReadyBroadcast, requireSendPermission } from "../startRequirements.ts"

/** Drafts a broadcast. A draft may leave out what sending needs; what is given must be right. */
export const createBroadcast = useCase(
  "broadcasts.create",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (said: NewBroadcast) {
    const id = yield* nextId(BroadcastId)
    const broadcast = toDraft(id, said, yield* DateTime.now, yield* CurrentActor)
    yield* requireSendPermission(null, broadcast)
    yield* requireAudiencePermissions(broadcast)
    yield* checkDefinition(broadcast, said)
    yield* addDraft(broadcast)
    return broadcast
  }, transact)
)

/** Reads one broadcast. */
export const getBroadcast = useCase(
  "broadcasts.get",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (id: BroadcastId) {
    return yield* (yield* Broadcasts).get(id)
  })
)

/** Refuses to look for what is not there, so that a slip is no empty list. */
const requireAccount = Effect.fnUntraced(function* ({ chatAccountId }: BroadcastQuery) {
  if (chatAccountId === null) return
  const accounts = yield* ChatAccounts
  const [account] = yield* accounts.find([chatAccountId])
  // What was sent over a number that was removed is still there to be found.
  const isKnown = account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
  if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
})

/** Reads broadcasts, newest first. */
export const listBroadcasts = useCase(
  "broadcasts.list",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (query: BroadcastQuery, page: PageRequest) {
    yield* requireAccount(query)
    const broadcasts = yield* Broadcasts
    return yield* paged(
      "broadcasts",
      page,
      (slice) => broadcasts.list(query, slice),
      ({ id }) => [id]
    )
  })
)

const editable = ["draft", "scheduled"] as const

/** Changes what a broadcast says, before it starts. */
export const updateBroadcast = useCase(
  "broadcasts.update",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (id: BroadcastId, patch: BroadcastPatch, expectedVersion: number | null) {
    const broadcasts = yield* Broadcasts
    const before = yield* broadcasts.lock(id)
    yield* requireVersion(before, expectedVersion)
    const { status } = before
    if (status !== "draft" && status !== "scheduled") {
      return yield* new BroadcastNotEditable({ status, allowed: editable })
    }
    const changed = new Broadcast({ ...before, ...patch })
    yield* requireSendPermission(before, changed)
    // A change of name does not affect the required permissions.
    if (Object.keys(patch).some((field) => field !== "name")) yield* requireAudiencePermissions(changed)
    yield* checkDefinition(changed, patch)
    if (status === "scheduled") yield* requireReadyBroadcast(changed, { startsNow: false })
    // What it says has to stay what its list of recipients was made from.
    if (changed.audienceSnapshotId !== null) yield* requireSnapshot(changed, changed.audienceSnapshotId)
    if (Equal.equals(broadcastAuditFields(before), broadcastAuditFields(changed))) return before
    const after = yield* broadcasts.save(new Broadcast({ ...changed, updatedAt: yield* DateTime.now }), expectedVersion)
    yield* recordAudit(
      "broadcast.updated",
      { kind: "broadcast", id },
      { before: broadcastAuditFields(before), after: broadcastAuditFields(after) }
    )
    yield* appendEvent({ type: "broadcast.updated", broadcastId: id })
    return after
  }, transact)
)

/** Deletes a draft. What was sent stays to be read. */
export const deleteBroadcast = useCase(
  "broadcasts.delete",
  { access: { permission: "broadcasts.manage" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: BroadcastId, expectedVersion: number | null) {
    const broadcasts = yield* Broadcasts
    const before = yield* broadcasts.lock(id)
    const { status } = before
    if (status !== "draft") return yield* new BroadcastNotEditable({ status, allowed: ["draft"] })
    yield* broadcasts.remove(id, expectedVersion)
    yield* recordAudit("broadcast.deleted", { kind: "broadcast", id }, { before: broadcastAuditFields(before) })
    yield* appendEvent({ type: "broadcast.deleted", broadcastId: id })
  }, transact)
)

/** Drafts a broadcast that says what this one says, whatever became of it. */
export const duplicateBroadcast = useCase(
  "broadcasts.duplicate",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (id: BroadcastId, naming: CopyName) {
    const draft = yield* duplicateOf(yield* (yield* Broadcasts).get(id), "duplicate", naming)
    yield* requireAudiencePermissions(draft)
    yield* addDraft(draft)
    return draft
  }, transact)
)

const ended = ["completed", "cancelled", "failed"] as const

const validateRetry = ({
  acceptDouble = false,
  codes,
  statuses
}: NewBroadcastRetry): ReadonlyArray<ValidationIssue> => [
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
    const errors = validateRetry(request)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const { status } = original
    if (!hasEnded(status)) return yield* new BroadcastNotEditable({ status, allowed: ended })
    yield* requireRecipients(original)
    const { codes = null, name, statuses } = request
    const retry: BroadcastRetry = { broadcastId: id, statuses, codes }
    yield* requireAudiencePermissions({ ...original, retry })
    const tallies = yield* (yield* RecipientList).tally(id)
    if (!tallies.some(isRetried(retry))) return yield* new AudienceEmpty({ matched: 0 })
    const copy = yield* duplicateOf(original, "retry", { ...(name !== undefined && { name }) })
    // Who was held out is on the list of nobody who is tried again, and stays so with the same key.
    const draft = new Broadcast({ ...copy, splitKey: original.splitKey, holdOut: 0, retry })
    yield* addDraft(draft)
    return draft
  }, transact)
)

/** Reads what has come of a broadcast, as it is now; once its recipients are gone, as it was then. */
export const readBroadcastReport = useCase(
  "broadcasts.report",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (id: BroadcastId) {
    const broadcast = yield* (yield* Broadcasts).get(id)
    const stored = yield* (yield* BroadcastReports).find(id)
    if (stored === null) return yield* buildBroadcastReport(broadcast)
    // Refunds change the attributed amounts after the recipients are deleted.
    return { ...stored, ...(yield* (yield* BroadcastAttribution).read(id)).total }
  })
)
