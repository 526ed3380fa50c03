import { Effect } from "effect"
import { Workflows } from "./Workflows.ts"

/** Every workflow takes room, in whatever status it is. */
export const workflowUse = {
  limit: "workflows",
  lock: "workflows",
  count: Effect.flatMap(Workflows, (workflows) => workflows.count())
} as const
