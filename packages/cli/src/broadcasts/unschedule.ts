import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

/** Makes a draft of a scheduled broadcast again. */
export const unscheduleCommand = Command.make(
  "unschedule",
  { org: Flags.org, broadcast, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.unschedule({ params: { id: broadcast } }), (draft) =>
        printOne(view, { json, quiet }, draft)
      )
    )
  })
).pipe(Command.withDescription("Make a draft of a scheduled broadcast again"))
