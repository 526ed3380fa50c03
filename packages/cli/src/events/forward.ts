import { DomainEvent, type OrganizationId } from "@parley/domain"
import { ParleyWebhooks } from "@parley/http-adapter/client"
import { Clock, DateTime, Duration, Effect, Schema } from "effect"
import { CliError } from "effect/cli"
import { HttpClient, HttpClientRequest } from "effect/http"
import { layerHttp } from "../server/http.ts"
import type { Followed } from "../tenant/Tenant.ts"

const encode = Schema.encodeSync(Schema.toCodecJson(DomainEvent))

/** As a subscription waits for its receiver. */
const patience = Duration.seconds(10)

/** An address to forward to: on this machine, too. */
export const readForward = (text: string) =>
  Effect.gen(function* () {
    const url = URL.parse(text)
    if (url !== null && ["http:", "https:"].includes(url.protocol) && url.username === "") return url.href
    return yield* new CliError.InvalidValue({
      option: "forward",
      value: text,
      expected: "Expected an address such as http://127.0.0.1:3000/hook",
      kind: "flag"
    })
  })

/** The id of what is forwarded: the same whenever the event is forwarded again. */
const idOf = ({ position }: Followed) => `listen_${position}`

/** The body of an event, as a subscription posts it. */
export const bodyOf = (organizationId: OrganizationId, row: Followed): string => {
  const { type, ...data } = encode(row.event) as { readonly type: string }
  return JSON.stringify({
    type,
    timestamp: DateTime.formatIso(row.at),
    version: "v1",
    id: idOf(row),
    organizationId,
    position: row.position,
    cursor: row.cursor,
    actor: row.actor,
    causation: row.causation,
    data,
    resource: null
  })
}

/** Posts an event once, signed as a subscription signs, and says in words what came of it. */
export const forward = Effect.fnUntraced(function* (url: string, secret: string, row: Followed, body: string) {
  const begun = yield* Clock.currentTimeMillis
  const timestamp = Math.floor(begun / 1_000)
  const id = idOf(row)
  const signature = yield* Effect.promise(() => ParleyWebhooks.sign(secret, { id, timestamp, body }))
  const request = HttpClientRequest.post(url).pipe(
    HttpClientRequest.bodyText(body, "application/json"),
    HttpClientRequest.setHeaders({
      "user-agent": "Parley-Webhooks/1",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
      "parley-attempt": "1"
    })
  )
  const status = yield* HttpClient.execute(request).pipe(
    Effect.map((response) => response.status),
    Effect.timeout(patience),
    Effect.orElseSucceed(() => null),
    Effect.scoped,
    Effect.provide(layerHttp)
  )
  const took = (yield* Clock.currentTimeMillis) - begun
  return { isTaken: status !== null && status >= 200 && status < 300, words: `${status ?? "no answer"} in ${took} ms` }
})
