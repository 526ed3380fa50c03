import { Effect } from "effect"
import { type Actor, CurrentActor, CurrentOrganization, type OrganizationId } from "../kernel/index.ts"

const chat: Actor = { kind: "system", name: "chat" }

/** In this organization, in the name of the provider's side. */
export const asChat =
  (organizationId: OrganizationId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: organizationId }),
      Effect.provideService(CurrentActor, chat)
    )
