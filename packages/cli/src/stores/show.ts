import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { connection, view } from "./connection.ts"

/** Shows a store. */
export const showCommand = Command.make(
  "show",
  { org: Flags.org, connection, json: Flags.json },
  Effect.fn(function* ({ connection, json, org }) {
    yield* inTenant(org, ({ storeConnections }) =>
      Effect.flatMap(storeConnections.get({ params: { id: connection } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a store, how it is doing, and how far behind it is what is known of it"))
