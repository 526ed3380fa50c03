import type { UserId } from "@parley/domain/kernel"
import { Availability } from "@parley/domain/platform"
import type { ContactId } from "@parley/domain/crm"
import { type Conversation, type Workload, Workloads } from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State, type Tenant } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const conversationsOf = (tenant: Tenant): ReadonlyArray<Conversation> =>
  HashMap.toValues(tenant.conversations).map(({ conversation }) => conversation)

const latestFirst = (one: Conversation, other: Conversation) =>
  DateTime.Order(other.lastActivityAt, one.lastActivityAt) || (one.id < other.id ? 1 : -1)

/** Returns the last assignee of the contact. */
export const lastAssigneeOf = (tenant: Tenant, contactId: ContactId): UserId | null =>
  conversationsOf(tenant)
    .filter((each) => each.contactId === contactId && each.assigneeId !== null)
    .toSorted(latestFirst)[0]?.assigneeId ?? null

const all = (tenant: Tenant, state: State): ReadonlyArray<Workload> => {
  const conversations = conversationsOf(tenant)
  return HashMap.toValues(tenant.members).flatMap(({ availability = new Availability({}), member }) => {
    const { id: memberId, role, status, userId } = member
    if (status !== "active" || userId === null || rowAt(state.users, userId)?.user.status !== "active") return []
    const open = conversations.filter((each) => each.assigneeId === userId && each.status === "open").length
    return [{ memberId, userId, role, availability, open, lastAssignedAt: rowAt(tenant.memberTurns, userId) }]
  })
}

export const layer = Layer.effect(
  Workloads,
  Effect.map(Store, (store) =>
    Workloads.of({
      all: () => store.readTenant(all),
      lastOf: (contactId) => store.readTenant((tenant) => lastAssigneeOf(tenant, contactId)),
      recordAssigned: (userIds, now) =>
        store.writeTenant(({ memberTurns }) => [
          undefined,
          {
            memberTurns: userIds.reduce((turns, userId) => {
              const before = rowAt(turns, userId)
              return HashMap.set(turns, userId, before === null ? now : DateTime.max(before, now))
            }, memberTurns)
          }
        ]),
      forget: (userId) =>
        store.writeTenant(({ memberTurns }) => [undefined, { memberTurns: HashMap.remove(memberTurns, userId) }])
    })
  )
)
