import { Effect, type Schema } from "effect"
import { record } from "../audit/index.ts"
import { CurrentActor, CurrentOrganization, OrganizationId, type SessionId, type UserId } from "../../kernel/index.ts"
import { Accounts } from "./Accounts.ts"
import { userActor } from "./admission.ts"

/** Stands for the service as a whole: where changes are recorded that concern no organization. */
export const platform = OrganizationId.make("00000000-0000-0000-0000-000000000000")

type Change = { readonly before?: Record<string, Schema.Json>; readonly after?: Record<string, Schema.Json> }

/** Records, in every organization of the user, a change to what belongs to the user and not to an organization. */
export const recordOnUser = Effect.fnUntraced(function* (userId: UserId, action: string, change: Change = {}) {
  const affiliations = yield* (yield* Accounts).affiliations(userId)
  const places = affiliations.length === 0 ? [platform] : affiliations.map(({ organization }) => organization.id)
  yield* Effect.forEach(
    places,
    (id) =>
      record(action, { kind: "user", id: userId }, change).pipe(Effect.provideService(CurrentOrganization, { id })),
    { discard: true }
  )
})

/** The same, where the user is the actor and no edge has said so: a login, a refresh. */
export const recordForUser = (userId: UserId, sessionId: SessionId, action: string) =>
  recordOnUser(userId, action).pipe(Effect.provideService(CurrentActor, userActor(userId, sessionId)))
