import { Effect } from "effect"
import type { PluginId } from "../../kernel/index.ts"
import type { ScheduleId } from "../schedules/index.ts"
import type { WebhookSubscriptionId } from "../../integrations/webhooks/index.ts"
import { Automations } from "./Automations.ts"
import type { NamedInDefinition } from "./namedInDefinition.ts"

/** Every automation takes room, enabled or not. */
export const automationUse = {
  limit: "automations",
  lock: "automations",
  count: Effect.flatMap(Automations, (automations) => automations.count())
} as const

const naming = Effect.fnUntraced(function* (field: NamedInDefinition, id: string) {
  const ids = yield* (yield* Automations).naming(field, id)
  return ids.map((id) => ({ kind: "automation", id }))
})

/** The automations that ask a plugin to act. */
export const automationsOfPlugin = { of: (id: PluginId) => naming("pluginId", id) }

/** The automations that call a webhook subscription. */
export const automationsOfSubscription = { of: (id: WebhookSubscriptionId) => naming("webhookSubscriptionId", id) }

/** The automations that go by a schedule. */
export const automationsOfSchedule = { of: (id: ScheduleId) => naming("scheduleId", id) }
