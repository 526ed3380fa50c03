import { DateTime, Effect } from "effect"
import type { Conversation } from "../Conversation.ts"
import { AssignmentQueue } from "./AssignmentQueue.ts"
import { Workloads } from "./Workloads.ts"

interface Change {
  readonly before: Conversation
  readonly after: Conversation
}

const waitsForMember = ({ assigneeId, status }: Conversation) => assigneeId === null && status !== "resolved"

/** Notes who was handed conversations, and lets none wait for a member that has one, or needs none any more. */
export const noteHandedOver = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
  const settled = changes.filter(({ after, before }) => waitsForMember(before) && !waitsForMember(after))
  if (settled.length > 0) yield* (yield* AssignmentQueue).remove(settled.map(({ after }) => after.id))
  const handed = changes.flatMap(({ after, before }) =>
    after.assigneeId === before.assigneeId ? [] : (after.assigneeId ?? [])
  )
  if (handed.length > 0) yield* (yield* Workloads).handed([...new Set(handed)], yield* DateTime.now)
})
