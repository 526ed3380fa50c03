import { IssuedTriggerUrl, TriggerUrl } from "@parley/domain/automation"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printCard, printJson, type View } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { automation } from "./automation.ts"

const view: Pick<View<TriggerUrl>, "columns" | "schema"> = {
  schema: TriggerUrl,
  columns: [
    { heading: "AUTOMATION", of: ({ automationId }) => automationId },
    { heading: "SIGNED", of: ({ signed }) => (signed ? "yes" : "no") },
    { heading: "ROTATED", of: ({ createdAt }) => DateTime.formatIso(createdAt) }
  ]
}

const showCommand = Command.make(
  "show",
  { org: Flags.org, automation, json: Flags.json },
  Effect.fn(function* ({ automation, json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.getTriggerUrl({ params: { id: automation } }), (url) => printCard(view, json, url))
    )
  })
).pipe(Command.withDescription("Show whether the trigger URL needs signatures, and when it was rotated"))

const encode = Schema.encodeSync(Schema.toCodecJson(IssuedTriggerUrl))

const rotateCommand = Command.make(
  "rotate",
  {
    org: Flags.org,
    automation,
    signed: Flag.Boolean("signed").pipe(
      Flag.withDescription("Calls need a signature; --no-signed ends it. Default: as before"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ automation, json, org, signed }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations }) {
        const issued = yield* automations.rotateTriggerUrl({
          params: { id: automation },
          payload: { ...(Option.isSome(signed) && { signed: signed.value }) }
        })
        if (json) return yield* printJson(encode(issued))
        yield* Console.log(Redacted.value(issued.url))
        if (issued.signingSecret !== null) yield* Console.log(Redacted.value(issued.signingSecret))
        const shown = issued.signingSecret === null ? "The URL is" : "The URL and the secret are"
        yield* Console.error(`An earlier URL no longer works. ${shown} not shown again.`)
      })
    )
  })
).pipe(
  Command.withDescription("Create or replace the trigger URL, and print it with its signing secret"),
  Command.withExamples([{ command: "parley automations trigger-url rotate --org acme 0197... --signed" }])
)

const deleteCommand = Command.make(
  "delete",
  { org: Flags.org, automation, yes: Flags.yes },
  Effect.fn(function* ({ automation, org, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations, name }) {
        yield* confirm(`Delete the trigger URL of the automation ${automation} of ${name}?`, yes)
        yield* automations.deleteTriggerUrl({ params: { id: automation } })
        yield* Console.error(`The trigger URL of the automation ${automation} is deleted.`)
      })
    )
  })
).pipe(Command.withDescription("Delete the trigger URL. On the database, also without automations in the plan"))

export const triggerUrlCommand = Command.make("trigger-url").pipe(
  Command.withDescription("URL that starts an automation: show, rotate, delete"),
  Command.withSubcommands([showCommand, rotateCommand, deleteCommand])
)
