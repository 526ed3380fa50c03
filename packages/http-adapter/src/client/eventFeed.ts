import { DateTime, Duration, Effect, Predicate, Random, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { type HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { eventStream, FeedEvent } from "../api/events.ts"
import type { CallFailure, Follow, FollowFailure } from "./Client.ts"
import { CurrentCall } from "./CurrentCall.ts"

const decodeRow = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.toCodecJson(FeedEvent)))
const decodeAnswer = HttpApiClient.decodeResponse(Api, { group: "events", endpoint: "list" })

/** The service sends a heartbeat every 15 seconds; after three times that, the connection is lost. */
const longestSilence = Duration.seconds(45)

const firstWaitMillis = 200
const longestWaitMillis = 10_000

/** The cursor of a follower, and its failed connections since the last event or heartbeat. */
interface Progress {
  after: string | null
  failures: number
}

const isLost = (failure: FollowFailure) =>
  HttpClientError.isHttpClientError(failure)
    ? failure.reason._tag === "TransportError" || isAway(failure)
    : failure._tag === "ServiceUnavailable"

/** Whether a proxy in front of the service reports it as unavailable. */
const isAway = ({ response }: HttpClientError.HttpClientError) =>
  response !== undefined && [502, 503, 504].includes(response.status)

/** The rows of one connection. Heartbeats advance the cursor as well. */
const rowsOf = <E>(bytes: Stream.Stream<Uint8Array, E>, progress: Progress) =>
  Stream.suspend(() => {
    let arrived: Array<Sse.Event> = []
    const parser = Sse.makeParser((input) => {
      if (input._tag === "Event") arrived.push(input)
      else if (input.lastEventId !== undefined && arrived.length === 0) progress.after = input.lastEventId
    })
    return bytes.pipe(
      Stream.decodeText,
      Stream.mapEffect((text) => {
        const fault = parser.feed(text)
        if (fault !== undefined) return Effect.die(fault)
        const events = arrived
        arrived = []
        progress.failures = 0
        return Effect.succeed(events)
      }),
      Stream.flattenIterable,
      Stream.mapEffect(({ data, id }) =>
        Effect.tap(decodeRow(data), () =>
          Effect.sync(() => {
            progress.after = id ?? progress.after
          })
        )
      )
    )
  })

/** Follows the feed of events over this transport, and reconnects with back-off. */
export const eventFeed = (http: HttpClient.HttpClient.With<CallFailure>): Follow => {
  const connect = (
    progress: Progress,
    asked: { readonly since?: string; readonly type?: ReadonlyArray<string> },
    onConnection: (isConnected: boolean) => void
  ) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const response = yield* http.execute(
          HttpClientRequest.get("/api/v1/events", {
            urlParams: asked,
            headers: { accept: eventStream, ...(progress.after !== null && { "last-event-id": progress.after }) }
          })
        )
        if (response.status !== 200) {
          const failed: Effect.Effect<unknown, FollowFailure> = decodeAnswer(response)
          return Stream.drain(Stream.fromEffect(failed)) satisfies Stream.Stream<never, FollowFailure>
        }
        onConnection(true)
        // A body that ends early counts as a lost connection.
        const bytes = Stream.catch(Stream.timeout(response.stream, longestSilence), () => Stream.empty)
        return rowsOf<FollowFailure>(bytes, progress) satisfies Stream.Stream<
          typeof FeedEvent.Type,
          FollowFailure | Schema.SchemaError
        >
      }).pipe(Effect.provideService(CurrentCall, { token: true, organization: true, idempotencyKey: false }))
    )

  const pause = (progress: Progress) =>
    Effect.flatMap(Random.nextBetween(0.5, 1), (jitter) =>
      Effect.sleep(Math.min(longestWaitMillis, firstWaitMillis * 2 ** progress.failures++) * jitter)
    )

  return ({ after, onConnection = () => {}, since, type } = {}) =>
    Stream.suspend(() => {
      const progress: Progress = { after: after ?? null, failures: 0 }
      const from = since === undefined ? undefined : Predicate.isString(since) ? since : DateTime.formatIso(since)
      // The place in the feed is known from the first heartbeat on.
      const asked = () => ({
        ...(type !== undefined && { type }),
        ...(from !== undefined && progress.after === null && { since: from })
      })
      return Stream.suspend(() => connect(progress, asked(), onConnection)).pipe(
        Stream.catchIf(isLost, () => Stream.empty),
        Stream.concat(Stream.drain(Stream.fromEffect(Effect.sync(() => onConnection(false))))),
        Stream.concat(Stream.drain(Stream.fromEffect(Effect.suspend(() => pause(progress))))),
        Stream.forever
      )
    })
}
