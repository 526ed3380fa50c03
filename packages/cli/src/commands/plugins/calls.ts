import { Timestamp, Uuid } from "@parley/domain/kernel"
import {
  PluginActionKey,
  PluginCall,
  PluginCallId,
  PluginCallLog,
  PluginCallState,
  WebhookDelivery
} from "@parley/domain/integrations"
import { WrongUsage } from "@parley/service/configuration"
import { DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, one, queryOf, several } from "../../console/listing.ts"
import { printList, printOne, type View } from "../../console/print.ts"
import { jsonFlag, typedArgument } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { deliveryFilters } from "../webhooks/subscription.ts"
import { attemptResult, plugin } from "./plugin.ts"

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

const view: View<WebhookDelivery> = {
  schema: WebhookDelivery,
  none: "No matching delivery was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "TYPE", of: ({ type }) => type },
    { heading: "POSITION", of: ({ position }) => String(position ?? ""), align: "right" },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "ATTEMPTS", of: ({ attempts }) => String(attempts), align: "right" },
    { heading: "NEXT", of: ({ nextAttemptAt }) => at(nextAttemptAt) },
    { heading: "DELIVERED", of: ({ deliveredAt }) => at(deliveredAt) }
  ]
}

export const deliveriesCommand = Command.make(
  "deliveries",
  { org: Flags.org, plugin, ...listFlags(deliveryFilters) },
  Effect.fn(function* ({ filter, json, limit, org, plugin, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ plugins }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          plugins.listDeliveries({ params: { id: plugin }, query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the deliveries to a plugin in the last 30 days, latest first"))

const callFilters = {
  state: several(PluginCallState),
  action: one(PluginActionKey),
  runId: one(Uuid),
  from: one(Timestamp),
  to: one(Timestamp)
}

const callView: View<PluginCallLog> = {
  schema: PluginCallLog,
  none: "No matching call was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "AT", of: (call) => at(call.at) },
    { heading: "ACTION", of: ({ action }) => action },
    { heading: "RUN", of: ({ caller, runId }) => `${caller} ${runId}` },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "REQUESTS", of: ({ log }) => String(log.length), align: "right" },
    { heading: "ANSWER", of: ({ log: [latest] }) => (latest === undefined ? "" : attemptResult(latest)) },
    { heading: "ERROR", of: ({ error }) => error?.message ?? "" }
  ]
}

export const callsCommand = Command.make(
  "calls",
  { org: Flags.org, plugin, ...listFlags(callFilters) },
  Effect.fn(function* ({ filter, json, limit, org, plugin, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ plugins }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          plugins.listCalls({ params: { id: plugin }, query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(callView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the calls to actions of a plugin in the last 30 days, latest first"),
  Command.withExamples([
    { command: "parley plugins calls 0196... --filter state=failed" },
    {
      command: "parley plugins calls 0196... --json",
      description: "With headers, digests and answers of the last 7 days"
    }
  ])
)

const completeView: View<PluginCall> = {
  schema: PluginCall,
  none: "The call does not exist.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "ACTION", of: ({ action }) => action },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "ERROR", of: ({ error }) => error?.message ?? "" }
  ]
}

export const completeCommand = Command.make(
  "complete",
  {
    org: Flags.org,
    call: typedArgument("call", PluginCallId).pipe(Argument.withDescription("Id of the call")),
    output: jsonFlag("output", Schema.Json).pipe(Flag.withDescription("Result as JSON"), Flag.optional),
    error: Flag.String("error").pipe(Flag.withDescription("Reason of the failure, as text"), Flag.optional),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ call, error, json, org, output, quiet }) {
    if (Option.isSome(error) === Option.isSome(output)) {
      return yield* new WrongUsage({ message: "Specify the result: --output or --error." })
    }
    const payload = {
      ...(Option.isSome(output) && { output: output.value }),
      ...(Option.isSome(error) && { error: { code: "by_hand", message: error.value } })
    }
    yield* inTenant(org, ({ pluginCalls }) =>
      Effect.flatMap(pluginCalls.complete({ params: { id: call }, payload }), (completed) =>
        printOne(completeView, { json, quiet }, completed)
      )
    )
  })
).pipe(Command.withDescription("Complete a pending action call of a plugin manually"))
