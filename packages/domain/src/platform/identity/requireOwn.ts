import { Effect } from "effect"
import { CurrentActor, holds, PermissionDenied } from "../../kernel/index.ts"
import type { MemberId } from "./Member.ts"
import { Members } from "./Members.ts"

/** Only who manages members may do it to others than themselves. */
export const requireOwn = Effect.fnUntraced(function* (id: MemberId) {
  const { userId } = yield* (yield* Members).get(id)
  const actor = yield* CurrentActor
  if (actor.kind === "user" && actor.userId === userId) return
  if (!holds(actor, "members.manage")) return yield* new PermissionDenied({ permission: "members.manage" })
})
