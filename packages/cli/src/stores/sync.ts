import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { connection, view } from "./connection.ts"
import { watchSync } from "./status.ts"

/** Has a store read. */
export const syncCommand = Command.make(
  "sync",
  {
    org: Flags.org,
    connection,
    full: Flag.Boolean("full").pipe(
      Flag.withDescription("Read everything there is, not what has changed alone"),
      Flag.withDefault(false)
    ),
    watch: Flag.Boolean("watch").pipe(
      Flag.withDescription("Show how far it is, until it ends"),
      Flag.withDefault(false)
    ),
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
          `The job ${id} reads it. See how far it is: parley stores status ${connection} --org ${tenant.name}`
        )
      })
    )
  })
).pipe(
  Command.withDescription("Have a store read now; one that is being read goes on"),
  Command.withExamples([{ command: "parley stores sync 0196... --full --watch" }])
)
