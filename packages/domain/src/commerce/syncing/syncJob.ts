import { DateTime, Duration, Effect, Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"
import { defineExternalJob, JobFailed, JobId, type JobStep } from "../../platform/jobs/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import type { Shop } from "../Shop.ts"
import { SkippedRecords } from "../SkippedRecords.ts"
import { type StoreConnection, SyncPhase } from "../StoreConnection.ts"
import { scheduleStoreLane, StoreConnections } from "../StoreConnections.ts"
import { type StoreFailure, StoreSettings, storeWebhookPath } from "../StorePlatform.ts"
import { applyShopChange } from "../connectionChanges.ts"
import { appendEvent } from "../events.ts"
import { type OpenShop, withShop } from "../shopAccess.ts"
import {
  canHaveMissingRecords,
  closeMissingBatch,
  MissingSearch,
  startMissingSearch,
  recordSeen,
  TrackedKind
} from "./SyncSeenRecords.ts"
import { clearTransientError, isTransient, saveStoreFailure, retryAt } from "./failureBackoff.ts"
import { type ReadPage, readPage } from "./pages.ts"

/**
 * Delay between polls of an export that the shop still prepares. It starts short for small shops and doubles up to 30 s for large ones, because the
 * shop reports the end of an export. The report can be lost.
 */
const exportPollDelay = (waits: number) =>
  Duration.min(Duration.millis(250 * 2 ** Math.min(waits, 10)), Duration.seconds(30))

/** Maximum number of restarts of a phase after refusals of the shop. */
const maxRefusals = 5

const Input = Schema.Struct({
  jobId: JobId,
  storeConnectionId: StoreConnectionId,
  /** `null`: all records. */
  since: Schema.NullOr(Timestamp),
  begunAt: Timestamp
})
type Input = typeof Input.Type

const SyncPosition = Schema.Struct({
  phase: SyncPhase,
  /** Position of the platform in the phase. */
  checkpoint: Schema.NullOr(Schema.String),
  done: Schema.Int,
  total: Schema.NullOr(Schema.Int),
  /** Total number of records over all phases. */
  records: Schema.Int,
  isFull: Schema.Boolean,
  failures: Schema.Int,
  /** Number of consecutive polls without records. */
  waits: Schema.Int,
  /** Kinds whose seen records are stored. Absent in positions of an earlier version. */
  seen: Schema.optionalKey(Schema.Array(TrackedKind)),
  /** Position of the search for missing records, after everything is read. */
  closing: Schema.optionalKey(MissingSearch)
})
type SyncPosition = typeof SyncPosition.Type

const startPosition: SyncPosition = {
  phase: "shop",
  checkpoint: null,
  done: 0,
  total: null,
  records: 0,
  isFull: false,
  failures: 0,
  waits: 0
}

/** Returns the position after a phase; `null` after the last one. A search for missing records can follow the last phase. */
const nextPosition = (place: SyncPosition): SyncPosition | null => {
  const { literals } = SyncPhase
  const phase = literals[literals.indexOf(place.phase) + 1]
  const seen = place.seen ?? []
  if (phase === undefined) return seen.length === 0 ? null : { ...place, closing: startMissingSearch(seen) }
  return { ...place, phase, checkpoint: null, done: 0, total: null, failures: 0, waits: 0 }
}

const isTrackedKind = Schema.is(TrackedKind)

const countsOf = ({ records }: SyncPosition) => ({ records })

const contactLimitReason = "The contact limit of the plan is reached: some customers did not become contacts."

/** Fails unless the job is the current sync of a connected store. Records of a disconnected store are not stored. */
const requireCurrentSync = Effect.fnUntraced(function* ({ jobId, storeConnectionId }: Input) {
  const connection = yield* (yield* StoreConnections).lock(storeConnectionId)
  if (connection === null) return yield* new JobFailed({ reason: "The store no longer exists." })
  if (connection.status !== "connected") return yield* new JobFailed({ reason: "The store is no longer connected." })
  if (connection.sync.jobId !== jobId) return yield* new JobFailed({ reason: "Another job syncs the store." })
  return connection
})

/** Stores the next position of the job in the unit of work of the records. */
const continueSync = Effect.fnUntraced(function* (
  input: Input,
  place: SyncPosition,
  next: SyncPosition | null,
  waits: Duration.Duration | null = null
) {
  const { begunAt, jobId, since, storeConnectionId } = input
  const connections = yield* StoreConnections
  const connection = yield* requireCurrentSync(input)
  const now = yield* DateTime.now
  const reached = next ?? place
  const progress = { done: reached.done, total: reached.total }
  const answered = clearTransientError(connection.lastError)
  if (next === null) {
    const isOver = answered?.code === "contacts_limit" && !reached.isFull
    yield* connections.keepProgress(storeConnectionId, {
      sync: { state: "done", phase: null, progress: { done: reached.records, total: reached.records }, jobId },
      asOf: begunAt,
      ...(since === null && { fullAsOf: begunAt }),
      lastSyncedAt: now,
      lastError: reached.isFull
        ? { code: "contacts_limit", reason: contactLimitReason, at: now }
        : isOver
          ? null
          : answered
    })
    // Requests the skipped records that this sync did not see by their ids, because they can be deleted.
    if (since === null) yield* (yield* SkippedRecords).expire(storeConnectionId, begunAt)
    yield* appendEvent({ type: "store_connection.synced", storeConnectionId, jobId })
    yield* scheduleStoreLane(storeConnectionId, now)
  } else {
    yield* connections.keepProgress(storeConnectionId, {
      sync: { state: "running", phase: reached.phase, progress, jobId },
      lastError: answered
    })
  }
  return {
    checkpoint: reached,
    done: next === null,
    progress: { done: reached.records, total: null },
    counts: countsOf(reached),
    resumeAt: waits === null ? null : DateTime.addDuration(now, waits)
  } satisfies JobStep<SyncPosition>
})

/** Stores the seen records of a kind if records of it can be missing. The first page of each kind decides that. */
const saveSeen = Effect.fnUntraced(function* (
  input: Input,
  { checkpoint, phase, seen = [] }: SyncPosition,
  connection: StoreConnection,
  { externalIds }: ReadPage
) {
  if (input.since !== null || !isTrackedKind(phase)) return seen
  const isSeen = checkpoint === null ? yield* canHaveMissingRecords(phase, input, connection) : seen.includes(phase)
  if (isSeen) yield* recordSeen(input, phase, externalIds)
  const others = seen.filter((kind) => kind !== phase)
  return isSeen ? [...others, phase] : others
})

const savePage = Effect.fnUntraced(function* (input: Input, place: SyncPosition, page: ReadPage) {
  const connection = yield* requireCurrentSync(input)
  const seen = yield* saveSeen(input, place, connection, page)
  const { isFull } = yield* page.receive
  const count = page.externalIds.length
  const isMaking = count === 0 && page.checkpoint !== null
  const read: SyncPosition = {
    ...place,
    checkpoint: page.checkpoint,
    done: place.done + count,
    total: page.total,
    records: place.records + count,
    isFull: place.isFull || isFull,
    failures: 0,
    waits: isMaking ? place.waits + 1 : 0,
    seen
  }
  const wait = isMaking ? exportPollDelay(place.waits) : null
  return yield* continueSync(input, read, page.checkpoint === null ? nextPosition(read) : read, wait)
})

/** Outcome of a call to the shop. */
type ShopAnswer =
  | { readonly kind: "shop"; readonly shop: Shop }
  | { readonly kind: "page"; readonly page: ReadPage }
  | { readonly kind: "subscribed" }
  | { readonly kind: "closing"; readonly at: MissingSearch }
  | { readonly kind: "failed"; readonly failure: StoreFailure }

/** Calls the shop for the current phase. */
const askShop = Effect.fnUntraced(function* ({ since }: Input, { checkpoint, phase }: SyncPosition, open: OpenShop) {
  const { access, connection, platform } = open
  switch (phase) {
    case "shop":
      return { kind: "shop", shop: yield* platform.shop(access) } satisfies ShopAnswer
    case "webhooks": {
      const { publicUrl } = yield* StoreSettings
      yield* platform.subscribe(access, `${publicUrl}${storeWebhookPath(connection.provider)}`)
      return { kind: "subscribed" } satisfies ShopAnswer
    }
    default:
      return { kind: "page", page: yield* readPage(open, phase, since, checkpoint) } satisfies ShopAnswer
  }
})

/** Waits and retries, or restarts the phase if the shop refuses its export. Fails if neither helps. */
const handleFailure = Effect.fnUntraced(function* (place: SyncPosition, failure: StoreFailure) {
  const failures = place.failures + 1
  const isRefused = failure._tag === "StoreRefused" && failure.remedy === "give_up"
  if (!isTransient(failure) && (!isRefused || failures > maxRefusals)) {
    return yield* new JobFailed({ reason: failure.message })
  }
  const anew = isRefused ? { checkpoint: null, done: 0, total: null } : {}
  return {
    checkpoint: { ...place, ...anew, failures },
    done: false,
    progress: { done: place.records, total: null },
    counts: countsOf(place),
    resumeAt: yield* retryAt(failure, failures)
  } satisfies JobStep<SyncPosition>
})

/** Runs a step of the search for missing records, after everything is read. It does not call the shop. */
const saveMissingSearch = Effect.fnUntraced(function* (input: Input, place: SyncPosition, at: MissingSearch) {
  yield* requireCurrentSync(input)
  const closing = yield* closeMissingBatch(input, place.seen ?? [], at)
  return yield* continueSync(input, place, closing === null ? null : { ...place, closing })
})

const saveShopAnswer = Effect.fnUntraced(function* (input: Input, place: SyncPosition, answer: ShopAnswer) {
  switch (answer.kind) {
    case "shop":
      yield* applyShopChange(input.storeConnectionId, answer.shop)
      return yield* continueSync(input, place, nextPosition(place))
    case "page":
      return yield* savePage(input, place, answer.page)
    case "subscribed":
      return yield* continueSync(input, place, nextPosition(place))
    case "closing":
      return yield* saveMissingSearch(input, place, answer.at)
    case "failed":
      return yield* handleFailure(place, answer.failure)
  }
})

/** Syncs a store: its shop data, products, customers, orders, carts and webhook subscription. */
export const syncJob = defineExternalJob({
  name: "stores.sync",
  needs: null,
  input: Input,
  checkpoint: SyncPosition,
  ask: (input, kept) => {
    const place = kept ?? startPosition
    if (place.closing !== undefined) {
      return Effect.succeed(saveShopAnswer(input, place, { kind: "closing", at: place.closing }))
    }
    const gone = (error: { readonly message: string }) => new JobFailed({ reason: error.message })
    const failed = (failure: StoreFailure) =>
      Effect.as(saveStoreFailure(input.storeConnectionId, failure), { kind: "failed", failure } as const)
    return withShop(input.storeConnectionId, (shop) => askShop(input, place, shop)).pipe(
      Effect.catchTags({
        NotFound: gone,
        StoreNotConnected: gone,
        StoreAppNotConfigured: gone,
        StoreRefused: failed,
        StoreUnreachable: failed
      }),
      Effect.map((answer) => saveShopAnswer(input, place, answer))
    )
  }
})
