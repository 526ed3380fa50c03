import { PluginCall, PluginCallId } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { jsonFlag } from "../console/json.ts"
import { printOne, type View } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"

const view: View<PluginCall> = {
  schema: PluginCall,
  none: "There is no such call.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "ACTION", of: ({ action }) => action },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "ERROR", of: ({ error }) => error?.message ?? "" }
  ]
}

/** Says what came of an action. */
export const completeCommand = Command.make(
  "complete",
  {
    org: Flags.org,
    call: typedArgument("call", PluginCallId).pipe(Argument.withDescription("The id of the call")),
    output: jsonFlag("output", Schema.Json).pipe(Flag.withDescription("What came of it, as JSON"), Flag.optional),
    error: Flag.String("error").pipe(Flag.withDescription("Why nothing came of it, in words"), Flag.optional),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ call, error, json, org, output, quiet }) {
    if (Option.isSome(error) === Option.isSome(output)) {
      return yield* new WrongUsage({ message: "Say what came of it: --output or --error." })
    }
    const payload = {
      ...(Option.isSome(output) && { output: output.value }),
      ...(Option.isSome(error) && { error: { code: "by_hand", message: error.value } })
    }
    yield* inTenant(org, ({ pluginCalls }) =>
      Effect.flatMap(pluginCalls.complete({ params: { id: call }, payload }), (completed) =>
        printOne(view, { json, quiet }, completed)
      )
    )
  })
).pipe(Command.withDescription("Say by hand what came of an action that a plugin was to answer later"))
