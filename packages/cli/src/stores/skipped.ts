import { SkippedRecord } from "@parley/domain"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { printRows, type View } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { at, connection } from "./connection.ts"

const view: View<SkippedRecord> = {
  schema: SkippedRecord,
  none: "Every record of this store can be read.",
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
        yield* printRows(view, { json, quiet }, rows, isCut, ({ externalId, kind }) => `${kind} ${externalId}`)
      })
    )
  })
).pipe(Command.withDescription("List the records of a store that cannot be read, with the reason"))
