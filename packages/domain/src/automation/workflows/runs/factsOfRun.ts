import { Effect } from "effect"
import { everyGroup, type Facts, factsOfContact, situationOf } from "../../automations/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

/** What conditions of a run may look at: what is not there when they do holds for nobody. */
export const groupsOfRun = everyGroup

/** What is known today of what a run was last woken by, or of its contact alone; `null` where the contact is gone. */
export const factsOfRun = Effect.fnUntraced(function* (
  { contactId, event }: Pick<WorkflowRun, "contactId" | "event">,
  schedules: ReadonlyArray<ScheduleId>
) {
  const nobody: Facts | null = null
  if (contactId === null) return nobody
  const found = event === null ? null : yield* situationOf(event.position, contactId, schedules)
  return found ?? (yield* factsOfContact(contactId, schedules))
})
