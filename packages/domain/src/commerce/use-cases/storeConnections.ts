import { DateTime, Effect } from "effect"
import { Locks, nextId, paged, type PageRequest, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { JobId, startJob } from "../../platform/jobs/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { SkippedRecords } from "../SkippedRecords.ts"
import { StoreConnection, type StoreConnectionPatch, type StoreConnectionStatus } from "../StoreConnection.ts"
import { saveConnection, StoreConnections } from "../StoreConnections.ts"
import { appendEvent } from "../events.ts"
import { removeStoreJob } from "../privacy/storeRemoval.ts"
import { makeContactsJob } from "../receiving/receiveCustomers.ts"
import { withShop } from "../shopAccess.ts"
import { loadConnectionView, loadConnectionViews } from "../loadViews.ts"
import { startSync } from "../syncing/storeLaneWorker.ts"

export const getStoreConnection = useCase(
  { name: "storeConnections.get", access: { permission: "store_connections.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: StoreConnectionId }) {
    return yield* loadConnectionView(yield* (yield* StoreConnections).get(id))
  })
)

/** Lists the stores, newest first; a null status matches any. */
export const listStoreConnections = useCase(
  { name: "storeConnections.list", access: { permission: "store_connections.read" } },
  Effect.fnUntraced(function* ({
    status = null,
    page
  }: {
    readonly status?: StoreConnectionStatus | null
    readonly page: PageRequest
  }) {
    const connections = yield* StoreConnections
    const { data, nextCursor } = yield* paged(
      "store_connections",
      page,
      (slice) => connections.list(status, slice),
      ({ id }) => [id]
    )
    return { data: yield* loadConnectionViews(data), nextCursor }
  })
)

const settingsOf = ({ cartAbandonedAfterMinutes, makeContacts, takeConsent }: StoreConnection) => ({
  makeContacts,
  takeConsent,
  cartAbandonedAfterMinutes
})

/** Changes the settings of a store. */
export const updateStoreConnection = useCase(
  {
    name: "storeConnections.update",
    access: { permission: "store_connections.manage" },
    audit: "store_connection.updated",
    emits: ["store_connection.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: StoreConnectionId; readonly ifVersion: number | null } & StoreConnectionPatch) {
    yield* (yield* Locks).exclusive("store_connections")
    const connections = yield* StoreConnections
    const before = yield* connections.get(id)
    yield* requireVersion(before, ifVersion)
    const now = yield* DateTime.now
    const changed = new StoreConnection({ ...before, ...patch, updatedAt: now })
    const [from, to] = [settingsOf(before), settingsOf(changed)]
    if (
      from.makeContacts === to.makeContacts &&
      from.takeConsent === to.takeConsent &&
      from.cartAbandonedAfterMinutes === to.cartAbandonedAfterMinutes
    ) {
      return yield* loadConnectionView(before)
    }
    const saved = yield* connections.save(changed, null)
    yield* recordAudit("store_connection.updated", { kind: "store_connection", id }, { before: from, after: to })
    yield* appendEvent({ type: "store_connection.updated", storeConnectionId: id })
    const makes = from.makeContacts !== to.makeContacts && to.makeContacts !== "never"
    const takes = !from.takeConsent && to.takeConsent
    if ((makes || takes) && saved.status === "connected") {
      const jobId = yield* nextId(JobId)
      yield* startJob(makeContactsJob, { jobId, storeConnectionId: id }, { id: jobId })
    }
    return yield* loadConnectionView(saved)
  }, transact)
)

/** Uninstalls the app from the shop, if the access is still valid. Only an unreachable shop keeps the app. */
const uninstall = (id: StoreConnectionId) =>
  withShop(id, ({ access, platform }) => platform.uninstall(access)).pipe(
    Effect.catchTags({
      StoreNotConnected: () => Effect.void,
      StoreAppNotConfigured: () => Effect.void,
      StoreRefused: (error) => Effect.logWarning(`The app was not removed from the shop of ${id}`, error)
    })
  )

const disconnect = Effect.fnUntraced(function* (id: StoreConnectionId, expectedVersion: number | null) {
  yield* (yield* Locks).exclusive("store_connections")
  const connections = yield* StoreConnections
  const before = yield* connections.get(id)
  yield* requireVersion(before, expectedVersion)
  yield* recordAudit(
    "store_connection.removed",
    { kind: "store_connection", id },
    { before: { provider: before.provider, shopDomain: before.shopDomain, status: before.status } }
  )
  if (before.status === "pending") {
    yield* connections.remove(id, null)
    return yield* appendEvent({ type: "store_connection.removed", storeConnectionId: id })
  }
  const leftAt = yield* DateTime.now
  yield* connections.lockSecrets(id)
  yield* connections.keepSecrets(id, null)
  const uninstalledAt = before.status === "uninstalled" ? before.uninstalledAt : leftAt
  yield* saveConnection(
    before,
    new StoreConnection({
      ...before,
      status: "uninstalled",
      uninstalledAt,
      removalStartedAt: leftAt,
      updatedAt: leftAt
    })
  )
  yield* startJob(removeStoreJob, { storeConnectionId: id, leftAt })
}, transact)

/**
 * Disconnects a store: uninstalls the app and starts a background job that deletes all data of the shop. Until the job ends, the connection is
 * `uninstalled` and no journey to its shop starts. A journey that started earlier and ends before the job keeps the remaining data.
 */
export const removeStoreConnection = useCase(
  {
    name: "storeConnections.remove",
    access: { permission: "store_connections.manage" },
    audit: "store_connection.removed",
    emits: ["store_connection.removed"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion
  }: {
    readonly id: StoreConnectionId
    readonly ifVersion: number | null
  }) {
    yield* requireVersion(yield* (yield* StoreConnections).get(id), ifVersion)
    yield* uninstall(id)
    yield* disconnect(id, ifVersion)
  })
)

/** Starts a sync of a store: the changes since the last complete pass, or all records. A running sync is returned instead of a second one. */
export const syncStore = useCase(
  {
    name: "storeConnections.sync",
    access: { permission: "store_connections.manage" },
    audit: "store_connection.sync_started",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({ id, full = false }: { readonly id: StoreConnectionId; readonly full?: boolean }) {
    const { isNew, job } = yield* startSync(id, full)
    if (isNew) {
      yield* recordAudit(
        "store_connection.sync_started",
        { kind: "store_connection", id },
        { after: { jobId: job.id, full } }
      )
    }
    return job
  }, transact)
)

/** Lists the records of a store that cannot be read, by kind and id. */
export const listSkippedRecords = useCase(
  { name: "storeConnections.listSkipped", access: { permission: "store_connections.read" } },
  Effect.fnUntraced(function* ({ id, page }: { readonly id: StoreConnectionId; readonly page: PageRequest }) {
    yield* (yield* StoreConnections).get(id)
    const skipped = yield* SkippedRecords
    const { data, nextCursor } = yield* paged(
      `store_connections/${id}/skipped_records`,
      page,
      (slice) => skipped.list(id, slice),
      ({ record }) => [record.kind, record.externalId]
    )
    return { data: data.map(({ record }) => record), nextCursor }
  })
)
