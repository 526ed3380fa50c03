import { Effect } from "effect"
import { CurrentActor } from "./CurrentActor.ts"
import { CurrentOrganization, type OrganizationId } from "./CurrentOrganization.ts"

/** Runs in an organization what no person has asked for, in the name of this part of the service. */
export const asSystem =
  (name: string) =>
  (id: OrganizationId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id }),
      Effect.provideService(CurrentActor, { kind: "system", name })
    )
