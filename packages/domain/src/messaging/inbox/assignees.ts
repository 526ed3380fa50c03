import { Context, type DateTime, Effect } from "effect"
import {
  CurrentActor,
  invalid,
  NotFound,
  type Permission,
  toActorRef,
  type TenantScoped,
  type Transaction,
  UserId
} from "../../kernel/index.ts"
import { type Member, Members, permissionsOfRole } from "../../platform/identity/index.ts"
import type { Assignee } from "./Conversation.ts"
import type { ConversationId } from "./Message.ts"
import { Workloads } from "./assigning/AssignmentQueue.ts"
import { appendEvent } from "./events.ts"

/** The person who asks; `null` where that is none. */
export const currentUserId = Effect.map(CurrentActor, (actor) => {
  const { id, kind } = toActorRef(actor)
  return kind === "user" ? UserId.make(id) : null
})

/** Whom `me` names. */
export const requireCurrentUser = Effect.fnUntraced(function* (pointer: string) {
  return (yield* currentUserId) ?? (yield* invalid(pointer, "Only a signed-in user can say `me`"))
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
 * Takes whom a conversation is to be handed to, so that nobody removes them meanwhile. `fits` refuses somebody who is no
 * member here, or may not work on conversations. Call it before a conversation is taken: whoever removes a member takes
 * both in that order, too.
 */
export const lockAssignee = Effect.fnUntraced(function* (said: Assignee, pointer: string) {
  if (said === null) return { assigneeId: null, fits: Effect.void }
  const assigneeId = said === "me" ? yield* requireCurrentUser(pointer) : said
  return { assigneeId, fits: yield* lockAssignableMember(assigneeId, pointer) }
})

/** Refuses to call somebody who could not read what is called to their attention. */
export const requireReader = Effect.fnUntraced(function* (id: UserId, pointer: string) {
  yield* requireMemberWith(yield* (yield* Members).findByUser(id), "conversations.read", pointer)
})

/** The conversations that members look after. */
export class AssignedConversations extends Context.Service<
  AssignedConversations,
  TenantScoped<{
    /**
     * Leaves every conversation that this user looks after to nobody, resolved ones too, with versions raised by one; says
     * which ones.
     */
    readonly release: (
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationId>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/AssignedConversations") {}

/** What the inbox gives members to look after: conversations. */
export const conversationResponsibility = {
  release: Effect.fnUntraced(function* (userId: UserId, now: DateTime.Utc) {
    yield* (yield* Workloads).forget(userId)
    for (const conversationId of yield* (yield* AssignedConversations).release(userId, now)) {
      yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId: null })
    }
  })
}
