import { Effect } from "effect"
import type { OrganizationId } from "../../kernel/index.ts"
import { Accounts } from "./Accounts.ts"
import { OrganizationForbidden, OrganizationHeaderMissing } from "./Errors.ts"

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
