import { Schema } from "effect"

const paused = Schema.Boolean.annotateKey({
  description: "Whether no action of any automation or workflow starts. What was to be done is not lost."
})

/** What holds for all automations and workflows of the organization. */
export class AutomationSettings extends Schema.Class<AutomationSettings>("AutomationSettings")({
  paused,
  version: Schema.Int
}) {}

/** What may be changed of it; an absent field stays. */
export const AutomationSettingsPatch = Schema.Struct({ paused: Schema.optionalKey(paused) }).annotate({
  identifier: "AutomationSettingsPatch"
})
export type AutomationSettingsPatch = typeof AutomationSettingsPatch.Type

/** Those of an organization that has changed nothing. */
export const initialAutomationSettings = new AutomationSettings({ paused: false, version: 1 })
