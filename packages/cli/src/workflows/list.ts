import { Effect } from "effect"
import { Command } from "effect/cli"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags } from "../console/listing.ts"
import { printRows } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { listOf } from "../tenant/listOf.ts"
import { versionView, view, workflow } from "./workflow.ts"

/** Lists workflows. */
export const listCommand = listOf(view, ({ workflows }, query) => workflows.list({ query })).pipe(
  Command.withDescription("List the workflows, newest first")
)

/** Lists the published versions of a workflow. */
export const versionsCommand = Command.make(
  "versions",
  { org: Flags.org, workflow, ...listFlags({}) },
  Effect.fn(function* ({ json, limit, org, quiet, workflow }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          workflows.listVersions({ params: { id: workflow }, query: queryOf(page) })
        )
        yield* printRows(versionView, { json, quiet }, rows, isCut, ({ number }) => String(number))
      })
    )
  })
).pipe(Command.withDescription("List the published versions of a workflow, newest first"))
