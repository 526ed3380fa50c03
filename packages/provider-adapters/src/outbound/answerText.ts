import { Bytes, Effect, Schema, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"

/** An answer that did not come whole, or that is longer than anybody reads. */
export class AnswerUnread extends Schema.TaggedError<AnswerUnread>()("AnswerUnread", {
  reason: Schema.Literals(["connection_lost", "unreadable_answer"])
}) {}

const utf8 = new TextDecoder()

/** The text of an answer, of at most so many bytes. */
export const answerText = ({ stream }: HttpClientResponse.HttpClientResponse, mostBytes: number) =>
  stream.pipe(
    Stream.catchTag("HttpClientError", (error) =>
      error.reason._tag === "EmptyBodyError"
        ? Stream.empty
        : Stream.fail(new AnswerUnread({ reason: "connection_lost" }))
    ),
    Stream.mapAccumEffect(
      () => 0,
      (seen: number, piece: Uint8Array) =>
        seen + piece.length > mostBytes
          ? Effect.fail(new AnswerUnread({ reason: "unreadable_answer" }))
          : Effect.succeed([seen + piece.length, [piece]] as const)
    ),
    Stream.runCollect,
    Effect.map((pieces) => utf8.decode(Bytes.concat(pieces)))
  )
