import { Effect } from "effect"
import { type Member, Members, permissionsOfRole } from "../identity/index.ts"
import { NotFound, type Permission, type UserId } from "../kernel/index.ts"

const isActive = (member: Member | null): member is Member => member?.status === "active"

const requireMember = (permission: Permission) =>
  Effect.fnUntraced(function* (id: UserId, pointer: string) {
    const member = yield* (yield* Members).findByUser(id)
    if (isActive(member) && permissionsOfRole(member.role).has(permission)) return
    return yield* new NotFound({ resource: "member", pointer })
  })

/** Refuses to hand a conversation to somebody who is no member here, or may not work on conversations. */
export const requireAssignee = requireMember("conversations.manage")

/** Refuses to call somebody who could not read what is called to their attention. */
export const requireReader = requireMember("conversations.read")
