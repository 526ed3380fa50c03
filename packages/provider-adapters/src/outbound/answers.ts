import { Bytes, Effect, Predicate, Schema, Stream } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"

/** Error for an incomplete answer, or for an answer above the size limit. */
export class AnswerUnread extends Schema.TaggedError<AnswerUnread>()("AnswerUnread", {
  reason: Schema.Literals(["connection_lost", "unreadable_answer"])
}) {}

const utf8 = new TextDecoder()

const decimal = /^\d{1,15}$/u

/** Declared length of an answer, if the read bytes equal the sent bytes. */
const saidLength = ({ headers }: HttpClientResponse.HttpClientResponse): number | null => {
  const contentLength = headers["content-length"]
  return contentLength !== undefined && headers["content-encoding"] === undefined && decimal.test(contentLength)
    ? Number(contentLength)
    : null
}

/** Receives the parts of an answer as they arrive, including an answer that is not read to its end. */
type OnPiece = (piece: Uint8Array) => void

/** Reads the text of a streamed answer. */
const inPieces = ({ stream }: HttpClientResponse.HttpClientResponse, mostBytes: number, onPiece: OnPiece) =>
  stream.pipe(
    Stream.tap((piece) => Effect.sync(() => onPiece(piece))),
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

/** Reads the text of an answer up to a size limit. An answer with a declared length, as in most cases, is read as a whole. */
export const answerText = (
  response: HttpClientResponse.HttpClientResponse,
  mostBytes: number,
  onPiece: OnPiece = () => undefined
) => {
  const length = saidLength(response)
  if (length === null || length > mostBytes) return inPieces(response, mostBytes, onPiece)
  return Effect.mapBoth(response.arrayBuffer, {
    onFailure: () => new AnswerUnread({ reason: "connection_lost" }),
    onSuccess: (bytes) => utf8.decode(bytes)
  })
}

// System errors name the failed call. Errors of the Node HTTP client have codes.
const beforeTheRequest: ReadonlySet<string> = new Set(["connect", "getaddrinfo"])
const neverConnected = /^(?:UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/u

const causesOf = (cause: unknown, depth = 0): ReadonlyArray<object> =>
  Predicate.isObject(cause) && depth < 4 ? [cause, ...causesOf(cause["cause"], depth + 1)] : []

const says = (cause: object) => {
  const syscall = "syscall" in cause ? cause.syscall : undefined
  const code = "code" in cause ? cause.code : undefined
  return (
    (Predicate.isString(syscall) && beforeTheRequest.has(syscall)) ||
    (Predicate.isString(code) && neverConnected.test(code))
  )
}

/** Whether an error of the system or of the client arose before the connection was made. */
export const isConnectFailure = (cause: unknown): boolean => causesOf(cause).some(says)

/** Whether a call failed before it sent any byte. False if uncertain. */
export const wasNeverSent = ({ reason }: HttpClientError.HttpClientError): boolean => {
  switch (reason._tag) {
    case "InvalidUrlError":
    case "EncodeError":
      return true
    case "TransportError":
      return isConnectFailure(reason.cause)
    default:
      return false
  }
}
