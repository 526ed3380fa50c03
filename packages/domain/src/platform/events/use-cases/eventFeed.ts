import { Clock, type DateTime, Duration, Effect, Option, Stream } from "effect"
import {
  type CurrentActor,
  type CurrentOrganization,
  Cursors,
  type EventShape,
  invalid,
  type PageRequest,
  useCase
} from "../../../kernel/index.ts"
import { accessTokenLifetime, type Accounts, isStillAuthorized } from "../../identity/index.ts"
import {
  resolveStartPosition,
  type EventCatalogue,
  EventLog,
  type LoggedEvent,
  makeEventDecoder,
  resolveEventTypes
} from "../EventLog.ts"
import { EventListeners, type OrganizationLogListener } from "../EventListeners.ts"

/** Which events to read: of some types, or whatever begins as `contact.*`; all that the actor may see if nothing is said. */
export interface EventListRequest {
  readonly types?: ReadonlyArray<string>
  /** Begins before whatever happened at this time or later, where no cursor says where. */
  readonly since?: DateTime.Utc
}

/** Reads the events after the cursor, oldest first. The cursor it gives is always good to go on from, at the end too. */
export const makeListEvents = <Event extends EventShape>(catalogue: EventCatalogue<Event>) => {
  const readAll = makeEventDecoder(catalogue)
  return useCase(
    "events.list",
    { access: { permission: "events.read" } },
    Effect.fnUntraced(function* ({ since, types: asked }: EventListRequest, page: PageRequest) {
      const log = yield* EventLog
      const cursors = yield* Cursors
      if (since !== undefined && page.cursor !== null) return yield* invalid("/since", "Expected one of: since, after")
      const start = yield* resolveStartPosition(page.cursor, since)
      const types = yield* resolveEventTypes(catalogue, asked)
      // What is in the log up to here was looked through when the list ends, whatever was found.
      const head = yield* log.head()
      const events = yield* readAll(
        yield* log.list(types, { limit: page.limit, after: start === null ? null : [String(start)] })
      )
      const last = events.at(-1)?.position ?? start ?? 0
      const key = [String(events.length < page.limit ? Math.max(last, head) : last)]
      const data = yield* Effect.forEach(events, (event) =>
        Effect.map(cursors.seal("events", [String(event.position)]), (cursor) => ({ cursor, event }))
      )
      return { data, nextCursor: yield* cursors.seal("events", key) }
    })
  )
}

/** From where to follow: after a cursor of the feed, or with what happens from now on; and which events, as a list of them has it. */
export interface FollowRequest extends EventListRequest {
  readonly cursor: string | null
}

/** The next events, or none while it is quiet. `nextCursor` is always good to go on from. */
export interface FeedBatchOf<Event extends EventShape> {
  readonly data: ReadonlyArray<{ readonly cursor: string; readonly event: LoggedEvent<Event> }>
  readonly nextCursor: string
}

const batchSize = 100

/** How often to ask whether the actor still stands as it did. An answer may be as old again, which makes a second. */
const authorizationCheckMillis = 500

/** How often to look without a sign. */
const pollMillis = 5_000

/** How long it may be quiet before that is said. */
const keepAliveMillis = 15_000

/** How long to leave between two looks, so that a burst of commits is read at once. */
const batchDelayMillis = 50

/** Where a follower is. Everything up to the position has been given, or is not for this actor's eyes. */
interface FeedPosition {
  readonly position: number
  readonly saidAt: number | null
  readonly polledAt: number
  readonly lookedAt: number
  readonly isBehind: boolean
}

const sealPosition = Effect.fnUntraced(function* (position: number) {
  return yield* (yield* Cursors).seal("events", [String(position)])
})

const toFeedBatch = Effect.fnUntraced(function* <Event extends EventShape>(
  events: ReadonlyArray<LoggedEvent<Event>>,
  position: number
) {
  const data = yield* Effect.forEach(events, (event) =>
    Effect.map(sealPosition(event.position), (cursor) => ({ cursor, event }))
  )
  return { data, nextCursor: yield* sealPosition(position) } satisfies FeedBatchOf<Event>
})

const awaitListener = (listener: OrganizationLogListener, millis: number) =>
  Effect.map(Effect.timeoutOption(listener.next, Duration.millis(millis)), Option.isSome)

