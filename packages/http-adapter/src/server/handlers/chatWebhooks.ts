import {
  type ChatAccountId,
  type OrganizationId,
  receiveAccountDelivery,
  receiveChatDelivery,
  verifyChatWebhook
} from "@parley/domain"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { plainParameters } from "../plainParameters.ts"
import { rawBody } from "../rawBody.ts"
import { ServerConfig } from "../ServerConfig.ts"

const verify = (organizationId: OrganizationId | null, query: Readonly<Record<string, unknown>>) =>
  Effect.map(verifyChatWebhook(organizationId, plainParameters(query)), (challenge) =>
    HttpServerResponse.text(challenge)
  )

interface Account {
  readonly organization_id: OrganizationId
  readonly chat_account_id: ChatAccountId
}

const accepted = HttpServerResponse.empty({ status: 200 })

/** What the chat provider calls. Deliveries are read raw: whoever signs is never refused for a media type. */
export const layer = HttpApiBuilder.group(Api, "chatWebhooks", (handlers) =>
  Effect.map(ServerConfig, ({ maxWebhookBytes }) => {
    const read = rawBody(maxWebhookBytes)
    const receive = (organizationId: OrganizationId | null, request: HttpServerRequest.HttpServerRequest) =>
      read(request).pipe(
        Effect.flatMap((body) => receiveChatDelivery(organizationId, { headers: request.headers, body })),
        Effect.as(accepted)
      )
    const receiveFor = (
      { chat_account_id: account, organization_id: organization }: Account,
      request: HttpServerRequest.HttpServerRequest
    ) =>
      read(request).pipe(
        Effect.flatMap((body) => receiveAccountDelivery(organization, account, { headers: request.headers, body })),
        Effect.as(accepted)
      )
    return withAnswerWriters(handlers)
      .handleAll({
        verifyPlatform: ({ query }) => verify(null, query),
        verifyOwn: ({ params, query }) => verify(params.organization_id, query),
        verifyPlatformUnderPrefix: ({ query }) => verify(null, query),
        verifyOwnUnderPrefix: ({ params, query }) => verify(params.organization_id, query)
      })
      .handleRaw("receivePlatform", ({ request }) => receive(null, request))
      .handleRaw("receiveOwn", ({ params, request }) => receive(params.organization_id, request))
      .handleRaw("receiveForAccount", ({ params, request }) => receiveFor(params, request))
      .handleRaw("receiveForAccountUnderPrefix", ({ params, request }) => receiveFor(params, request))
      .handleRaw("receivePlatformUnderPrefix", ({ request }) => receive(null, request))
      .handleRaw("receiveOwnUnderPrefix", ({ params, request }) => receive(params.organization_id, request))
  })
)
