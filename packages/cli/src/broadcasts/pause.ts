import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

/** Pauses a broadcast. */
export const pauseCommand = Command.make(
  "pause",
  { org: Flags.org, broadcast, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.pause({ params: { id: broadcast } }), (paused) =>
        printOne(view, { json, quiet }, paused)
      )
    )
  })
).pipe(Command.withDescription("Pause a broadcast; it ends when no message of it is sent any more"))
