import { type OrganizationId, receiveChatDelivery, verifyChatWebhook } from "@parley/domain"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { mostBytes } from "../../api/chatWebhooks.ts"
import { PayloadTooLarge } from "../../api/problems.ts"
import { answering } from "../answers/answering.ts"

const tooLarge = Effect.fail(new PayloadTooLarge({ max: mostBytes }))

/** The bytes as they were signed. */
const rawBody = (request: HttpServerRequest.HttpServerRequest) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(mostBytes)),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.catchTag("HttpServerError", (error) =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge" ? tooLarge : Effect.die(error)
    )
  )

interface Handshake {
  readonly "hub.mode"?: string
  readonly "hub.verify_token"?: string
  readonly "hub.challenge"?: string
}

const verify = (organizationId: OrganizationId | null, said: Handshake) =>
  Effect.map(
    verifyChatWebhook(organizationId, {
      mode: said["hub.mode"],
      token: said["hub.verify_token"],
      challenge: said["hub.challenge"]
    }),
    (challenge) => HttpServerResponse.text(challenge)
  )

const accepted = HttpServerResponse.empty({ status: 200 })

const receive = (organizationId: OrganizationId | null, request: HttpServerRequest.HttpServerRequest) =>
  rawBody(request).pipe(
    Effect.flatMap((body) => receiveChatDelivery(organizationId, body, request.headers["x-hub-signature-256"])),
    Effect.as(accepted)
  )

/** What the chat provider calls. */
export const layer = HttpApiBuilder.group(Api, "chatWebhooks", (handlers) =>
  answering(handlers).handleAll({
    verifyPlatform: ({ query }) => verify(null, query),
    receivePlatform: ({ request }) => receive(null, request),
    verifyOwn: ({ params, query }) => verify(params.organization_id, query),
    receiveOwn: ({ params, request }) => receive(params.organization_id, request),
    verifyPlatformUnderPrefix: ({ query }) => verify(null, query),
    receivePlatformUnderPrefix: ({ request }) => receive(null, request),
    verifyOwnUnderPrefix: ({ params, query }) => verify(params.organization_id, query),
    receiveOwnUnderPrefix: ({ params, request }) => receive(params.organization_id, request)
  })
)
