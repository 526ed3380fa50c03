import {
  authorize,
  CurrentActor,
  CurrentOrganization,
  NotFound,
  OrganizationDirectory,
  TokenSigner,
  Unauthenticated
} from "@parley/domain"
import { Effect, Redacted } from "effect"

/** The caller and the shop: the token comes from the header, the shop from the path. */
export interface Caller {
  readonly authorization: string | undefined
  readonly shop: string
}

/** Runs a use case as the caller within the shop's organization. An edge needs nothing else. */
export const asCaller =
  ({ authorization, shop }: Caller) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const token = authorization?.replace(/^Bearer /i, "") ?? ""
      if (token === "") return yield* new Unauthenticated()
      const claims = yield* (yield* TokenSigner).verify(Redacted.make(token), ["session", "automation"])
      if (claims.use === "docs" || claims.use === "operator") return yield* new Unauthenticated()
      const organization = yield* (yield* OrganizationDirectory).findBySlug(shop)
      if (organization === null) return yield* new NotFound({ resource: "shop" })
      const { actor } = yield* authorize(claims, organization.id)
      return yield* useCase.pipe(
        Effect.provideService(CurrentOrganization, { id: organization.id }),
        Effect.provideService(CurrentActor, actor)
      )
    })
