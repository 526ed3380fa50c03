import { Effect } from "effect"
import { CurrentActor, holds, PermissionDenied, type Role } from "../../kernel/index.ts"
import { LastOwner } from "./Errors.ts"
import type { Member } from "./Member.ts"
import { Members } from "./Members.ts"

/** Only an owner makes, changes or removes an owner. */
export const requireRankFor = Effect.fnUntraced(function* (...roles: ReadonlyArray<Role>) {
  if (!roles.includes("owner")) return
  if (!holds(yield* CurrentActor, "owners.manage")) {
    return yield* new PermissionDenied({ permission: "owners.manage" })
  }
})

/** An organization keeps at least one owner who has joined. Call it under the members lock. */
export const requireAnotherOwner = Effect.fnUntraced(function* (member: Member) {
  if (member.role !== "owner" || member.status !== "active") return
  if ((yield* (yield* Members).countOwners()) <= 1) return yield* new LastOwner()
})
