import { Effect, Schema } from "effect"
import { ValidationIssue, Timestamp, Uuid } from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { AutomationAction, maxActions } from "./actions/Action.ts"
import { ConditionInput } from "./conditions/ConditionInput.ts"
import { Trigger } from "./triggers/Trigger.ts"

export const AutomationId = Uuid.pipe(Schema.brand("AutomationId"))
export type AutomationId = typeof AutomationId.Type

const AutomationName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

const Actions = Schema.Array(AutomationAction).check(
  Schema.isMaxLength(maxActions, { message: `Expected at most ${maxActions} actions` })
)

/** Reason for an automatic disable: too many consecutive runs have failed. */
export const AutomationDisabledReason = Schema.Literals(["failing"])
export type AutomationDisabledReason = typeof AutomationDisabledReason.Type

const when = Schema.NullOr(Trigger).annotateKey({
  description: "On which event it runs; null until it is said. It cannot be enabled without one."
})

/** Trigger, conditions and actions of an automation. Each version stores one. */
export const AutomationDefinition = Schema.Struct({
  when,
  if: ConditionInput.annotateKey({ description: "What has to hold then; `{}` always does." }),
  then: Actions.annotateKey({
    description: "What it does, one after the other. It cannot be enabled without one."
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
    description: "`failing`: it was disabled because 20 runs in a row have failed."
  }),
  position: Schema.Int.annotateKey({
    description:
      "Its place among the others, from 1. What an event concerns runs in this order, each after the one before."
  }),
  ...AutomationDefinition.fields,
  faults: Schema.Array(ValidationIssue).annotateKey({
    description: "What it names that is gone since: such a condition holds for nobody, and such an action fails."
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
    description: "Where to move it to: those in between make room. Beyond the last place it becomes the last one."
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
