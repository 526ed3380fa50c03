import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { startSync } from "../syncing/startSync.ts"

/** Has a store read: what has changed since the last whole pass, or all of it. One that is being read already is not read twice. */
export const syncStore = useCase(
  "storeConnections.sync",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (id: StoreConnectionId, full: boolean) {
    const { isNew, job } = yield* startSync(id, full)
    if (isNew) {
      yield* record(
        "store_connection.sync_started",
        { kind: "store_connection", id },
        { after: { jobId: job.id, full } }
      )
    }
    return job
  }, transact)
)
