import { Context, type DateTime, Effect } from "effect"
import {
  CurrentActor,
  invalid,
  layerPort,
  NotFound,
  type Permission,
  toActorRef,
  type TenantScoped,
  type Transaction,
  UserId
} from "../../kernel/index.ts"
import { type Member, MemberResponsibilities, Members, permissionsOfRole } from "../../platform/identity/index.ts"
import type { Assignee } from "./Conversation.ts"
import type { ConversationId } from "./Message.ts"
import { Workloads } from "./assigning/AssignmentQueue.ts"
import { appendEvent } from "./events.ts"

/** Current user; `null` if the actor is not a person. */
export const currentUserId = Effect.map(CurrentActor, (actor) => {
  const { id, kind } = toActorRef(actor)
  return kind === "user" ? UserId.make(id) : null
})

/** Returns the user that `me` refers to. */
export const requireCurrentUser = Effect.fnUntraced(function* (pointer: string) {
  return (yield* currentUserId) ?? (yield* invalid(pointer, "Only a signed-in user can use `me`"))
})

const isActive = (member: Member | null): member is Member => member?.status === "active"

const requireMemberWith = (member: Member | null, permission: Permission, pointer: string) =>
  isActive(member) && permissionsOfRole(member.role).has(permission)
    ? Effect.void
    : Effect.fail(new NotFound({ resource: "member", pointer }))

const lockAssignableMember = (id: UserId, pointer: string) =>
  Effect.map(
    Effect.flatMap(Members, (members) => members.lockByUser(id)),
    (member) => requireMemberWith(member, "conversations.manage", pointer)
  )

/**
 * Locks the assignee against concurrent removal. `fits` fails unless the user is a member with access to conversations. Call it before locking a
 * conversation, because the removal of a member locks in the same order.
 */
export const lockAssignee = Effect.fnUntraced(function* (assignee: Assignee, pointer: string) {
  if (assignee === null) return { assigneeId: null, fits: Effect.void }
  const assigneeId = assignee === "me" ? yield* requireCurrentUser(pointer) : assignee
  return { assigneeId, fits: yield* lockAssignableMember(assigneeId, pointer) }
})

/** Fails unless the mentioned user can read conversations. */
export const requireReader = Effect.fnUntraced(function* (id: UserId, pointer: string) {
  yield* requireMemberWith(yield* (yield* Members).findByUser(id), "conversations.read", pointer)
})

/** Conversations assigned to members. */
export class AssignedConversations extends Context.Service<
  AssignedConversations,
  TenantScoped<{
    /** Unassigns all conversations of this user, including resolved ones, with versions raised by one. Returns them. */
    readonly release: (
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationId>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/AssignedConversations") {}

/** Responsibility of members in the inbox: conversations. */
export const layerMemberResponsibilities = layerPort(MemberResponsibilities, {
  release: Effect.fnUntraced(function* (userId: UserId, now: DateTime.Utc) {
    yield* (yield* Workloads).forget(userId)
    for (const conversationId of yield* (yield* AssignedConversations).release(userId, now)) {
      yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId: null })
    }
  })
})
