import { Effect, Schema, Stream } from "effect"
import { CurrentOrganization, OrganizationId, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import type { EventConsumerName } from "../EventConsumer.ts"
import { allOrganizations, ParkedEvent, requireKnownConsumer, EventCursors } from "../EventCursors.ts"

/** A parked event, and whose log it stands in. */
export const ParkedEventView = Schema.Struct({
  ...ParkedEvent.fields,
  organizationId: OrganizationId,
  /** Its slug. */
  organization: Schema.String
})
export type ParkedEventView = typeof ParkedEventView.Type

/** Which parked events to show; every part that is set must hold. */
export interface ParkedEventFilter {
  readonly subscriber: EventConsumerName | null
  readonly organizationId: OrganizationId | null
}

/** Shows an operator what subscribers could not handle: organization by organization, the earliest first, so many at most. */
export const listParkedEvents = useCase(
  "subscribers.listParked",
  { access: "operator" },
  Effect.fnUntraced(function* ({ organizationId, subscriber }: ParkedEventFilter, limit: number) {
    if (subscriber !== null) yield* requireKnownConsumer(subscriber)
    const subscriptions = yield* EventCursors
    const found = allOrganizations.pipe(
      Stream.filter(({ id }) => organizationId === null || id === organizationId),
      Stream.mapEffect(({ id, slug }) =>
        Effect.map(
          Effect.provideService(subscriptions.listParked(subscriber, { limit, after: null }), CurrentOrganization, {
            id
          }),
          (events) => events.map((event): ParkedEventView => ({ ...event, organizationId: id, organization: slug }))
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
  Effect.fnUntraced(function* (name: EventConsumerName, position: number | null) {
    yield* requireKnownConsumer(name)
    const events = yield* (yield* EventCursors).replayParked(name, position)
    if (events > 0) {
      yield* recordAudit(
        "subscriber.parked_replayed",
        { kind: "subscriber", id: name },
        { after: { position, events } }
      )
    }
    return events
  }, transact)
)

/** Gives up on a parked event: the subscriber never handles it. It stays in the log. */
export const skipParkedEvent = useCase(
  "subscribers.skipParked",
  { access: "operator" },
  Effect.fnUntraced(function* (name: EventConsumerName, position: number) {
    yield* requireKnownConsumer(name)
    yield* (yield* EventCursors).unpark(name, position)
    yield* recordAudit("subscriber.parked_skipped", { kind: "subscriber", id: name }, { before: { position } })
  }, transact)
)
