import { Effect } from "effect"
import { type NamedInDefinition, nameOfNamed } from "../automations/index.ts"
import type { PluginId } from "../../kernel/index.ts"
import type { ScheduleId } from "../schedules/index.ts"
import type { WebhookSubscriptionId } from "../../integrations/webhooks/index.ts"
import { namedInGraph } from "./namedInGraph.ts"
import { Workflows } from "./Workflows.ts"

/** Every workflow takes room, in whatever status it is. */
export const workflowUse = {
  limit: "workflows",
  lock: "workflows",
  count: Effect.flatMap(Workflows, (workflows) => workflows.count())
} as const

/** So many are told of those that use something. */
const mostTold = 10

const naming = Effect.fnUntraced(function* (field: NamedInDefinition, id: string) {
  const name = nameOfNamed(field, id)
  const inForce = yield* (yield* Workflows).inForce()
  return inForce
    .filter(({ graph }) => namedInGraph(graph).includes(name))
    .slice(0, mostTold)
    .map(({ id }) => ({ kind: "workflow", id }))
})

/** The workflows that ask a plugin to act. */
export const workflowsOfPlugin = { of: (id: PluginId) => naming("pluginId", id) }

/** The workflows that call a webhook subscription. */
export const workflowsOfSubscription = { of: (id: WebhookSubscriptionId) => naming("webhookSubscriptionId", id) }

/** The workflows that go by a schedule. */
export const workflowsOfSchedule = { of: (id: ScheduleId) => naming("scheduleId", id) }
