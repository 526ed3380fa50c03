import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { listOf } from "../tenant/listOf.ts"
import { automation, listView, view } from "./automation.ts"

/** Lists automations. */
export const listCommand = listOf(listView, ({ automations }, query) => automations.list({ query })).pipe(
  Command.withDescription("List the automations, newest first")
)

/** Shows an automation. */
export const showCommand = Command.make(
  "show",
  { org: Flags.org, automation, json: Flags.json },
  Effect.fn(function* ({ automation, json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.get({ params: { id: automation } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show an automation, and what it names that is gone"))
