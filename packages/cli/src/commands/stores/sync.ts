import { SkippedRecord, type StoreConnectionId } from "@parley/domain/commerce"
import { Console, Duration, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, queryOf } from "../../console/listing.ts"
import { printOne, printRows, type View } from "../../console/print.ts"
import { showing } from "../../console/progress.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { at, connection, syncLine, view } from "./views.ts"

const lookEvery = Duration.seconds(1)

/** Shows the progress of a store until no sync is running. */
const watchSync = ({ storeConnections }: Tenant, id: StoreConnectionId) =>
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

export const statusCommand = Command.make(
  "status",
  { org: Flags.org, connection, json: Flags.json },
  Effect.fn(function* ({ connection, json, org }) {
    yield* inTenant(org, (tenant) =>
      Effect.flatMap(watchSync(tenant, connection), (store) => printOne(view, { json }, store))
    )
  })
).pipe(Command.withDescription("Show the progress of a sync until it ends"))

export const syncCommand = Command.make(
  "sync",
  {
    org: Flags.org,
    connection,
    full: Flag.Boolean("full").pipe(
      Flag.withDescription("Read all records, and not only the changes"),
      Flag.withDefault(false)
    ),
    watch: Flag.Boolean("watch").pipe(Flag.withDescription("Show the progress until it ends"), Flag.withDefault(false)),
    json: Flags.json
  },
  Effect.fn(function* ({ connection, full, json, org, watch }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { id } = yield* tenant.storeConnections.sync({ params: { id: connection }, payload: { full } })
        if (watch) return yield* printOne(view, { json }, yield* watchSync(tenant, connection))
        const store = yield* tenant.storeConnections.get({ params: { id: connection } })
        yield* printOne(view, { json }, store)
        yield* Console.error(
          `The job ${id} syncs the store. Show the progress: parley stores status ${connection} --org ${tenant.name}`
        )
      })
    )
  })
).pipe(
  Command.withDescription("Start a sync of a store now. A running sync continues"),
  Command.withExamples([{ command: "parley stores sync 0196... --full --watch" }])
)

const skippedView: View<SkippedRecord> = {
  schema: SkippedRecord,
  none: "This store has no skipped records.",
  columns: [
    { heading: "KIND", of: ({ kind }) => kind },
    { heading: "ID IN THE SHOP", of: ({ externalId }) => externalId },
    { heading: "REASON", of: ({ reason }) => reason },
    { heading: "SINCE", of: ({ createdAt }) => at(createdAt) },
    { heading: "LAST TRIED", of: ({ updatedAt }) => at(updatedAt) }
  ]
}

export const skippedCommand = Command.make(
  "skipped",
  { org: Flags.org, connection, limit: Flags.limit, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ connection: id, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ storeConnections }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          storeConnections.listSkipped({ params: { id }, query: queryOf(page) })
        )
        yield* printRows(skippedView, { json, quiet }, rows, isCut, ({ externalId, kind }) => `${kind} ${externalId}`)
      })
    )
  })
).pipe(Command.withDescription("List the unreadable records of a store, with the reason"))
