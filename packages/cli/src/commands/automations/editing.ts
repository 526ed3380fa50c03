import { AutomationPatch } from "@parley/domain/automation"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printOne } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { automation, definition, name, view, writtenIn } from "./automation.ts"

export const createCommand = Command.make(
  "create",
  { org: Flags.org, name, definition, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ definition, json, name, org, quiet }) {
    const payload = { name, ...(yield* writtenIn(definition)) }
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.create({ payload }), (saved) => printOne(view, { json, quiet }, saved))
    )
  })
).pipe(
  Command.withDescription("Create an automation, disabled"),
  Command.withExamples([{ command: "parley automations create --org acme --name Refund --definition refund.json" }])
)

export const updateCommand = Command.make(
  "update",
  { org: Flags.org, automation, name: Flag.optional(name), definition, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ automation, definition, json, name, org, quiet }) {
    const payload = { ...(Option.isSome(name) && { name: name.value }), ...(yield* writtenIn(definition)) }
    if (Object.keys(payload).length === 0) {
      return yield* new WrongUsage({
        message: "Specify a change, for example --name Refund or --definition refund.json."
      })
    }
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.update({ params: { id: automation }, headers: {}, payload }), (edited) =>
        printOne(view, { json, quiet }, edited)
      )
    )
  })
).pipe(Command.withDescription("Change the name or the definition of an automation"))

const place = typedFlag(
  "to",
  Schema.FiniteFromString.pipe(Schema.decodeTo(AutomationPatch.fields.position.schema))
).pipe(Flag.withMetavar("place"), Flag.withDescription("Place in the order, from 1"))

export const reorderCommand = Command.make(
  "reorder",
  { org: Flags.org, automation, place, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ automation, json, org, place, quiet }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(
        automations.update({ params: { id: automation }, headers: {}, payload: { position: place } }),
        (moved) => printOne(view, { json, quiet }, moved)
      )
    )
  })
).pipe(
  Command.withDescription("Move an automation to another place in the order"),
  Command.withExamples([{ command: "parley automations reorder --org acme 0197... --to 1" }])
)

export const deleteCommand = Command.make(
  "delete",
  { org: Flags.org, automation, yes: Flags.yes },
  Effect.fn(function* ({ automation, org, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations, name }) {
        yield* confirm(`Delete the automation ${automation} of ${name}?`, yes)
        yield* automations.delete({ params: { id: automation }, headers: {} })
        yield* Console.error(`The automation ${automation} is deleted.`)
      })
    )
  })
).pipe(Command.withDescription("Delete an automation. On the database, also without automations in the plan"))

const flags = { org: Flags.org, automation, json: Flags.json, quiet: Flags.quiet }

export const enableCommand = Command.make(
  "enable",
  flags,
  Effect.fn(function* ({ automation, json, org, quiet }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.enable({ params: { id: automation }, headers: {} }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Enable an automation for new events"))

export const disableCommand = Command.make(
  "disable",
  flags,
  Effect.fn(function* ({ automation, json, org, quiet }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.disable({ params: { id: automation }, headers: {} }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Disable an automation and stop its runs"))
