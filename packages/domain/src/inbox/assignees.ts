import { Effect } from "effect"
import { type Member, Members, permissionsOfRole } from "../identity/index.ts"
import { NotFound, type Permission, type UserId } from "../kernel/index.ts"

const isActive = (member: Member | null): member is Member => member?.status === "active"

const requireOf = (member: Member | null, permission: Permission, pointer: string) =>
  isActive(member) && permissionsOfRole(member.role).has(permission)
    ? Effect.void
    : Effect.fail(new NotFound({ resource: "member", pointer }))

const mayLookAfter = (id: UserId, pointer: string) =>
  Effect.map(
    Effect.flatMap(Members, (members) => members.takeByUser(id)),
    (member) => requireOf(member, "conversations.manage", pointer)
  )

/**
 * Takes whom a conversation is to be handed to, so that nobody removes them meanwhile. Answers with the refusal of somebody
 * who is no member here, or may not work on conversations. Call it before a conversation is taken: whoever removes a member
 * takes both in that order, too.
 */
export const takeAssignee = (id: UserId | null, pointer: string) =>
  id === null ? Effect.succeed(Effect.void) : mayLookAfter(id, pointer)

/** Refuses to call somebody who could not read what is called to their attention. */
export const requireReader = Effect.fnUntraced(function* (id: UserId, pointer: string) {
  yield* requireOf(yield* (yield* Members).findByUser(id), "conversations.read", pointer)
})
