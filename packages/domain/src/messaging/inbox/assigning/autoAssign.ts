import { DateTime, Effect } from "effect"
import { CurrentActor, CurrentCausation, CurrentOrganization, refer } from "../../../kernel/index.ts"
import { Lanes } from "../../../platform/background/index.ts"
import { lockConversation } from "../changeConversation.ts"
import { assigned } from "../changes.ts"
import type { Conversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId } from "../Ids.ts"
import { keepConversations } from "../keepConversations.ts"
import { AssignmentQueue, assignmentsLane, type QueuedConversation } from "./AssignmentQueue.ts"
import type { AutoAssignment, AutoAssigned } from "./AutoAssignment.ts"
import { takeMembers } from "./takeMembers.ts"
import { Workloads } from "./Workloads.ts"

const isLookedAfter = ({ assigneeId, status }: Conversation) => assigneeId !== null || status === "resolved"

const unchanged: AutoAssigned = { kind: "unchanged" }

/** Lets a conversation wait for a member, and has somebody look whether one is free by the time this is committed. */
const queue = Effect.fnUntraced(function* (queued: QueuedConversation) {
  yield* (yield* AssignmentQueue).put(queued)
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...assignmentsLane(id), priority: "person", dueAt: queued.since })
})

/**
 * Hands a conversation that nobody looks after to whoever is free, as the team would: with its traces, in the name of whoever acts. Those
 * that wait for a member already go first. It runs in the unit of work of the caller, who has taken no conversation yet.
 */
export const autoAssign = Effect.fnUntraced(function* (
  id: ConversationId,
  { memberIds, sticky, whenNone }: AutoAssignment
) {
  const { conversation } = yield* (yield* Conversations).get(id)
  if (isLookedAfter(conversation)) return unchanged
  const now = yield* DateTime.now
  const { contactId, priority, waitingSince } = conversation
  const queued: QueuedConversation = {
    conversationId: id,
    memberIds,
    sticky,
    by: refer(yield* CurrentActor),
    causation: yield* CurrentCausation,
    since: now
  }
  const lastAssigneeId = sticky ? yield* (yield* Workloads).lastOf(contactId) : null
  const { planned } = yield* takeMembers({ ...queued, contactId, priority, waitingSince, lastAssigneeId })
  const before = yield* lockConversation(id)
  if (isLookedAfter(before)) return unchanged
  const handing = planned.find((each) => each.conversation.conversationId === id)
  if (handing === undefined) {
    if (whenNone === "leave") return unchanged
    yield* queue(queued)
    return { kind: "queued" } satisfies AutoAssigned
  }
  const { assigneeId } = handing
  yield* Effect.orDie(keepConversations([{ before, after: assigned(before, assigneeId, now) }]))
  return { kind: "assigned", assigneeId } satisfies AutoAssigned
})
