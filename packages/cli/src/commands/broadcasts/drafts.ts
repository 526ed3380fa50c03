import { BroadcastPatch, NewBroadcast } from "@parley/domain/campaigns"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printOne } from "../../console/print.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"
import { readSaid, saidFlags } from "./draftFlags.ts"

export const createCommand = Command.make(
  "create",
  { org: Flags.org, ...saidFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet, ...input }) {
    const payload = yield* readSaid(NewBroadcast, input)
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts, name }) {
        const draft = yield* broadcasts.create({ payload })
        yield* printOne(view, { json, quiet }, draft)
        if (json || quiet) return
        yield* Console.error(`Preview the audience: parley broadcasts preview ${draft.id} --org ${name}`)
      })
    )
  })
).pipe(
  Command.withDescription("Create a draft. Parts that sending requires can be absent"),
  Command.withExamples([
    {
      command:
        "parley broadcasts create --org acme --name Spring --chat-account 0196... --template 0195... --value 'body.1=@firstName|there' --audience '{}'"
    },
    { command: "parley broadcasts create --file spring.json --quiet" }
  ])
)

export const updateCommand = Command.make(
  "update",
  { org: Flags.org, broadcast, ...saidFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet, ...input }) {
    const patch = yield* readSaid(BroadcastPatch, input)
    if (Object.keys(patch).length === 0) {
      return yield* new WrongUsage({ message: "Specify a change, for example --name Summer or --file changes.json." })
    }
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
        const { variables, version } = yield* broadcasts.get({ params })
        // A flag fills one of several variables, so the others stay.
        const payload =
          input.values.length === 0 ? patch : { ...patch, variables: { ...variables, ...patch.variables } }
        const edited = yield* broadcasts.update({ params, headers: { "if-match": version }, payload })
        yield* printOne(view, { json, quiet }, edited)
      })
    )
  })
).pipe(
  Command.withDescription("Change a broadcast before it starts. Absent flags change nothing"),
  Command.withExamples([
    { command: "parley broadcasts update --org acme 0197... --hold-out 5 --per-minute 600" },
    { command: `echo '{"exclude":null}' | parley broadcasts update 0197... --file -` }
  ])
)

export const duplicateCommand = Command.make(
  "duplicate",
  {
    org: Flags.org,
    broadcast,
    name: typedFlag("name", NewBroadcast.fields.name).pipe(
      Flag.withDescription("Name of the draft (the same)"),
      Flag.optional
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ broadcast, json, name, org, quiet }) {
    const payload = Option.isSome(name) ? { name: name.value } : {}
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.duplicate({ params: { id: broadcast }, payload }), (draft) =>
        printOne(view, { json, quiet }, draft)
      )
    )
  })
).pipe(Command.withDescription("Create a draft as a copy of another broadcast"))