/** What was looked through. */
interface FoundEvents<Event extends EventShape> {
  readonly events: ReadonlyArray<LoggedEvent<Event>>
  readonly isBehind: boolean
  readonly position: number
}

type Needs = Accounts | CurrentActor | CurrentOrganization | Cursors | EventLog

/** What comes after a place, and the place after that; nothing once the actor no longer stands as it did. */
const makeFeedReader = <Event extends EventShape>(
  listener: OrganizationLogListener,
  types: ReadonlyArray<string>,
  readAll: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<ReadonlyArray<LoggedEvent<Event>>>,
  until: number
) => {
  const read = Effect.fnUntraced(function* (
    from: number,
    head: number
  ): Effect.fn.Return<FoundEvents<Event>, never, Needs> {
    const events = yield* readAll(yield* (yield* EventLog).list(types, { limit: batchSize, after: [String(from)] }))
    const isBehind = events.length === batchSize
    const last = events.at(-1)?.position ?? from
    return { events, isBehind, position: isBehind ? last : Math.max(last, head) }
  })

  /** Asking for the head first also takes the place past what the actor may not see, so that this is not read again. */
  const poll = Effect.fnUntraced(function* (from: number): Effect.fn.Return<FoundEvents<Event>, never, Needs> {
    const head = yield* (yield* EventLog).head()
    return head > from ? yield* read(from, head) : { events: [], isBehind: false, position: from }
  })

  return Effect.fnUntraced(function* (
    from: FeedPosition
  ): Effect.fn.Return<readonly [ReadonlyArray<FeedBatchOf<Event>>, Option.Option<FeedPosition>], never, Needs> {
    let place = from
    while (true) {
      const now = yield* Clock.currentTimeMillis
      if (now >= until || !(yield* isStillAuthorized)) return [[], Option.none()]
      const isPoll = now >= place.polledAt + pollMillis
      const heard = place.isBehind || isPoll || (yield* awaitListener(listener, authorizationCheckMillis))
      if (heard) {
        const rest = place.isBehind ? 0 : place.lookedAt + batchDelayMillis - (yield* Clock.currentTimeMillis)
        if (rest > 0) yield* Effect.sleep(rest)
        const found = yield* isPoll ? poll(place.position) : read(place.position, place.position)
        const lookedAt = yield* Clock.currentTimeMillis
        place = {
          position: found.position,
          isBehind: found.isBehind,
          lookedAt,
          polledAt: isPoll ? now : place.polledAt,
          saidAt: place.saidAt
        }
        if (found.events.length > 0) {
          return [[yield* toFeedBatch(found.events, place.position)], Option.some({ ...place, saidAt: lookedAt })]
        }
      }
      const present = yield* Clock.currentTimeMillis
      if (place.saidAt === null || present >= place.saidAt + keepAliveMillis) {
        return [[yield* toFeedBatch<Event>([], place.position)], Option.some({ ...place, saidAt: present })]
      }
    }
  })
}

/**
 * Follows the events after the cursor, oldest first, as they happen. It begins by saying where it is, says so again
 * whenever it has been quiet for a while, and reads no further ahead than it is asked to. It ends within a second after
 * the actor has lost or gained anything here, and when an access token would have expired.
 */
export const makeFollowEvents = <Event extends EventShape>(catalogue: EventCatalogue<Event>) => {
  const readAll = makeEventDecoder(catalogue)
  return useCase(
    "events.follow",
    { access: { permission: "events.read" } },
    Effect.fnUntraced(function* ({ cursor, since, types: asked }: FollowRequest) {
      const log = yield* EventLog
      const signals = yield* EventListeners
      const types = yield* resolveEventTypes(catalogue, asked)
      const begun = yield* Clock.currentTimeMillis
      // Whoever comes back with the id of the last event goes on after it, whatever they began with.
      const position = (yield* resolveStartPosition(cursor, since)) ?? (yield* log.head())
      const context = yield* Effect.context<Needs>()
      const start: FeedPosition = {
        position,
        saidAt: null,
        polledAt: -Infinity,
        lookedAt: -Infinity,
        isBehind: false
      }
      return Stream.unwrap(
        Effect.map(signals.listen(), (listener) =>
          Stream.paginate(
            start,
            makeFeedReader(listener, types, readAll, begun + Duration.toMillis(accessTokenLifetime))
          )
        )
      ).pipe(Stream.provideContext(context))
    })
  )
}
