import { Context, type Effect, Schema } from "effect"
import type { CurrentActor } from "./CurrentActor.ts"
import { Uuid } from "./Id.ts"

export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/**
 * The tenant every use case and every port call runs inside. There is no default.
 *
 * @effect-leakable-service
 */
export class CurrentOrganization extends Context.Service<CurrentOrganization, { readonly id: OrganizationId }>()(
  "@parley/domain/kernel/CurrentOrganization"
) {}

/** Adds the tenant and the actor to what each method of a port requires, so a call without them does not compile. */
export type TenantScoped<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer E, infer R>
    ? (...args: Args) => Effect.Effect<A, E, R | CurrentOrganization | CurrentActor>
    : never
}
