import {
  type ChannelFailure,
  ChannelRefused,
  ChannelUnreachable,
  type ProviderConnection
} from "@parley/domain/messaging"
import { type Duration, Effect, Stream } from "effect"
import { HttpClientRequest, type HttpClientResponse } from "effect/http"
import { idAt, numberAt, textAt } from "../../json.ts"
import { authorized, type Graph, isOfSimulator, type WhatsAppSettings } from "./Graph.ts"

type Api = Graph["Service"]

// The provider's own code for a file that could not be fetched.
const notFetched = (reason: string) =>
  new ChannelRefused({ remedy: "give_up", code: 131_052, reason, retryAfterMillis: null })

/** Whether the token may be sent to this address: the provider's own hosts, over TLS, and nothing that looks like them. */
export const isOfProvider = (address: string, settings: WhatsAppSettings): boolean => {
  if (!URL.canParse(address)) return false
  const { hostname, password, port, protocol, username } = new URL(address)
  if (username !== "" || password !== "") return false
  if (isOfSimulator(address, settings)) return true
  return (
    protocol === "https:" &&
    port === "" &&
    settings.mediaHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  )
}

const described = (body: unknown) => {
  const url = textAt(body, "url")
  return url === null
    ? null
    : {
        url,
        mimeType: textAt(body, "mime_type") ?? "application/octet-stream",
        size: numberAt(body, "file_size") ?? Number(textAt(body, "file_size") ?? Number.NaN)
      }
}

const describe = (graph: Api, line: ProviderConnection, mediaId: string) =>
  graph.ask(
    HttpClientRequest.get(`${graph.settings.root}/${encodeURIComponent(mediaId)}`, {
      urlParams: { phone_number_id: line.phoneId }
    }).pipe(authorized(line)),
    [line.accessToken],
    described
  )

const tooLarge = (most: number) => notFetched(`The file is larger than ${most} bytes.`)

// One byte a moment keeps a file coming for as long as its sender likes.
const within =
  (deadline: Duration.Duration) =>
  (bytes: Stream.Stream<Uint8Array, ChannelFailure>): Stream.Stream<Uint8Array, ChannelFailure> =>
    Stream.merge(bytes, Stream.fromEffectDrain(Effect.delay(Effect.fail(new ChannelUnreachable()), deadline)), {
      haltStrategy: "left"
    })

/** What says nothing about the file: the token, or the provider at the moment. */
const isPassing = (status: number) => status >= 500 || status === 401 || status === 408 || status === 429

// A new address that does not work either means that the token has no access to the file.
const suspectToken = new ChannelRefused({
  remedy: "reauthorize",
  code: 131_052,
  reason: "Meta has not found the file at two addresses. Check the access token of the chat account.",
  retryAfterMillis: null
})

const openUrl = (graph: Api, line: ProviderConnection, url: string) =>
  isOfProvider(url, graph.settings)
    ? HttpClientRequest.get(url).pipe(
        authorized(line),
        graph.open,
        Effect.mapError((): ChannelFailure => new ChannelUnreachable())
      )
    : Effect.fail(notFetched("The file is not on a host of the provider."))

/** Opens a file. An address lives five minutes, so one that is not found is replaced once. */
const openFile = Effect.fnUntraced(function* (graph: Api, line: ProviderConnection, mediaId: string, url: string) {
  const first = yield* openUrl(graph, line, url)
  if (first.status !== 404) return first
  const again = yield* describe(graph, line, mediaId)
  const second = yield* openUrl(graph, line, again.url)
  return second.status === 404 ? yield* suspectToken : second
})

/** The bytes of an opened file, within the limits of size and time. */
const bytesIn = (
  graph: Api,
  response: HttpClientResponse.HttpClientResponse,
  most: number
): Stream.Stream<Uint8Array, ChannelFailure> =>
  response.stream.pipe(
    Stream.mapError((): ChannelFailure => new ChannelUnreachable()),
    Stream.timeoutOrElse({
      duration: graph.settings.fileTimeout,
      orElse: () => Stream.fail(new ChannelUnreachable())
    }),
    Stream.mapAccumEffect(
      () => 0,
      (seen: number, chunk: Uint8Array) => {
        const total = seen + chunk.length
        return total > most ? Effect.fail(tooLarge(most)) : Effect.succeed([total, [chunk]] as const)
      }
    ),
    within(graph.settings.fileDeadline)
  )

const requireFound = (response: HttpClientResponse.HttpClientResponse) =>
  response.status === 200
    ? Effect.succeed(response)
    : Effect.fail(
        isPassing(response.status) ? new ChannelUnreachable() : notFetched(`The host answered ${response.status}.`)
      )

const bytesOf = (
  graph: Api,
  line: ProviderConnection,
  { mediaId, most, url }: { readonly mediaId: string; readonly url: string; readonly most: number }
): Stream.Stream<Uint8Array, ChannelFailure> =>
  openFile(graph, line, mediaId, url).pipe(
    Effect.flatMap(requireFound),
    Effect.map((response) => bytesIn(graph, response, most)),
    Stream.unwrap
  )

/** A file behind a link. No token is sent, and no redirect is followed. */
export const fetchLink = Effect.fnUntraced(function* (graph: Api, link: string, most: number) {
  const opened = yield* Effect.mapError(
    graph.openPublic(HttpClientRequest.get(link)),
    (): ChannelFailure => new ChannelUnreachable()
  )
  const response = yield* requireFound(opened)
  const size = Number(response.headers["content-length"] ?? 0)
  if (size > most) return yield* tooLarge(most)
  return {
    mimeType: response.headers["content-type"] ?? "application/octet-stream",
    size: Number.isFinite(size) ? size : 0,
    bytes: bytesIn(graph, response, most)
  }
})

/** A file that a number has received. */
export const download = Effect.fnUntraced(function* (
  graph: Api,
  line: ProviderConnection,
  mediaId: string,
  most: number
) {
  const { mimeType, size, url } = yield* describe(graph, line, mediaId)
  if (!isOfProvider(url, graph.settings)) return yield* notFetched("The file is not on a host of the provider.")
  if (size > most) return yield* tooLarge(most)
  return { mimeType, size: Number.isFinite(size) ? size : 0, bytes: bytesOf(graph, line, { mediaId, url, most }) }
})

// The provider refuses the container without its codec.
const typeOut = (mimeType: string) => (mimeType === "audio/ogg" ? "audio/ogg; codecs=opus" : mimeType)

/** Hands a file to the provider, for messages of this number. */
export const upload = (
  graph: Api,
  line: ProviderConnection,
  file: { readonly bytes: Uint8Array; readonly mimeType: string; readonly filename: string }
): Effect.Effect<string, ChannelFailure> => {
  const form = new FormData()
  form.set("messaging_product", "whatsapp")
  const type = typeOut(file.mimeType)
  form.set("type", type)
  form.set("file", new Blob([Uint8Array.from(file.bytes)], { type }), file.filename)
  return graph.ask(
    HttpClientRequest.post(`${graph.settings.root}/${encodeURIComponent(line.phoneId)}/media`).pipe(
      authorized(line),
      HttpClientRequest.bodyFormData(form)
    ),
    [line.accessToken],
    (body) => idAt(body, "id"),
    graph.settings.fileTimeout
  )
}
