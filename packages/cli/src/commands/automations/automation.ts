import { AutomationDefinition, AutomationId, AutomationView, NewAutomation } from "@parley/domain/automation"
import { Effect, Option, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import type { Column, View } from "../../console/print.ts"
import { jsonFile, typedArgument, typedFlag } from "../../console/typed.ts"

export const automation = typedArgument("automation", AutomationId).pipe(
  Argument.withDescription("Id of the automation")
)

const columns: ReadonlyArray<Column<AutomationView>> = [
  { heading: "ID", of: ({ id }) => id },
  { heading: "NAME", of: ({ name }) => name },
  { heading: "PLACE", of: ({ position }) => String(position), align: "right" },
  { heading: "STATE", of: ({ disabledReason, enabled }) => disabledReason ?? (enabled ? "enabled" : "disabled") },
  { heading: "WHEN", of: ({ when }) => when?.event ?? "" },
  { heading: "ACTIONS", of: ({ then }) => then.map(({ type }) => type).join(" ") },
  { heading: "FAULTS", of: ({ faults }) => (faults.length === 0 ? "" : String(faults.length)) }
]

export const listView: View<AutomationView> = {
  schema: AutomationView,
  none: "This organization has no automation.",
  noMatch: "No automation matches the filter.",
  columns
}

export const view: View<AutomationView> = {
  schema: AutomationView,
  none: "There is no automation.",
  columns: [
    ...columns.slice(0, 4),
    { heading: "WHEN", of: ({ when }) => (when === null ? "" : JSON.stringify(when)) },
    { heading: "IF", of: (each) => JSON.stringify(each.if) },
    { heading: "THEN", of: ({ then }) => then.map((action) => JSON.stringify(action)).join(" ") },
    {
      heading: "FAULTS",
      of: ({ faults }) => faults.map(({ message, pointer }) => `${pointer}: ${message}`).join(", ")
    },
    { heading: "VERSION", of: ({ version }) => String(version) }
  ]
}

export const name = typedFlag("name", NewAutomation.fields.name).pipe(Flag.withDescription("Name"))

/** File with the definition. */
export const definition = Flag.String("definition").pipe(
  Flag.withMetavar("file"),
  Flag.withDescription('JSON file with "when", "if" and "then"; absent parts stay'),
  Flag.optional
)

/** File with a draft. */
export const draft = Flag.String("draft").pipe(
  Flag.withMetavar("file"),
  Flag.withDescription('JSON file with "when", "if" and "then", to preview instead of the saved ones'),
  Flag.optional
)

const { if: condition, then, when } = AutomationDefinition.fields

const Written = Schema.Struct({
  when: Schema.optionalKey(when),
  if: Schema.optionalKey(condition),
  then: Schema.optionalKey(then)
})

/** Reads an automation from a file, if the flag is set. */
export const writtenIn = Effect.fnUntraced(function* (file: Option.Option<string>) {
  if (Option.isNone(file)) return {}
  return yield* jsonFile(file.value, Written, `The file ${file.value} is not valid:`)
})
