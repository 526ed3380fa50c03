import { receiveStoreDelivery } from "@parley/domain"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { rawBody } from "../rawBody.ts"
import { ServerConfig } from "../ServerConfig.ts"

interface Received {
  readonly request: HttpServerRequest.HttpServerRequest
}

const accepted = HttpServerResponse.empty({ status: 200 })

const below = /\/webhooks\/storefront\/([^?#]*)/u

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Path segments after the prefix of all deliveries. An invalid escape stays unchanged, because a signed delivery is never rejected for its path. */
const subPathOf = (url: string): ReadonlyArray<string> =>
  (below.exec(url)?.[1] ?? "").split("/").flatMap((segment) => (segment === "" ? [] : [decoded(segment)]))

/** Endpoints for shops. Reads deliveries raw, because a signed delivery is never rejected for its media type. */
export const layer = HttpApiBuilder.group(Api, "storeWebhooks", (handlers) =>
  Effect.map(ServerConfig, ({ maxWebhookBytes }) => {
    const read = rawBody(maxWebhookBytes)
    const receive = ({ request }: Received) =>
      read(request).pipe(
        Effect.flatMap((body) => receiveStoreDelivery(subPathOf(request.url), { headers: request.headers, body })),
        Effect.as(accepted)
      )
    return withAnswerWriters(handlers)
      .handleRaw("receive", receive)
      .handleRaw("receiveAnywhere", receive)
      .handleRaw("receiveUnderPrefix", receive)
      .handleRaw("receiveAnywhereUnderPrefix", receive)
  })
)
