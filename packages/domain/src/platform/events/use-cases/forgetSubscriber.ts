import { Effect, Stream } from "effect"
import { record } from "../../audit/index.ts"
import { platform } from "../../identity/index.ts"
import { CurrentOrganization, transact, useCase } from "../../../kernel/index.ts"
import { allOrganizations } from "../allOrganizations.ts"
import { SubscriberDeclared, SubscriberUnknown } from "../Errors.ts"
import { requireKnown } from "../requireKnown.ts"
import type { DeclaredSubscriber } from "../Subscriber.ts"
import { SubscriberDirectory, Subscriptions } from "../Subscriptions.ts"

/**
 * Forgets a subscriber that is gone from the code: how far it had come in each organization, and what it could not handle.
 * Each organization is a unit of work, and the name goes last, so that what was cut off can be repeated.
 */
export const forgetSubscriberOf = (declared: ReadonlyArray<Pick<DeclaredSubscriber, "name">>) =>
  useCase(
    "subscribers.forget",
    { access: "operator" },
    Effect.fnUntraced(function* (name: DeclaredSubscriber["name"]) {
      if (declared.some((each) => each.name === name)) return yield* new SubscriberDeclared({ name })
      yield* requireKnown(name)
      const subscriptions = yield* Subscriptions
      const directory = yield* SubscriberDirectory
      yield* Stream.runForEach(allOrganizations, ({ id }) =>
        Effect.provideService(transact(subscriptions.remove(name)), CurrentOrganization, { id })
      )
      const removed = Effect.andThen(
        directory.remove(name),
        record("subscriber.forgotten", { kind: "subscriber", id: name })
      )
      yield* transact(removed).pipe(
        Effect.catchTag("NotFound", () => new SubscriberUnknown({ name })),
        Effect.provideService(CurrentOrganization, { id: platform })
      )
    })
  )
