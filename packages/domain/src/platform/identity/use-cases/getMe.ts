import { Effect } from "effect"
import { getEntitlements } from "../../entitlements/index.ts"
import { CurrentActor, PermissionDenied, permissionsOf, useCase } from "../../../kernel/index.ts"
import { Organizations } from "../Organizations.ts"
import { userOf } from "../currentUser.ts"

/** Says who acts, where, as what, and what the plan allows there. */
export const getMe = useCase(
  "identity.getMe",
  { access: { permission: "organization.read" } },
  Effect.fnUntraced(function* () {
    const actor = yield* CurrentActor
    const organization = yield* (yield* Organizations).current()
    if (actor.kind !== "user" && actor.kind !== "token") return yield* new PermissionDenied({ permission: "user" })
    return {
      user: yield* userOf(actor.kind === "user" ? actor.userId : actor.responsibleUserId),
      organization,
      membership: {
        role: actor.kind === "user" ? actor.role : null,
        permissions: Array.from(permissionsOf(actor))
      },
      entitlements: yield* getEntitlements()
    }
  })
)
