import { transact } from "@parley/domain/kernel"
import {
  listParkedEvents,
  platformOrganizationId,
  replayParkedEvents,
  skipParkedEvent,
  EventConsumerDirectory,
  EventConsumerName,
  EventCursors
} from "@parley/domain/platform"
import {
  forgetEventConsumer,
  listEventConsumers,
  rewindEventConsumer,
  followEvents,
  listEvents
} from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { asOwner, attempt, type Prepare, reads, type World, firstPage } from "../../attempting.ts"

const name = EventConsumerName.make("crm.clear_tags")
const gone = EventConsumerName.make("crm.gone")

const target = (id: EventConsumerName) => ({ kind: "event_consumer", id })

/** Makes the event consumer park the first event. */
const givenParked = Effect.fnUntraced(function* (world: World, consumer: EventConsumerName) {
  const cursors = yield* EventCursors
  const now = yield* DateTime.now
  yield* (yield* EventConsumerDirectory).add([consumer], now)
  const failed = { after: 0, position: 1, attempts: 8, reason: "No." }
  const parked = Effect.andThen(cursors.begin(consumer, null), cursors.park(consumer, failed, now))
  yield* asOwner(world, transact(parked))
})

/** An attempt at each use case of event consumers, by name. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "events.follow": reads(() => followEvents({ cursor: null })),
  "events.list": reads(() => listEvents({ page: firstPage })),
  "consumers.list": reads(() => listEventConsumers()),
  "consumers.listParked": reads(() => listParkedEvents({ consumer: null, organizationId: null, limit: 10 })),
  "consumers.replayParked": (world) =>
    Effect.map(givenParked(world, name), () =>
      attempt(replayParkedEvents({ name, position: 1 }), () => ({
        action: "consumer.parked_replayed",
        target: target(name),
        before: null,
        after: { position: 1, events: 1 },
        event: null
      }))
    ),
  "consumers.skipParked": (world) =>
    Effect.map(givenParked(world, name), () =>
      attempt(skipParkedEvent({ name, position: 1 }), () => ({
        action: "consumer.parked_skipped",
        target: target(name),
        before: { position: 1 },
        after: null,
        event: null
      }))
    ),
  "consumers.rewind": (world) =>
    Effect.map(givenParked(world, name), () =>
      attempt(rewindEventConsumer({ name, to: 0 }), () => ({
        action: "consumer.rewound",
        target: target(name),
        before: { position: 1, parked: 1 },
        after: { position: 0, parked: 0 },
        event: null
      }))
    ),
  "consumers.forget": (world) =>
    Effect.map(givenParked(world, gone), () =>
      attempt(forgetEventConsumer({ name: gone }), () => ({
        action: "consumer.forgotten",
        target: target(gone),
        before: null,
        after: null,
        place: platformOrganizationId,
        event: null
      }))
    )
}
