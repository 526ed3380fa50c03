import {
  AssignmentQueue,
  byPriorityAndWait,
  type Conversation,
  type QueuedConversation
} from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"
import { lastAssigneeOf } from "./Workloads.ts"

const needsNobody = ({ assigneeId, status }: Conversation) => assigneeId !== null || status === "resolved"

const conversationOf = ({ conversations }: Tenant, { conversationId }: QueuedConversation) =>
  rowAt(conversations, conversationId)?.conversation ?? null

const waitingIn = (tenant: Tenant) => (queued: QueuedConversation) => {
  const conversation = conversationOf(tenant, queued)
  if (conversation === null || needsNobody(conversation)) return []
  const { contactId, priority, waitingSince } = conversation
  const lastAssigneeId = queued.sticky ? lastAssigneeOf(tenant, contactId) : null
  return [{ ...queued, contactId, priority, waitingSince, lastAssigneeId }]
}

export const layer = Layer.effect(
  AssignmentQueue,
  Effect.map(Store, (store) =>
    AssignmentQueue.of({
      isEmpty: () => store.readTenant(({ assignmentQueue }) => HashMap.isEmpty(assignmentQueue)),
      put: (queued) =>
        store.writeTenant(({ assignmentQueue }) => {
          const { since } = rowAt(assignmentQueue, queued.conversationId) ?? queued
          return [
            undefined,
            { assignmentQueue: HashMap.set(assignmentQueue, queued.conversationId, { ...queued, since }) }
          ]
        }),
      remove: (ids) =>
        store.writeTenant(({ assignmentQueue }) => [
          undefined,
          { assignmentQueue: HashMap.removeMany(assignmentQueue, ids) }
        ]),
      next: (after, memberIds, limit) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.assignmentQueue)
            .filter(({ since }) => DateTime.isGreaterThan(since, after))
            .filter((each) => each.memberIds === null || each.memberIds.some((id) => memberIds.includes(id)))
            .flatMap(waitingIn(tenant))
            .toSorted(byPriorityAndWait)
            .slice(0, limit)
        ),
      expire: (until) =>
        store.writeTenant((tenant) => [
          undefined,
          {
            assignmentQueue: HashMap.filter(tenant.assignmentQueue, (queued) => {
              const conversation = conversationOf(tenant, queued)
              return DateTime.isGreaterThan(queued.since, until) && conversation !== null && !needsNobody(conversation)
            })
          }
        ]),
      oldest: () =>
        store.readTenant(({ assignmentQueue }) =>
          HashMap.toValues(assignmentQueue)
            .map(({ since }) => since)
            .reduce<DateTime.Utc | null>((first, since) => (first === null ? since : DateTime.min(first, since)), null)
        )
    })
  )
)
