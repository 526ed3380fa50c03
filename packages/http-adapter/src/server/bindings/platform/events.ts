import { Clock, DateTime, Effect, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { CurrentActor, CurrentOrganization, invalid, type Timestamp, toActorRef } from "@parley/domain/kernel"
import type { FollowRequest, LiveEvent } from "@parley/domain/platform"
import { listEventTypes, toPublishedEventType } from "@parley/domain/integrations"
import { eventTypes, type FeedBatch, followEvents, listEvents } from "@parley/domain/composition"
import { EventsApi, eventStream, FeedEvent } from "../../../api/events.ts"
import { countEvent } from "../../Exchange.ts"
import { OpenStreams, type Reader } from "../../OpenStreams.ts"
import { inItsTime } from "../../StorageFaults.ts"
import { acceptsType } from "../../contentNegotiation.ts"
import { automation, invited, samplePage, actor } from "../../examples/samples.ts"
import { withFaultPointers } from "../../faults.ts"
import { bindWith, inQuery } from "../bind.ts"

const encodeRow = Schema.encodeUnknownEffect(Schema.fromJsonString(Schema.toCodecJson(FeedEvent)))

/** Time that a client waits before it reconnects. */
const retryMillis = 2_000

/** Sends an id without data. Clients get no event, and a reconnect continues from this id. */
const sayWhere = (cursor: string) => `: keep-alive\nid: ${cursor}\nretry: ${retryMillis}\n\n`

const countLag = Effect.fnUntraced(function* (data: FeedBatch["data"]) {
  const now = yield* Clock.currentTimeMillis
  yield* Effect.forEach(data, ({ event }) => countEvent(now - DateTime.toEpochMillis(event.at)), { discard: true })
})

/** A live event has no id, so a reconnect continues after the last logged event. */
const writeLive = ({ data, type }: LiveEvent) =>
  Sse.encoder.write({ _tag: "Event", event: type, data: JSON.stringify({ type, ...data }), id: undefined })

const render = (batch: FeedBatch) =>
  Effect.map(renderLogged(batch), (logged) => [logged, ...(batch.live ?? []).map(writeLive)].join(""))

const renderLogged = ({ data, live = [], nextCursor }: FeedBatch) =>
  data.length === 0
    ? Effect.succeed(live.length > 0 ? "" : sayWhere(nextCursor))
    : Effect.forEach(data, ({ cursor, event }) =>
        Effect.map(encodeRow({ ...event, cursor }), (row) =>
          Sse.encoder.write({ _tag: "Event", id: cursor, event: event.event.type, data: row })
        )
      ).pipe(
        Effect.tap(() => countLag(data)),
        Effect.map((events) => events.join("")),
        Effect.orDie
      )

/** Disables read-ahead: requests more events when the last one is on its way to the reader. */
const noting =
  (reader: Reader) =>
  <A>(stream: Stream.Stream<A>): Stream.Stream<A> =>
    Stream.transformPull(stream, (pull) =>
      Effect.succeed(
        Effect.andThen(
          reader.back,
          Effect.tap(pull, () => reader.given)
        )
      )
    )

/** Streams the events after the cursor until the reader disconnects or the service stops. */
const streamEvents = Effect.fnUntraced(function* (request: FollowRequest) {
  const advances = yield* followEvents(request)
  const streams = yield* OpenStreams
  const caller = toActorRef(yield* CurrentActor)
  const { id } = yield* CurrentOrganization
  const reader = yield* Effect.withFiber((fiber) =>
    streams.open({
      caller: `${caller.kind}:${caller.id}`,
      organizationId: id,
      cut: () => fiber.interruptUnsafe()
    })
  )
  const body = advances.pipe(
    Stream.mapEffect(render),
    Stream.encodeText,
    inItsTime,
    noting(reader),
    Stream.interruptWhen(streams.ending)
  )
  return HttpServerResponse.stream(body, {
    contentType: eventStream,
    headers: {
      "cache-control": "no-store, no-transform",
      // A proxy that buffers answers would delay the events.
      "x-accel-buffering": "no",
      connection: "close"
    }
  })
})

const asked = ({ since, type }: { readonly since?: Timestamp; readonly type?: ReadonlyArray<string> }) => ({
  ...(since !== undefined && { since }),
  ...(type !== undefined && { types: type })
})

export const events = bindWith(
  EventsApi,
  {
    list: {
      uses: listEvents,
      response: samplePage(
        {
          cursor: "eyJrIjpbIjQxIl19",
          position: 41,
          at: invited.invitedAt,
          actor,
          causation: null,
          event: { type: "member.invited", memberId: invited.id, role: invited.role }
        },
        {
          cursor: "eyJrIjpbIjQyIl19",
          position: 42,
          at: automation.createdAt,
          actor,
          causation: null,
          event: { type: "automation.created", automationId: automation.id }
        }
      )
    },
    listTypes: {
      runs: listEventTypes,
      response: { data: eventTypes.filter(({ type }) => type === "member.invited").map(toPublishedEventType) }
    }
  },
  (handlers) =>
    Effect.map(OpenStreams, (streams) =>
      handlers.handleAll({
        list: ({ headers, query, request }) =>
          acceptsType(request.headers.accept, eventStream)
            ? streamEvents({
                ...asked(query),
                cursor: headers["last-event-id"] ?? query.after ?? null,
                live: query.include === "presence"
              }).pipe(Effect.provideService(OpenStreams, streams), withFaultPointers(inQuery))
            : query.include !== undefined
              ? invalid("/include", "Only event streams include the presence of members")
              : Effect.map(
                  listEvents({ ...asked(query), page: { limit: query.limit ?? 25, cursor: query.after ?? null } }).pipe(
                    withFaultPointers(inQuery)
                  ),
                  ({ data, nextCursor }) => ({
                    data: data.map(({ cursor, event }) => ({ ...event, cursor })),
                    nextCursor
                  })
                )
      })
    )
)
