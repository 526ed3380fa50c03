import {
  type ChannelFailure,
  ChannelUnreachable,
  type ProviderConnection,
  type UploadedFile
} from "@parley/domain/messaging"
import { Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { idAt, numberAt, textAt } from "../../../json.ts"
import { authorized, type Graph } from "../Graph.ts"

type Api = Graph["Service"]

/** Attempts to continue a broken upload. */
const maxResumes = 3

/** Returns the id of the app that issued the token, because only this app can upload files for the token. */
const appOf = Effect.fnUntraced(function* ({ ask, settings: { root } }: Api, line: ProviderConnection) {
  const secrets = [line.accessToken]
  const asked = ask(HttpClientRequest.get(`${root}/app`).pipe(authorized(line)), secrets, (body) => idAt(body, "id"))
  return yield* Effect.catchTag(asked, "ChannelRefused", (refusal) =>
    refusal.remedy === "give_up"
      ? ask(
          HttpClientRequest.get(`${root}/debug_token`, {
            urlParams: { input_token: Redacted.value(line.accessToken) }
          }).pipe(authorized(line)),
          secrets,
          (body) => idAt(body, "data", "app_id")
        )
      : Effect.fail(refusal)
  )
})

/** The upload endpoint documents this scheme instead of a bearer token. */
const withUploadToken = ({ accessToken }: ProviderConnection) =>
  HttpClientRequest.setHeader("authorization", `OAuth ${Redacted.value(accessToken)}`)

/** Uploads a file in a session of its app, and continues at the offset of the provider after a break. Returns the handle of the file. */
export const uploadResumably = Effect.fnUntraced(function* (
  graph: Api,
  line: ProviderConnection,
  { bytes, filename, mimeType }: UploadedFile
) {
  const { ask, settings } = graph
  const secrets = [line.accessToken]
  const app = yield* appOf(graph, line)
  const session = yield* ask(
    HttpClientRequest.post(`${settings.root}/${encodeURIComponent(app)}/uploads`, {
      urlParams: { file_name: filename, file_length: String(bytes.length), file_type: mimeType }
    }).pipe(authorized(line)),
    secrets,
    (body) => textAt(body, "id")
  )
  // The id contains a query and goes into the address unchanged.
  const address = `${settings.root}/${session}`
  const sendFrom = (offset: number) =>
    ask(
      HttpClientRequest.post(address).pipe(
        withUploadToken(line),
        HttpClientRequest.setHeader("file_offset", String(offset)),
        HttpClientRequest.bodyUint8Array(bytes.subarray(offset), "application/octet-stream")
      ),
      secrets,
      (body) => textAt(body, "h"),
      settings.fileTimeout
    )
  const offset = ask(HttpClientRequest.get(address).pipe(withUploadToken(line)), secrets, (body) =>
    numberAt(body, "file_offset")
  )
  const resume = (left: number): Effect.Effect<string, ChannelFailure> =>
    left === 0
      ? Effect.fail(new ChannelUnreachable())
      : Effect.flatMap(offset, (from) => sendFrom(Math.min(Math.max(0, Math.trunc(from)), bytes.length))).pipe(
          Effect.catchTag("ChannelUnreachable", () => resume(left - 1))
        )
  return yield* Effect.catchTag(sendFrom(0), "ChannelUnreachable", () => resume(maxResumes))
})
