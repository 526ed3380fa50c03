import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { receiveStoreDelivery } from "@parley/domain/commerce"
import { StoreWebhooksApi } from "../../../api/storeWebhooks.ts"
import { ServerConfig } from "../../ServerConfig.ts"
import { rawBody } from "../../requestParts.ts"
import { bindWith } from "../bind.ts"

const receives = { uses: receiveStoreDelivery, request: Stream.empty }

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
export const storeWebhooks = bindWith(
  StoreWebhooksApi,
  {
    receive: receives,
    receiveAnywhere: receives,
    receiveUnderPrefix: receives,
    receiveAnywhereUnderPrefix: receives
  },
  (handlers) =>
    Effect.map(ServerConfig, ({ maxWebhookBytes }) => {
      const read = rawBody(maxWebhookBytes)
      const receive = ({ request }: Received) =>
        read(request).pipe(
          Effect.flatMap((body) =>
            receiveStoreDelivery({ path: subPathOf(request.url), headers: request.headers, body })
          ),
          Effect.as(accepted)
        )
      return handlers
        .handleRaw("receive", receive)
        .handleRaw("receiveAnywhere", receive)
        .handleRaw("receiveUnderPrefix", receive)
        .handleRaw("receiveAnywhereUnderPrefix", receive)
    })
)
