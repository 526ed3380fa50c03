import { PublishedEventType } from "@parley/domain"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printRows, type View } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"

const view: View<PublishedEventType> = {
  schema: PublishedEventType,
  none: "There is no type of event.",
  columns: [
    { heading: "TYPE", of: ({ type }) => type },
    { heading: "PERMISSION", of: ({ permission }) => permission }
  ]
}

/** Lists the types of events. */
export const typesCommand = Command.make(
  "types",
  { org: Flags.org, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet }) {
    yield* inTenant(org, ({ events }) =>
      Effect.flatMap(events.listTypes(), ({ data }) =>
        printRows(view, { json, quiet }, data, false, ({ type }) => type)
      )
    )
  })
).pipe(Command.withDescription("List the types of events; their schemas and examples with --json"))
