import { receiveStoreDelivery } from "@parley/domain"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { rawBody } from "../rawBody.ts"
import { ServerConfig } from "../ServerConfig.ts"

interface Received {
  readonly params: Readonly<Record<string, string>>
  readonly request: HttpServerRequest.HttpServerRequest
}

const accepted = HttpServerResponse.empty({ status: 200 })

/** What shops call. Deliveries are read raw: whoever signs is never refused for a media type. */
export const layer = HttpApiBuilder.group(Api, "storeWebhooks", (handlers) =>
  Effect.map(ServerConfig, ({ maxWebhookBytes }) => {
    const read = rawBody(maxWebhookBytes)
    const receive = ({ params, request }: Received) =>
      read(request).pipe(
        Effect.flatMap((body) =>
          receiveStoreDelivery(
            ["provider", "topic", "event"].flatMap((name) => params[name] ?? []),
            { headers: request.headers, body }
          )
        ),
        Effect.as(accepted)
      )
    return withAnswerWriters(handlers)
      .handleRaw("receive", receive)
      .handleRaw("receiveTopic", receive)
      .handleRaw("receiveEvent", receive)
      .handleRaw("receiveUnderPrefix", receive)
      .handleRaw("receiveTopicUnderPrefix", receive)
      .handleRaw("receiveEventUnderPrefix", receive)
  })
)
