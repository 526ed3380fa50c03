import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { OrganizationId } from "@parley/domain/kernel"
import {
  type ChatAccountId,
  receiveAccountDelivery,
  receiveChatDelivery,
  verifyChatWebhook
} from "@parley/domain/messaging"
import { ChatWebhooksApi } from "../../../api/chatWebhooks.ts"
import { ServerConfig } from "../../ServerConfig.ts"
import { plainParameters, rawBody } from "../../requestParts.ts"
import { bindWith } from "../bind.ts"

const verifies = { uses: verifyChatWebhook, response: "1158201444" }

const receives = { uses: receiveChatDelivery, request: Stream.empty }

const receivesForAccount = { uses: receiveAccountDelivery, request: Stream.empty }

const verify = (organizationId: OrganizationId | null, query: Readonly<Record<string, unknown>>) =>
  Effect.map(verifyChatWebhook({ organizationId, query: plainParameters(query) }), (challenge) =>
    HttpServerResponse.text(challenge)
  )

interface Account {
  readonly organization_id: OrganizationId
  readonly chat_account_id: ChatAccountId
}

const accepted = HttpServerResponse.empty({ status: 200 })

/** Endpoints for the chat provider. Reads deliveries raw, because a signed delivery is never rejected for its media type. */
export const chatWebhooks = bindWith(
  ChatWebhooksApi,
  {
    verifyPlatform: verifies,
    receivePlatform: receives,
    verifyOwn: verifies,
    receiveOwn: receives,
    receiveForAccount: receivesForAccount,
    receiveForAccountUnderPrefix: receivesForAccount,
    verifyPlatformUnderPrefix: verifies,
    receivePlatformUnderPrefix: receives,
    verifyOwnUnderPrefix: verifies,
    receiveOwnUnderPrefix: receives
  },
  (handlers) =>
    Effect.map(ServerConfig, ({ maxWebhookBytes }) => {
      const read = rawBody(maxWebhookBytes)
      const receive = (organizationId: OrganizationId | null, request: HttpServerRequest.HttpServerRequest) =>
        read(request).pipe(
          Effect.flatMap((body) => receiveChatDelivery({ organizationId, headers: request.headers, body })),
          Effect.as(accepted)
        )
      const receiveFor = (
        { chat_account_id: account, organization_id: organization }: Account,
        request: HttpServerRequest.HttpServerRequest
      ) =>
        read(request).pipe(
          Effect.flatMap((body) =>
            receiveAccountDelivery({
              organizationId: organization,
              chatAccountId: account,
              headers: request.headers,
              body
            })
          ),
          Effect.as(accepted)
        )
      return handlers
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
