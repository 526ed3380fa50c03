import {
  type ChatChannel,
  type DeliveryParser,
  layerChatChannels,
  type MessageSender,
  type ProviderConnection,
  type OutgoingContent
} from "@parley/domain/messaging"
import { Effect, Layer, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { createHmac, timingSafeEqual } from "node:crypto"
import { at } from "../../json.ts"
import * as Graph from "./Graph.ts"
import { acceptedIn } from "./accepted.ts"
import { isMarketing, makeMarketing } from "./marketing.ts"
import { download, fetchLink, upload } from "./media.ts"
import { healthIn, numberFields } from "./numbers.ts"
import { makeOnboarding } from "./onboarding.ts"
import { messageOut, payerOf, readOut } from "./outgoing.ts"
import { partsOfDelivery, readDelivery } from "./readDelivery.ts"
import { makeSignup } from "./signup.ts"
import { makeTemplateApproval } from "./templates/approval.ts"

/** Reads the webhook verification of the provider. */
const handshakeIn: DeliveryParser["handshake"] = ({
  "hub.challenge": challenge,
  "hub.mode": mode,
  "hub.verify_token": token = ""
}) => (mode !== "subscribe" || challenge === undefined ? null : { token, challenge })

const form = /^sha256=([0-9a-f]{64})$/u

/** Whether one of the secrets signed these bytes. Tries every secret to prevent timing attacks. */
export const isSigned: DeliveryParser["isSigned"] = (secrets, { body, headers }) => {
  const [, hex] = form.exec(headers["x-hub-signature-256"] ?? "") ?? []
  if (hex === undefined) return false
  const claimed = Buffer.from(hex, "hex")
  return secrets
    .map((secret) => timingSafeEqual(createHmac("sha256", Redacted.value(secret)).update(body).digest(), claimed))
    .includes(true)
}

const succeeded = (body: unknown): true | null => (at(body, "success") === true ? true : null)

const kinds: ReadonlySet<OutgoingContent["kind"]> = new Set([
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "interactive",
  "template",
  "reaction",
  "location",
  "contacts",
  "provider"
])

/** The provider allows one message in 6 seconds to a person on average, with bursts of 45. */
const pairLimit = { burst: 45, intervalMillis: 6_000 }

const channel = Effect.gen(function* () {
  const graph = yield* Graph.Graph
  const { root } = graph.settings
  const address = (...path: ReadonlyArray<string>) => [root, ...path.map(encodeURIComponent)].join("/")
  const post = (line: ProviderConnection, path: ReadonlyArray<string>, body: unknown) =>
    HttpClientRequest.post(address(...path)).pipe(Graph.authorized(line), HttpClientRequest.bodyJsonUnsafe(body))
  const get = (line: ProviderConnection, path: ReadonlyArray<string>, parameters: Readonly<Record<string, string>>) =>
    HttpClientRequest.get(address(...path), { urlParams: parameters }).pipe(Graph.authorized(line))
  const secrets = (line: ProviderConnection) => [line.accessToken]
  const send: MessageSender["send"] = (line, message) =>
    graph.act(
      post(line, [line.phoneId, "messages"], { ...messageOut(message), ...payerOf(line) }),
      secrets(line),
      acceptedIn
    )
  const marketing = yield* makeMarketing(graph)

  return {
    sending: {
      kinds,
      reaches: new Set(["phone", "chat_user"]),
      hasServiceWindow: true,
      pairLimit,
      send: (line, message) => (isMarketing(message) ? marketing(line, message, send) : send(line, message)),
      markRead: (line, providerMessageId, shown) =>
        Effect.asVoid(
          graph.ask(post(line, [line.phoneId, "messages"], readOut(providerMessageId, shown)), secrets(line), succeeded)
        )
    },
    media: {
      upload: (line, file) => upload(graph, line, file),
      download: (line, mediaId, most) => download(graph, line, mediaId, most),
      fetchLink: (link, most) => fetchLink(graph, link, most)
    },
    endpoints: null,
    checking: {
      check: (line) => graph.ask(get(line, [line.phoneId], { fields: numberFields }), secrets(line), healthIn)
    },
    templates: makeTemplateApproval(graph),
    signup: makeSignup(graph),
    onboarding: makeOnboarding(graph),
    deliveries: { isSigned, parts: partsOfDelivery, read: readDelivery, handshake: handshakeIn }
  } satisfies ChatChannel
})

/** Channel of the WhatsApp Cloud API for the lifetime of its scope. */
export const make = (options: Graph.WhatsAppOptions = {}) =>
  Effect.flatMap(Layer.build(Graph.layer(options)), (graph) => Effect.provideContext(channel, graph))

export const layer = (options: Graph.WhatsAppOptions = {}) => layerChatChannels({ whatsapp: make(options) })
