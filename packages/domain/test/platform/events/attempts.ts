import {
  forgetEventConsumer,
  listParkedEvents,
  listEventConsumers,
  platformOrganizationId,
  replayParkedEvents,
  rewindEventConsumer,
  skipParkedEvent,
  EventConsumerDirectory,
  EventConsumerName,
  EventCursors,
  transact,
  followEvents,
  listEvents
} from "@parley/domain"
import { DateTime, Effect } from "effect"
import { asOwner, attempt, type Prepare, reads, type World, firstPage } from "../../attempting.ts"

const name = EventConsumerName.make("crm.clear_tags")
const gone = EventConsumerName.make("crm.gone")

const target = (id: EventConsumerName) => ({ kind: "subscriber", id })

/** Makes the event consumer park the first event. */
const givenParked = Effect.fnUntraced(function* (world: World, subscriber: EventConsumerName) {
  const cursors = yield* EventCursors
  const now = yield* DateTime.now
  yield* (yield* EventConsumerDirectory).add([subscriber], now)
  const failed = { after: 0, position: 1, attempts: 8, reason: "No." }
  const parked = Effect.andThen(cursors.begin(subscriber, null), cursors.park(subscriber, failed, now))
  yield* asOwner(world, transact(parked))
})

/** An attempt at each use case of subscribers, by name. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "events.follow": reads(() => followEvents({ cursor: null })),
  "events.list": reads(() => listEvents({ page: firstPage })),
  "subscribers.list": reads(() => listEventConsumers()),
  "subscribers.listParked": reads(() => listParkedEvents({ consumer: null, organizationId: null, limit: 10 })),
  "subscribers.replayParked": (world) =>
    Effect.map(givenParked(world, name), () =>
      attempt(replayParkedEvents({ name, position: 1 }), () => ({
        action: "subscriber.parked_replayed",
        target: target(name),
        before: null,
        after: { position: 1, events: 1 },
        event: null
      }))
    ),
  "subscribers.skipParked": (world) =>
    Effect.map(givenParked(world, name), () =>
      attempt(skipParkedEvent({ name, position: 1 }), () => ({
        action: "subscriber.parked_skipped",
        target: target(name),
        before: { position: 1 },
        after: null,
        event: null
      }))
    ),
  "subscribers.rewind": (world) =>
    Effect.map(givenParked(world, name), () =>
      attempt(rewindEventConsumer({ name, to: 0 }), () => ({
        action: "subscriber.rewound",
        target: target(name),
        before: { position: 1, parked: 1 },
        after: { position: 0, parked: 0 },
        event: null
      }))
    ),
  "subscribers.forget": (world) =>
    Effect.map(givenParked(world, gone), () =>
      attempt(forgetEventConsumer({ name: gone }), () => ({
        action: "subscriber.forgotten",
        target: target(gone),
        before: null,
        after: null,
        place: platformOrganizationId,
        event: null
      }))
    )
}
