import { Effect } from "effect"
import { type LockName, Locks } from "../../kernel/index.ts"
import type { AutomationDefinition } from "./Automation.ts"
import { namedInDefinition } from "./namedInDefinition.ts"

/** Who owns what an automation names asks under these locks whether anything uses it before it goes. */
const owners: ReadonlyArray<readonly [beginning: string, lock: LockName]> = [
  ["pluginId ", "plugins"],
  ["scheduleId ", "schedules"],
  ["webhookSubscriptionId ", "webhook_subscriptions"],
  ["workflowId ", "workflows"]
]

/** Keeps what a definition names of other areas from going while it is saved: neither misses the other. */
export const lockNamed = Effect.fnUntraced(function* (definition: AutomationDefinition) {
  const { exclusive } = yield* Locks
  const named = namedInDefinition(definition)
  for (const [beginning, lock] of owners) {
    if (named.some((name) => name.startsWith(beginning))) yield* exclusive(lock)
  }
})
