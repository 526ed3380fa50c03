import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"

const Log = Schema.Struct({
  accepted: Schema.Array(
    Schema.Struct({ id: Schema.String, at: Schema.Finite, to: Schema.String, reference: Schema.NullOr(Schema.String) })
  ),
  refused: Schema.Array(Schema.Struct({ code: Schema.Int, details: Schema.String })),
  calls: Schema.Array(
    Schema.Struct({
      at: Schema.Finite,
      reference: Schema.NullOr(Schema.String),
      scripted: Schema.NullOr(
        Schema.Struct({
          kind: Schema.String,
          status: Schema.optionalKey(Schema.Int),
          code: Schema.optionalKey(Schema.Int)
        })
      )
    })
  )
})
export type ProviderLog = typeof Log.Type

const Idle = Schema.Struct({ idle: Schema.Boolean })

/** Control interface of the provider's process, for its script and its log. */
export const controlOf = (url: string) =>
  Effect.map(HttpClient.HttpClient, (client) => {
    const post = (action: string, body: unknown) =>
      HttpClientRequest.post(`${url}/simulator/${action}`).pipe(
        HttpClientRequest.bodyJsonUnsafe(body),
        client.execute,
        Effect.flatMap(HttpClientResponse.filterStatusOk),
        Effect.flatMap((response) => response.text)
      )
    const get = <A, I>(action: string, schema: Schema.Codec<A, I>) =>
      client.get(`${url}/simulator/${action}`).pipe(Effect.flatMap(HttpClientResponse.schemaBodyJson(schema)))
    return {
      deliverTo: (businessId: string, webhook: string, appSecret: string) =>
        post("webhook", { businessId, url: webhook, appSecret }),
      write: (phoneId: string, from: string) =>
        post("write", { phoneId, from, message: { type: "text", text: "Is it still there?" } }),
      isIdle: Effect.map(get("idle", Idle), ({ idle }) => idle),
      log: get("log", Log)
    }
  })

export type Control = Effect.Success<ReturnType<typeof controlOf>>
