import type { StoreConnectionId } from "@parley/domain"
import { Duration, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { showing } from "../console/progress.ts"
import { inTenant } from "../tenant/inTenant.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { connection, view } from "./connection.ts"
import { syncLine } from "./syncProgress.ts"

const lookEvery = Duration.seconds(1)

/** Shows how far the sync of a store is, until none is running. */
export const watchSync = ({ storeConnections }: Tenant, id: StoreConnectionId) =>
  Effect.map(
    showing(
      Effect.map(storeConnections.get({ params: { id } }), (store) => ({
        store,
        isOver: store.sync.state !== "running"
      })),
      ({ store }) => syncLine(store.sync),
      lookEvery
    ),
    ({ store }) => store
  )

/** Shows how far the sync of a store is, as it goes on. */
export const statusCommand = Command.make(
  "status",
  { org: Flags.org, connection, json: Flags.json },
  Effect.fn(function* ({ connection, json, org }) {
    yield* inTenant(org, (tenant) =>
      Effect.flatMap(watchSync(tenant, connection), (store) => printOne(view, { json }, store))
    )
  })
).pipe(Command.withDescription("Show how far the sync of a store is, as it goes on, until it ends"))
