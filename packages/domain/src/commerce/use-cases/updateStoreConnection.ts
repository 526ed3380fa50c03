import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { Locks, nextId, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { JobId, startJob } from "../../platform/jobs/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { showConnection } from "../commerce/shownStores.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnection, type StoreConnectionPatch } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { makeContactsJob } from "../syncing/makeContactsJob.ts"

const settingsOf = ({ cartAbandonedAfterMinutes, makeContacts, takeConsent }: StoreConnection) => ({
  makeContacts,
  takeConsent,
  cartAbandonedAfterMinutes
})

/** Changes what is done with what a store tells. */
export const updateStoreConnection = useCase(
  "storeConnections.update",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (id: StoreConnectionId, patch: StoreConnectionPatch, expectedVersion: number | null) {
    yield* (yield* Locks).exclusive("store_connections")
    const connections = yield* StoreConnections
    const before = yield* connections.get(id)
    yield* requireVersion(before, expectedVersion)
    const now = yield* DateTime.now
    const changed = new StoreConnection({ ...before, ...patch, updatedAt: now })
    const [from, to] = [settingsOf(before), settingsOf(changed)]
    if (
      from.makeContacts === to.makeContacts &&
      from.takeConsent === to.takeConsent &&
      from.cartAbandonedAfterMinutes === to.cartAbandonedAfterMinutes
    ) {
      return yield* showConnection(before)
    }
    const saved = yield* connections.save(changed, null)
    yield* record("store_connection.updated", { kind: "store_connection", id }, { before: from, after: to })
    yield* appendEvent({ type: "store_connection.updated", storeConnectionId: id })
    const makes = from.makeContacts !== to.makeContacts && to.makeContacts !== "never"
    const takes = !from.takeConsent && to.takeConsent
    if ((makes || takes) && saved.status === "connected") {
      const jobId = yield* nextId(JobId)
      yield* startJob(makeContactsJob, { jobId, storeConnectionId: id }, { id: jobId })
    }
    return yield* showConnection(saved)
  }, transact)
)
