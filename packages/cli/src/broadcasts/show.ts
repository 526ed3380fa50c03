import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

/** Shows a broadcast. */
export const showCommand = Command.make(
  "show",
  { org: Flags.org, broadcast, json: Flags.json },
  Effect.fn(function* ({ broadcast, json, org }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.get({ params: { id: broadcast } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a broadcast, and how far it is"))
