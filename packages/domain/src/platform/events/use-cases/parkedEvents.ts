import { Effect, Schema, Stream } from "effect"
import { CurrentOrganization, OrganizationId, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import type { EventConsumerName } from "../EventConsumer.ts"
import { allOrganizations, ParkedEvent, requireKnownConsumer, EventCursors } from "../EventCursors.ts"

/** Parked event with its organization. */
export const ParkedEventView = Schema.Struct({
  ...ParkedEvent.fields,
  organizationId: OrganizationId,
  /** Slug of the organization. */
  organization: Schema.String
})
export type ParkedEventView = typeof ParkedEventView.Type

/** Filter for parked events. All set fields must match. */
export interface ParkedEventFilter {
  readonly consumer: EventConsumerName | null
  readonly organizationId: OrganizationId | null
}

/** Lists parked events for an operator: by organization, earliest first, up to the limit. */
export const listParkedEvents = useCase(
  { name: "consumers.listParked", access: "operator" },
  Effect.fnUntraced(function* ({ consumer, organizationId, limit }: { readonly limit: number } & ParkedEventFilter) {
    if (consumer !== null) yield* requireKnownConsumer(consumer)
    const cursors = yield* EventCursors
    const found = allOrganizations.pipe(
      Stream.filter(({ id }) => organizationId === null || id === organizationId),
      Stream.mapEffect(({ id, slug }) =>
        Effect.map(
          Effect.provideService(cursors.listParked(consumer, { limit, after: null }), CurrentOrganization, {
            id
          }),
          (events) =>
            events.map((event): ParkedEventView => ({
              ...event,
              organizationId: id,
              organization: slug
            }))
        )
      ),
      Stream.flattenIterable,
      Stream.take(limit)
    )
    return yield* Stream.runCollect(found)
  })
)

/** Schedules parked events of an event consumer for replay: one event, or all events of the organization. Returns the count. */
export const replayParkedEvents = useCase(
  { name: "consumers.replayParked", access: "operator", audit: "consumer.parked_replayed" },
  Effect.fnUntraced(function* ({
    name,
    position = null
  }: {
    readonly name: EventConsumerName
    readonly position?: number | null
  }) {
    yield* requireKnownConsumer(name)
    const events = yield* (yield* EventCursors).replayParked(name, position)
    if (events > 0) {
      yield* recordAudit(
        "consumer.parked_replayed",
        { kind: "event_consumer", id: name },
        { after: { position, events } }
      )
    }
    return events
  }, transact)
)

/** Discards a parked event. The event consumer never handles it. The event stays in the log. */
export const skipParkedEvent = useCase(
  { name: "consumers.skipParked", access: "operator", audit: "consumer.parked_skipped" },
  Effect.fnUntraced(function* ({ name, position }: { readonly name: EventConsumerName; readonly position: number }) {
    yield* requireKnownConsumer(name)
    yield* (yield* EventCursors).unpark(name, position)
    yield* recordAudit("consumer.parked_skipped", { kind: "event_consumer", id: name }, { before: { position } })
  }, transact)
)
