import { Effect, Schema } from "effect"
import { ValidationIssue, Timestamp } from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { AutomationId } from "./AutomationId.ts"
import { AutomationAction, maxActions } from "./actions/Action.ts"
import { ConditionInput } from "./conditions/ConditionInput.ts"
import { Trigger } from "./triggers/Trigger.ts"

const AutomationName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

const Actions = Schema.Array(AutomationAction).check(
  Schema.isMaxLength(maxActions, { message: `Expected at most ${maxActions} actions` })
)

/** Reason for an automatic disable: too many consecutive runs have failed. */
export const AutomationDisabledReason = Schema.Literals(["failing"])
export type AutomationDisabledReason = typeof AutomationDisabledReason.Type

const when = Schema.NullOr(Trigger).annotateKey({
  description: "Event that starts the automation. Required to enable it; null if not set."
})

/** Trigger, conditions and actions of an automation. Each version stores one. */
export const AutomationDefinition = Schema.Struct({
  when,
  if: ConditionInput.annotateKey({ description: "Conditions of the run; `{}` always holds." }),
  then: Actions.annotateKey({
    description: "Actions in order. At least one is required to enable the automation."
  })
}).annotate({ identifier: "AutomationDefinition" })
export type AutomationDefinition = typeof AutomationDefinition.Type

export const emptyDefinition: AutomationDefinition = { when: null, if: {}, then: [] }

export class Automation extends Schema.Class<Automation>("AutomationRecord")({
  id: AutomationId,
  name: AutomationName,
  enabled: Schema.Boolean,
  disabledReason: Schema.NullOr(AutomationDisabledReason),
  /** Order among the automations of the organization, from 1. For one event, lower positions run first. */
  position: Schema.Int,
  ...AutomationDefinition.fields,
  /** Log position when it was last enabled. Events up to this position start no run. */
  enabledAfter: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** Automation in API responses. */
export class AutomationView extends Schema.Class<AutomationView>("Automation")({
  id: AutomationId,
  name: AutomationName,
  enabled: Schema.Boolean,
  disabledReason: Schema.NullOr(AutomationDisabledReason).annotateKey({
    description: "Reason for the disabling. `failing`: 20 runs in a row failed."
  }),
  position: Schema.Int.annotateKey({
    description: "Position among the automations, from 1. Automations of one event run in this order."
  }),
  ...AutomationDefinition.fields,
  faults: Schema.Array(ValidationIssue).annotateKey({
    description:
      "References to deleted resources. A condition with one holds for no contact, and an action with one fails."
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

const input = {
  when: Schema.optionalKey(when),
  if: Schema.optionalKey(AutomationDefinition.fields.if),
  then: Schema.optionalKey(AutomationDefinition.fields.then)
}

export const NewAutomation = Schema.Struct({ name: AutomationName, ...input }).annotate({ identifier: "NewAutomation" })
export type NewAutomation = typeof NewAutomation.Type

/** Changes to an automation. Absent fields stay unchanged. */
export const AutomationPatch = Schema.Struct({
  name: Schema.optionalKey(AutomationName),
  ...input,
  position: Schema.optionalKey(
    Schema.Number.check(
      Schema.isInt({ message: "Expected a whole number" }),
      Schema.isBetween({ minimum: 1, maximum: 100_000 }, { message: "Expected a whole number from 1 to 100000" })
    )
  ).annotateKey({
    description:
      "New position; the automations in between shift. A position after the last one moves the automation to the end."
  })
}).annotate({ identifier: "AutomationPatch" })
export type AutomationPatch = typeof AutomationPatch.Type

export const definitionOf = ({ if: condition, then, when }: Automation): AutomationDefinition => ({
  when,
  if: condition,
  then
})

const encode = Schema.encodeSync(Schema.toCodecJson(AutomationDefinition))

/** Returns the fields of an automation for the audit log. */
export const toAutomationAuditFields = (automation: Automation): Record<string, Schema.Json> => ({
  name: automation.name,
  position: automation.position,
  ...(encode(definitionOf(automation)) as Record<string, Schema.Json>)
})
