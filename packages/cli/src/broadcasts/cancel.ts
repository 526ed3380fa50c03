import { CancelledBroadcast } from "@parley/domain"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { confirm } from "../console/confirm.ts"
import * as Flags from "../console/flags.ts"
import { printOne, type View } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast } from "./broadcast.ts"

const view: View<CancelledBroadcast> = {
  schema: CancelledBroadcast,
  none: "There is no broadcast.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "MATCHED", of: ({ matched }) => String(matched) },
    { heading: "SENT", of: ({ sent }) => String(sent) },
    { heading: "IN FLIGHT", of: ({ inFlight }) => String(inFlight) },
    { heading: "IN DOUBT", of: ({ inDoubt }) => String(inDoubt) },
    { heading: "FAILED", of: ({ failed }) => String(failed) },
    { heading: "EXCLUDED", of: ({ excluded }) => String(excluded) },
    { heading: "HELD OUT", of: ({ heldOut }) => String(heldOut) },
    { heading: "NEVER SENT", of: ({ neverSent }) => String(neverSent) }
  ]
}

/** Ends a broadcast. */
export const cancelCommand = Command.make(
  "cancel",
  { org: Flags.org, broadcast, yes: Flags.yes, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts, name }) {
        yield* confirm(`Cancel the broadcast ${broadcast} of ${name}? It cannot be resumed.`, yes)
        yield* printOne(view, { json, quiet }, yield* broadcasts.cancel({ params: { id: broadcast } }))
      })
    )
  })
).pipe(Command.withDescription("End a broadcast, and say how many have got it and how many never will"))
