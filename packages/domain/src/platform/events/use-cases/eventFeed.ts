import { Clock, type DateTime, Duration, Effect, Option, Stream } from "effect"
import {
  CurrentActor,
  type CurrentOrganization,
  Cursors,
  type EventShape,
  hasPermission,
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
import { EventListeners, type LiveEvent, type OrganizationLogListener } from "../EventListeners.ts"

/** Event types to read: names or prefixes such as `contact.*`. Default: all types that the actor may see. */
export interface EventListRequest {
  readonly types?: ReadonlyArray<string>
  /** Starts before every event of this time or later. Ignored if a cursor is set. */
  readonly since?: DateTime.Utc
}

/** Reads the events after the cursor, oldest first. The returned cursor is always valid for the next request, also at the end of the log. */
export const makeListEvents = <Event extends EventShape>(catalogue: EventCatalogue<Event>) => {
  const readAll = makeEventDecoder(catalogue)
  return useCase(
    { name: "events.list", access: { permission: "events.read" } },
    Effect.fnUntraced(function* ({ since, types: asked, page }: { readonly page: PageRequest } & EventListRequest) {
      const log = yield* EventLog
      const cursors = yield* Cursors
      if (since !== undefined && page.cursor !== null)
        return yield* invalid("/since", "Expected since or after, not both")
      const start = yield* resolveStartPosition(page.cursor, since)
      const types = yield* resolveEventTypes(catalogue, asked)
      // At the end of the list, the log is searched up to this position, with or without matches.
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

/** Start of the feed: a feed cursor, or the current end of the log. The event types are the same as in a list. */
export interface FollowRequest extends EventListRequest {
  readonly cursor: string | null
  /** Whether to include live events. They are not logged. */
  readonly live?: boolean
}

/** The next events; empty while no event arrives. `nextCursor` is always valid for the next request. */
export interface FeedBatchOf<Event extends EventShape> {
  readonly data: ReadonlyArray<{ readonly cursor: string; readonly event: LoggedEvent<Event> }>
  readonly nextCursor: string
  /** Live events, which happened after the events of earlier batches. */
  readonly live?: ReadonlyArray<LiveEvent>
}

const batchSize = 100

/** Interval of the authorization check. A result may be equally old, so a change takes effect within a second. */
const authorizationCheckMillis = 500

/** Poll interval without a notification. */
const pollMillis = 5_000

/** Idle time before an empty batch is sent. */
const keepAliveMillis = 15_000

/** Delay between two reads, to read a burst of commits together. */
const batchDelayMillis = 50

/** Position of a follower. All events up to it were delivered or are not visible to the actor. */
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
  position: number,
  live: ReadonlyArray<LiveEvent> = []
) {
  const data = yield* Effect.forEach(events, (event) =>
    Effect.map(sealPosition(event.position), (cursor) => ({ cursor, event }))
  )
  const nextCursor = yield* sealPosition(position)
  return { data, nextCursor, ...(live.length > 0 && { live }) } satisfies FeedBatchOf<Event>
})

const awaitListener = (listener: OrganizationLogListener, millis: number) =>
  Effect.map(Effect.timeoutOption(listener.next, Duration.millis(millis)), Option.isSome)

/** Result of a search in the log. */
interface FoundEvents<Event extends EventShape> {
  readonly events: ReadonlyArray<LoggedEvent<Event>>
  readonly isBehind: boolean
  readonly position: number
}

type Needs = Accounts | CurrentActor | CurrentOrganization | Cursors | EventLog

/** Reads the events after a position, and returns the next position. Ends when the authorization of the actor has changed. */
const makeFeedReader = <Event extends EventShape>(
  listener: OrganizationLogListener,
  types: ReadonlyArray<string>,
  readAll: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<ReadonlyArray<LoggedEvent<Event>>>,
  until: number,
  takeLive: Effect.Effect<ReadonlyArray<LiveEvent>>
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

  /** Reads the head first. The position then skips events that the actor may not see, so they are not read again. */
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
        const live = yield* takeLive
        if (found.events.length > 0 || live.length > 0) {
          return [[yield* toFeedBatch(found.events, place.position, live)], Option.some({ ...place, saidAt: lookedAt })]
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
 * Follows the events after the cursor, oldest first, as they occur. The first batch contains the start position; an empty batch repeats the position
 * after each idle time. It reads ahead only on demand. It ends within a second after the actor's access has changed, and at the expiry of an access
 * token.
 */
export const makeFollowEvents = <Event extends EventShape>(catalogue: EventCatalogue<Event>) => {
  const readAll = makeEventDecoder(catalogue)
  return useCase(
    { name: "events.follow", access: { permission: "events.read" } },
    Effect.fnUntraced(function* ({ cursor, live = false, since, types: asked }: FollowRequest) {
      const log = yield* EventLog
      const signals = yield* EventListeners
      const types = yield* resolveEventTypes(catalogue, asked)
      const begun = yield* Clock.currentTimeMillis
      const actor = yield* CurrentActor
      // A reconnecting client continues after the id of the last event, regardless of its original start.
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
            makeFeedReader(
              listener,
              types,
              readAll,
              begun + Duration.toMillis(accessTokenLifetime),
              Effect.map(listener.takeLive, (events) =>
                events.filter(({ permission }) => live && hasPermission(actor, permission))
              )
            )
          )
        )
      ).pipe(Stream.provideContext(context))
    })
  )
}
