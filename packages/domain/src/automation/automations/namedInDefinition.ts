import type { Action } from "./actions/Action.ts"
import type { AutomationDefinition } from "./Automation.ts"
import type { ConditionInput } from "./conditions/ConditionInput.ts"
import { schedulesNamed } from "./schedulesNamed.ts"

const fields = ["pluginId", "scheduleId", "webhookSubscriptionId", "workflowId"] as const

/** What other areas ask for before something of theirs goes. */
export type NamedInDefinition = (typeof fields)[number]

/** How it is kept with an automation that it names something. */
export const nameOfNamed = (field: NamedInDefinition, id: string): string => `${field} ${id}`

/** What conditions and actions name of areas that ask before something of theirs goes. */
export const namedBy = (
  conditions: ReadonlyArray<ConditionInput>,
  actions: ReadonlyArray<Action>
): ReadonlyArray<string> => [
  ...new Set([
    ...schedulesNamed(conditions, actions).map((id) => nameOfNamed("scheduleId", id)),
    ...actions.flatMap((action) =>
      fields.flatMap((field) => {
        const id: unknown = Reflect.get(action, field)
        return typeof id === "string" ? [nameOfNamed(field, id)] : []
      })
    )
  ])
]

/** What a definition names of areas that ask before something of theirs goes. */
export const namedInDefinition = ({ if: condition, then }: AutomationDefinition): ReadonlyArray<string> =>
  namedBy([condition], then)
