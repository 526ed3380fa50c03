import { Context, type Effect, Schema, type Stream } from "effect"
import type { CurrentActor } from "./CurrentActor.ts"
import { Uuid } from "./Id.ts"

export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** Owner of lanes and idempotency keys without an organization. No organization has this id. */
export const noOrganization = OrganizationId.make("00000000-0000-0000-0000-000000000000")

/**
 * The tenant every use case and every port call runs inside. There is no default.
 *
 * @effect-leakable-service
 */
export class CurrentOrganization extends Context.Service<CurrentOrganization, { readonly id: OrganizationId }>()(
  "@parley/domain/kernel/CurrentOrganization"
) {}

/** What every call of a tenant's port requires: whose it is, and who asks. */
export type Tenancy = CurrentOrganization | CurrentActor

type InTenant<Answer> =
  Answer extends Effect.Effect<infer A, infer E, infer R>
    ? Effect.Effect<A, E, R | Tenancy>
    : Answer extends Stream.Stream<infer A, infer E, infer R>
      ? Stream.Stream<A, E, R | Tenancy>
      : never

/**
 * Adds the tenant and the actor to what each method of a port requires, so a call without them does not compile.
 * A method with type parameters would lose them here; it stands outside, and names `Tenancy` itself.
 */
export type TenantScoped<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => InTenant<Answer>
    : never
}
