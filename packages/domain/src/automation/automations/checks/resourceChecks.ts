import { Effect } from "effect"
import type { TypedVocabulary } from "../../../campaigns/index.ts"
import { ContactFields, validateAttributes, Tags } from "../../../crm/index.ts"
import { Plugins, type PluginSchema } from "../../../integrations/plugins/index.ts"
import { WebhookSubscriptions } from "../../../integrations/webhooks/index.ts"
import type { ValidationIssue } from "../../../kernel/index.ts"
import { type MemberId, Members } from "../../../platform/identity/index.ts"
import { WeeklySchedules } from "../../schedules/index.ts"
import { type ActionOf, hasLiquid } from "../actions/Action.ts"
import { WorkflowStarter } from "../actions/externalActions.ts"
import { validateRenderedInput } from "./inputChecks.ts"

const missing = (what: string, pointer: string): ReadonlyArray<ValidationIssue> => [
  { pointer, message: `There is no ${what} with this id` }
]

/** Finds unknown tags. */
export const validateTagAction = Effect.fnUntraced(function* ({ tagIds }: ActionOf<"tag" | "untag">, pointer: string) {
  const found = new Set((yield* (yield* Tags).find(tagIds)).map(({ id }) => id))
  return tagIds.flatMap((id, index) => (found.has(id) ? [] : missing("tag", `${pointer}/tagIds/${index}`)))
})

/** Reports the schedule if it does not exist. */
export const validateScheduleReference = Effect.fnUntraced(function* (
  { scheduleId }: ActionOf<"send_away">,
  pointer: string
) {
  const found = yield* Effect.option((yield* WeeklySchedules).get(scheduleId))
  return found._tag === "None" ? missing("schedule", `${pointer}/scheduleId`) : []
})

/** Finds unknown members. */
export const validateAutoAssignMembers = Effect.fnUntraced(function* (
  { memberIds }: ActionOf<"auto_assign">,
  pointer: string
) {
  const members = yield* Members
  const faults = yield* Effect.forEach(memberIds ?? [], (id: MemberId, index) =>
    Effect.match(members.get(id), {
      onFailure: () => missing("member", `${pointer}/memberIds/${index}`),
      onSuccess: () => []
    })
  )
  return faults.flat()
})

/** Finds problems of attributes. For Liquid values, checks only that the fields exist. */
export const validateAttributeAction = Effect.fnUntraced(function* (
  { attributes }: ActionOf<"set_attribute">,
  pointer: string
) {
  const fields = yield* (yield* ContactFields).all()
  const fixed = Object.entries(attributes).map(([key, value]) => [
    key,
    typeof value === "string" && hasLiquid(value) ? null : value
  ])
  return validateAttributes(fields, Object.fromEntries(fixed), `${pointer}/attributes`)
})

/** Finds problems of the webhook subscription. */
export const validateWebhookAction = Effect.fnUntraced(function* (
  { webhookSubscriptionId }: ActionOf<"call_webhook">,
  pointer: string
) {
  const kept = yield* (yield* WebhookSubscriptions).find(webhookSubscriptionId)
  const isOwn = kept !== null && kept.feature === null
  return isOwn ? [] : missing("webhook subscription", `${pointer}/webhookSubscriptionId`)
})

/** Finds problems of the workflow to start. */
export const validateWorkflowAction = Effect.fnUntraced(function* (
  { workflowId }: ActionOf<"start_workflow">,
  pointer: string
) {
  const exists = yield* (yield* WorkflowStarter).exists(workflowId)
  return exists ? [] : missing("workflow", `${pointer}/workflowId`)
})

export const validatePluginAction = Effect.fnUntraced(function* (
  { action: key, input, pluginId }: ActionOf<"plugin_action">,
  pointer: string,
  vocabulary: TypedVocabulary
) {
  const plugin = yield* (yield* Plugins).find(pluginId)
  if (plugin === null) return missing("plugin", `${pointer}/pluginId`)
  const action = plugin.manifest.actions?.find((each) => each.key === key)
  if (action === undefined) return [{ pointer: `${pointer}/action`, message: "The plugin does not have this action" }]
  return validateRenderedInput(action.input as PluginSchema, input, `${pointer}/input`, vocabulary)
})
