import { Effect, Schema, Stream } from "effect"
import { CurrentOrganization, OrganizationId, transact, useCase } from "../../../kernel/index.ts"
import { record } from "../../audit/index.ts"
import type { SubscriberName } from "../Subscriber.ts"
import { allOrganizations, ParkedEvent, requireKnown, Subscriptions } from "../Subscriptions.ts"

/** A parked event, and whose log it stands in. */
export const ShownParkedEvent = Schema.Struct({
  ...ParkedEvent.fields,
  organizationId: OrganizationId,
  /** Its slug. */
  organization: Schema.String
})
export type ShownParkedEvent = typeof ShownParkedEvent.Type

/** Which parked events to show; every part that is set must hold. */
export interface ParkedEventFilter {
  readonly subscriber: SubscriberName | null
  readonly organizationId: OrganizationId | null
}

/** Shows an operator what subscribers could not handle: organization by organization, the earliest first, so many at most. */
export const listParkedEvents = useCase(
  "subscribers.listParked",
  { access: "operator" },
  Effect.fnUntraced(function* ({ organizationId, subscriber }: ParkedEventFilter, limit: number) {
    if (subscriber !== null) yield* requireKnown(subscriber)
    const subscriptions = yield* Subscriptions
    const found = allOrganizations.pipe(
      Stream.filter(({ id }) => organizationId === null || id === organizationId),
      Stream.mapEffect(({ id, slug }) =>
        Effect.map(
          Effect.provideService(subscriptions.listParked(subscriber, { limit, after: null }), CurrentOrganization, {
            id
          }),
          (events) => events.map((event): ShownParkedEvent => ({ ...event, organizationId: id, organization: slug }))
        )
      ),
      Stream.flattenIterable,
      Stream.take(limit)
    )
    return yield* Stream.runCollect(found)
  })
)

/** Has what the subscriber could not handle handled once more: one event, or all of the organization. Says how many. */
export const replayParkedEvents = useCase(
  "subscribers.replayParked",
  { access: "operator" },
  Effect.fnUntraced(function* (name: SubscriberName, position: number | null) {
    yield* requireKnown(name)
    const events = yield* (yield* Subscriptions).replayParked(name, position)
    if (events > 0) {
      yield* record("subscriber.parked_replayed", { kind: "subscriber", id: name }, { after: { position, events } })
    }
    return events
  }, transact)
)

/** Gives up on a parked event: the subscriber never handles it. It stays in the log. */
export const skipParkedEvent = useCase(
  "subscribers.skipParked",
  { access: "operator" },
  Effect.fnUntraced(function* (name: SubscriberName, position: number) {
    yield* requireKnown(name)
    yield* (yield* Subscriptions).unpark(name, position)
    yield* record("subscriber.parked_skipped", { kind: "subscriber", id: name }, { before: { position } })
  }, transact)
)
