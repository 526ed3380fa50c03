import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

/** Goes on with a broadcast that is paused. */
export const resumeCommand = Command.make(
  "resume",
  { org: Flags.org, broadcast, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.resume({ params: { id: broadcast } }), (resumed) =>
        printOne(view, { json, quiet }, resumed)
      )
    )
  })
).pipe(Command.withDescription("Go on with a broadcast that is paused; nobody gets it twice"))
