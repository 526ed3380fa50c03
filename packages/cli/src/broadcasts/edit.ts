import { BroadcastPatch } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"
import { readSaid, saidFlags } from "./said.ts"

/** Changes a broadcast before it starts. */
export const editCommand = Command.make(
  "edit",
  { org: Flags.org, broadcast, ...saidFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet, ...said }) {
    const patch = yield* readSaid(BroadcastPatch, said)
    if (Object.keys(patch).length === 0) {
      return yield* new WrongUsage({ message: "Say what to change, such as --name Summer, or --file changes.json." })
    }
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
        const { variables, version } = yield* broadcasts.get({ params })
        // What is filled by a flag is one variable of several.
        const payload = said.values.length === 0 ? patch : { ...patch, variables: { ...variables, ...patch.variables } }
        const edited = yield* broadcasts.update({ params, headers: { "if-match": version }, payload })
        yield* printOne(view, { json, quiet }, edited)
      })
    )
  })
).pipe(
  Command.withDescription("Change what a broadcast says, before it starts; what is not said stays"),
  Command.withExamples([
    { command: "parley broadcasts edit --org acme 0197... --hold-out 5 --per-minute 600" },
    { command: `echo '{"exclude":null}' | parley broadcasts edit 0197... --file -` }
  ])
)
