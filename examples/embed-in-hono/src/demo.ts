import {
  addMember,
  createOrganization,
  createUser,
  CurrentActor,
  CurrentOrganization,
  Ids,
  OrganizationDirectory,
  type PlanName
} from "@parley/domain"
import { Effect } from "effect"

/** A shop with an owner, as an operator makes one. The password is random, and known only now. */
export const openShop = Effect.fnUntraced(
  function* (slug: string, plan: PlanName) {
    if ((yield* (yield* OrganizationDirectory).findBySlug(slug)) !== null) return null
    const password = yield* (yield* Ids).secret(12)
    const organization = yield* createOrganization({
      name: "Blue Bakery",
      slug,
      plan,
      timezone: "Europe/Berlin",
      locale: "de",
      currency: "EUR"
    })
    const owner = yield* createUser({
      email: `owner@${slug}.example`,
      name: "Ada Lovelace",
      password,
      isTemporary: false
    })
    yield* addMember({ userId: owner.id, role: "owner" }).pipe(
      Effect.provideService(CurrentOrganization, { id: organization.id })
    )
    return { email: owner.email, password }
  },
  Effect.provideService(CurrentActor, { kind: "operator", name: "shop" }),
  Effect.orDie
)
