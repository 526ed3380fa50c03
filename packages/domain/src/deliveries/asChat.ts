import { Effect } from "effect"
import { type Actor, CurrentActor, CurrentOrganization, type OrganizationId } from "../kernel/index.ts"

const chat: Actor = { kind: "system", name: "chat" }

/** In this organization, in the name of the provider's side: what contacts do is done by nobody of the team. */
export const asChat =
  (organizationId: OrganizationId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: organizationId }),
      Effect.provideService(CurrentActor, chat)
    )
