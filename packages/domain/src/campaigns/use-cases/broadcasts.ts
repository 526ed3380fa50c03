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
import { AudienceEmpty, BroadcastStatusInvalid } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { BroadcastAttribution } from "../report/BroadcastAttribution.ts"
import { BroadcastReports } from "../report/BroadcastReport.ts"
import { readBroadcastCost } from "../report/broadcastCosts.ts"
import { buildBroadcastReport } from "../report/buildBroadcastReport.ts"
import { requireAudiencePermissions, requireReadyBroadcast, requireSendPermission } from "../startRequirements.ts"

/** Creates a draft. A draft can omit fields that sending requires; given fields must be valid. */
export const createBroadcast = useCase(
  {
    name: "broadcasts.create",
    access: { permission: "broadcasts.manage" },
    actsThrough: "broadcast",
    audit: "broadcast.created",
    emits: ["broadcast.created"]
  },
  Effect.fnUntraced(function* (input: NewBroadcast) {
    const id = yield* nextId(BroadcastId)
    const broadcast = toDraft(id, input, yield* DateTime.now, yield* CurrentActor)
    yield* requireSendPermission(null, broadcast)
    yield* requireAudiencePermissions(broadcast)
    yield* checkDefinition(broadcast, input)
    yield* addDraft(broadcast)
    return broadcast
  }, transact)
)

export const getBroadcast = useCase(
  { name: "broadcasts.get", access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: BroadcastId }) {
    return yield* (yield* Broadcasts).get(id)
  })
)

const allBroadcasts: BroadcastQuery = { status: null, chatAccountId: null, q: null, createdFrom: null, createdTo: null }

/** Fails if the filtered account does not exist, because a typo would return an empty list. */
const requireAccount = Effect.fnUntraced(function* ({ chatAccountId }: BroadcastQuery) {
  if (chatAccountId === null) return
  const accounts = yield* ChatAccounts
  const [account] = yield* accounts.find([chatAccountId])
  // Broadcasts of a removed account remain in the list.
  const isKnown = account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
  if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
})

