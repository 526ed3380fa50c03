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

/** How long to wait for a shop that still makes what is read: a small one is soon done, and a large one is not asked all the time. */
const exportPollDelay = (waits: number) =>
  Duration.min(Duration.millis(250 * 2 ** Math.min(waits, 10)), Duration.seconds(5))

/** How often a phase begins anew that the shop refuses. */
const maxRefusals = 5

const Input = Schema.Struct({
  jobId: JobId,
  storeConnectionId: StoreConnectionId,
  /** `null`: everything. */
  since: Schema.NullOr(Timestamp),
  begunAt: Timestamp
})
type Input = typeof Input.Type

const SyncPosition = Schema.Struct({
  phase: SyncPhase,
  /** Where the platform goes on in the phase. */
  checkpoint: Schema.NullOr(Schema.String),
  done: Schema.Int,
  total: Schema.NullOr(Schema.Int),
  /** How many records there were in all. */
  records: Schema.Int,
  isFull: Schema.Boolean,
  failures: Schema.Int,
  /** How often the shop has been waited for since it last told something. */
  waits: Schema.Int,
  /** The kinds of which it is kept what was seen. Places of an earlier version know nothing of it. */
  seen: Schema.optionalKey(Schema.Array(TrackedKind)),
  /** Where looking for what is missing goes on, once everything is read. */
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

/** The place after a phase; `null` after the last one, unless it has to be found what is missing. */
const nextPosition = (place: SyncPosition): SyncPosition | null => {
  const { literals } = SyncPhase
  const phase = literals[literals.indexOf(place.phase) + 1]
  const seen = place.seen ?? []
  if (phase === undefined) return seen.length === 0 ? null : { ...place, closing: startMissingSearch(seen) }
  return { ...place, phase, checkpoint: null, done: 0, total: null, failures: 0, waits: 0 }
}

const isTrackedKind = Schema.is(TrackedKind)

const countsOf = ({ records }: SyncPosition) => ({ records })

const contactLimitReason = "The plan has no room for more contacts: some customers are no contacts."

/** Whether the job is still the one that reads the store. What is read of a store that is not connected any more is not kept. */
const requireCurrentSync = Effect.fnUntraced(function* ({ jobId, storeConnectionId }: Input) {
  const connection = yield* (yield* StoreConnections).lock(storeConnectionId)
  if (connection === null) return yield* new JobFailed({ reason: "The store is not there any more." })
  if (connection.status !== "connected") return yield* new JobFailed({ reason: "The store is not connected any more." })
  if (connection.sync.jobId !== jobId) return yield* new JobFailed({ reason: "The store is read by another job." })
  return connection
})

/** Keeps the place where the job goes on, in the unit of work of what was read. */
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
  const told = next ?? place
  const progress = { done: told.done, total: told.total }
  const answered = clearTransientError(connection.lastError)
  if (next === null) {
    const isOver = answered?.code === "contacts_limit" && !told.isFull
    yield* connections.keepProgress(storeConnectionId, {
      sync: { state: "done", phase: null, progress: { done: told.records, total: told.records }, jobId },
      asOf: begunAt,
      ...(since === null && { fullAsOf: begunAt }),
      lastSyncedAt: now,
      lastError: told.isFull
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
      sync: { state: "running", phase: told.phase, progress, jobId },
      lastError: answered
    })
  }
  return {
    checkpoint: told,
    done: next === null,
    progress: { done: told.records, total: null },
    counts: countsOf(told),
    resumeAt: waits === null ? null : DateTime.addDuration(now, waits)
  } satisfies JobStep<SyncPosition>
})

/** Keeps what was seen of a kind, where something of it can be missing; which kinds that are is decided when one is begun. */
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

/** What came of asking. */
type ShopAnswer =
  | { readonly kind: "shop"; readonly shop: Shop }
  | { readonly kind: "page"; readonly page: ReadPage }
  | { readonly kind: "subscribed" }
  | { readonly kind: "closing"; readonly at: MissingSearch }
  | { readonly kind: "failed"; readonly failure: StoreFailure }

/** Asks the shop for what comes next. */
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

/** Waits and asks again, or begins the phase anew where the shop refuses what it made; gives up where neither helps. */
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

/** Finds some of what is missing, once everything is read: no shop is asked for it. */
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

/** Reads a store: what it says of itself, its products, customers, orders and carts, and has it deliver what changes. */
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
        StorefrontAppAbsent: gone,
        StoreRefused: failed,
        StoreUnreachable: failed
      }),
      Effect.map((answer) => saveShopAnswer(input, place, answer))
    )
  }
})
