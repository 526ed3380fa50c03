import { Effect } from "effect"
import { Command } from "effect/cli"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags } from "../console/listing.ts"
import { printList, printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { automation, listView, view } from "./automation.ts"

/** Lists automations. */
export const listCommand = Command.make(
  "list",
  { org: Flags.org, ...listFlags({}) },
  Effect.fn(function* ({ json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations }) {
        const { isCut, rows } = yield* collect(limit, (page) => automations.list({ query: queryOf(page) }))
        yield* printList(listView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the automations, newest first"), Command.withAlias("ls"))

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