/** Reads broadcasts, newest first. */
export const listBroadcasts = useCase(
  { name: "broadcasts.list", access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* ({ page, ...request }: { readonly page: PageRequest } & Partial<BroadcastQuery>) {
    const query = { ...allBroadcasts, ...request }
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

/** Updates the definition of a broadcast before its start. */
export const updateBroadcast = useCase(
  {
    name: "broadcasts.update",
    access: { permission: "broadcasts.manage" },
    actsThrough: "broadcast",
    audit: "broadcast.updated",
    emits: ["broadcast.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: BroadcastId; readonly ifVersion: number | null } & BroadcastPatch) {
    const broadcasts = yield* Broadcasts
    const before = yield* broadcasts.lock(id)
    yield* requireVersion(before, ifVersion)
    const { status } = before
    if (status !== "draft" && status !== "scheduled") {
      return yield* new BroadcastStatusInvalid({ status, allowed: editable })
    }
    const changed = new Broadcast({ ...before, ...patch })
    yield* requireSendPermission(before, changed)
    // A new name does not affect the required permissions.
    if (Object.keys(patch).some((field) => field !== "name")) yield* requireAudiencePermissions(changed)
    yield* checkDefinition(changed, patch)
    if (status === "scheduled") yield* requireReadyBroadcast(changed, { startsNow: false })
    // The definition must still match its snapshot.
    if (changed.audienceSnapshotId !== null) yield* requireSnapshot(changed, changed.audienceSnapshotId)
    if (Equal.equals(broadcastAuditFields(before), broadcastAuditFields(changed))) return before
    const after = yield* broadcasts.save(new Broadcast({ ...changed, updatedAt: yield* DateTime.now }), ifVersion)
    yield* recordAudit(
      "broadcast.updated",
      { kind: "broadcast", id },
      { before: broadcastAuditFields(before), after: broadcastAuditFields(after) }
    )
    yield* appendEvent({ type: "broadcast.updated", broadcastId: id })
    return after
  }, transact)
)

/** Deletes a draft. Sent broadcasts cannot be deleted. */
export const deleteBroadcast = useCase(
  {
    name: "broadcasts.delete",
    access: { permission: "broadcasts.manage" },
    actsThrough: "nothing",
    audit: "broadcast.deleted",
    emits: ["broadcast.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: BroadcastId; readonly ifVersion: number | null }) {
    const broadcasts = yield* Broadcasts
    const before = yield* broadcasts.lock(id)
    const { status } = before
    if (status !== "draft") return yield* new BroadcastStatusInvalid({ status, allowed: ["draft"] })
    yield* broadcasts.remove(id, ifVersion)
    yield* recordAudit("broadcast.deleted", { kind: "broadcast", id }, { before: broadcastAuditFields(before) })
    yield* appendEvent({ type: "broadcast.deleted", broadcastId: id })
  }, transact)
)

/** Creates a draft with the definition of this broadcast, in any status. */
export const duplicateBroadcast = useCase(
  {
    name: "broadcasts.duplicate",
    access: { permission: "broadcasts.manage" },
    actsThrough: "broadcast",
    audit: "broadcast.created",
    emits: ["broadcast.created"]
  },
  Effect.fnUntraced(function* ({ id, ...naming }: { readonly id: BroadcastId } & CopyName) {
    const draft = yield* duplicateOf(yield* (yield* Broadcasts).get(id), "duplicate", naming)
    yield* requireAudiencePermissions(draft)
    yield* addDraft(draft)
    return draft
  }, transact)
)

const ended = ["completed", "cancelled", "failed"] as const

const validateRetry = ({
  allowDuplicate = false,
  codes,
  statuses
}: NewBroadcastRetry): ReadonlyArray<ValidationIssue> => [
  ...(statuses.includes("in_doubt") && !allowDuplicate
    ? [
        {
          pointer: "/allowDuplicate",
          message: "Expected true, because recipients in doubt can get the message twice"
        }
      ]
    : []),
  ...(codes !== undefined && !statuses.includes("failed")
    ? [{ pointer: "/codes", message: "Expected codes with the status failed only" }]
    : [])
]

const isRetried =
  ({ codes, statuses }: BroadcastRetry) =>
  ({ code, status }: RecipientTally) =>
    statuses.some((each) => each === status) &&
    (status !== "failed" || codes === null || (code !== null && codes.includes(code)))

/**
 * Creates a retry of an ended broadcast for recipients who failed, were never sent to, or are in doubt. Each one keeps its variant, and all rules
 * apply again.
 */
export const retryBroadcast = useCase(
  {
    name: "broadcasts.retry",
    access: { permission: "broadcasts.manage" },
    actsThrough: "broadcast",
    audit: "broadcast.created",
    emits: ["broadcast.created"]
  },
  Effect.fnUntraced(function* ({ id, ...request }: { readonly id: BroadcastId } & NewBroadcastRetry) {
    const original = yield* (yield* Broadcasts).get(id)
    const errors = validateRetry(request)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const { status } = original
    if (!hasEnded(status)) return yield* new BroadcastStatusInvalid({ status, allowed: ended })
    yield* requireRecipients(original)
    const { codes = null, name, statuses } = request
    const retry: BroadcastRetry = { broadcastId: id, statuses, codes }
    yield* requireAudiencePermissions({ ...original, retry })
    const tallies = yield* (yield* RecipientList).tally(id)
    if (!tallies.some(isRetried(retry))) return yield* new AudienceEmpty({ matched: 0 })
    const copy = yield* duplicateOf(original, "retry", { ...(name !== undefined && { name }) })
    // Held-out contacts are not among the retried recipients, and stay held out with the same key.
    const draft = new Broadcast({ ...copy, splitKey: original.splitKey, holdOut: 0, retry })
    yield* addDraft(draft)
    return draft
  }, transact)
)

/** Reads the report of a broadcast: the current one, or the stored one after the deletion of its recipients. */
export const readBroadcastReport = useCase(
  { name: "broadcasts.report", access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: BroadcastId }) {
    const broadcast = yield* (yield* Broadcasts).get(id)
    const stored = yield* (yield* BroadcastReports).find(id)
    if (stored === null) return yield* buildBroadcastReport(broadcast)
    // Refunds change the attributed amounts after the recipients are deleted, and later rate cards change the costs.
    const { total } = yield* (yield* BroadcastAttribution).read(id)
    return { ...stored, ...total, costs: yield* readBroadcastCost(id) }
  })
)
