import { Effect } from "effect"
import { getEntitlements } from "../../entitlements/index.ts"
import { CurrentActor, type OrganizationId, PermissionDenied, permissionsOf, useCase } from "../../kernel/index.ts"
import { Accounts } from "../Accounts.ts"
import { OrganizationForbidden, OrganizationHeaderMissing } from "../Errors.ts"
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

/** The organization that a user without a header means: the only one there is. */
export const onlyOrganization = Effect.fnUntraced(function* (
  userId: Parameters<Accounts["Service"]["affiliations"]>[0]
) {
  const affiliations = yield* (yield* Accounts).affiliations(userId)
  const [only, another] = affiliations
  if (only === undefined) return yield* new OrganizationForbidden()
  if (another !== undefined) return yield* new OrganizationHeaderMissing()
  return only.organization.id satisfies OrganizationId
})
