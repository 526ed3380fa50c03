import { Effect } from "effect"
import { CurrentActor, NotFound, PermissionDenied } from "../../kernel/index.ts"
import { Users } from "./Users.ts"

/** The signed-in user who acts. */
export const currentUserActor = Effect.filterOrFail(
  CurrentActor,
  (actor) => actor.kind === "user",
  () => new PermissionDenied({ permission: "user" })
)

/** A user who must be there. */
export const userOf = Effect.fnUntraced(function* (id: Parameters<Users["Service"]["find"]>[0]) {
  const user = yield* (yield* Users).find(id)
  return user === null ? yield* new NotFound({ resource: "user" }) : user
})
