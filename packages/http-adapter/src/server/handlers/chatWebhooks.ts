import { type OrganizationId, receiveChatDelivery, verifyChatWebhook } from "@parley/domain"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { mostBytes } from "../../api/chatWebhooks.ts"
import { PayloadTooLarge } from "../../api/problems.ts"
import { answering } from "../answers/answering.ts"

const tooLarge = Effect.fail(new PayloadTooLarge({ max: mostBytes }))

const saysTooMuch = ({ headers }: HttpServerRequest.HttpServerRequest) => Number(headers["content-length"]) > mostBytes

/** The bytes as they were signed. */
const rawBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, PayloadTooLarge> =>
  saysTooMuch(request)
    ? tooLarge
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(mostBytes)),
        Effect.map((buffer) => new Uint8Array(buffer)),
        Effect.catchTag("HttpServerError", (error) =>
          error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
            ? tooLarge
            : Effect.die(error)
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

/** What the chat provider calls. Deliveries are read raw: whoever signs is never refused for a media type. */
export const layer = HttpApiBuilder.group(Api, "chatWebhooks", (handlers) =>
  answering(handlers)
    .handleAll({
      verifyPlatform: ({ query }) => verify(null, query),
      verifyOwn: ({ params, query }) => verify(params.organization_id, query),
      verifyPlatformUnderPrefix: ({ query }) => verify(null, query),
      verifyOwnUnderPrefix: ({ params, query }) => verify(params.organization_id, query)
    })
    .handleRaw("receivePlatform", ({ request }) => receive(null, request))
    .handleRaw("receiveOwn", ({ params, request }) => receive(params.organization_id, request))
    .handleRaw("receivePlatformUnderPrefix", ({ request }) => receive(null, request))
    .handleRaw("receiveOwnUnderPrefix", ({ params, request }) => receive(params.organization_id, request))
)
