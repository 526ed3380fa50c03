import { DateTime, Effect } from "effect"
import { CurrentOrganization } from "../../../kernel/index.ts"
import { Lanes } from "../../../platform/background/index.ts"
import { AssignmentQueue, assignmentsLane } from "./AssignmentQueue.ts"

/** Has somebody hand out what waits for a member, if anything does. */
export const openAssignments = Effect.gen(function* () {
  if (yield* (yield* AssignmentQueue).isEmpty()) return
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...assignmentsLane(id), priority: "person", dueAt: yield* DateTime.now })
})
