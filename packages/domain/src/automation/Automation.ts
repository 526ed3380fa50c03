import { Schema } from "effect"
import { Name } from "../identity/index.ts"
import { Timestamp, Uuid } from "../kernel/index.ts"

export const AutomationId = Uuid.pipe(Schema.brand("AutomationId"))
export type AutomationId = typeof AutomationId.Type

const AutomationName = Name.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** A routine of the organization, on or off. */
export class Automation extends Schema.Class<Automation>("Automation")({
  id: AutomationId,
  name: AutomationName,
  enabled: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** What is said of a new automation. */
export const NewAutomation = Schema.Struct({ name: AutomationName }).annotate({ identifier: "NewAutomation" })
export type NewAutomation = typeof NewAutomation.Type

/** What may be changed of an automation; an absent field stays. */
export const AutomationPatch = Schema.Struct({ name: Schema.optionalKey(AutomationName) }).annotate({
  identifier: "AutomationPatch"
})
export type AutomationPatch = typeof AutomationPatch.Type
