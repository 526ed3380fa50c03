import { NewBroadcast } from "@parley/domain"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { view } from "./broadcast.ts"
import { readSaid, saidFlags } from "./said.ts"

/** Drafts a broadcast. */
export const createCommand = Command.make(
  "create",
  { org: Flags.org, ...saidFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet, ...said }) {
    const payload = yield* readSaid(NewBroadcast, said)
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts, name }) {
        const draft = yield* broadcasts.create({ payload })
        yield* printOne(view, { json, quiet }, draft)
        if (json || quiet) return
        yield* Console.error(`See whom it goes to: parley broadcasts preview ${draft.id} --org ${name}`)
      })
    )
  })
).pipe(
  Command.withDescription("Draft a broadcast; it may leave out what sending needs"),
  Command.withExamples([
    {
      command:
        "parley broadcasts create --org acme --name Spring --account 0196... --template 0195... --value 'body.1=@firstName|there' --audience '{}'"
    },
    { command: "parley broadcasts create --file spring.json --quiet" }
  ])
)
