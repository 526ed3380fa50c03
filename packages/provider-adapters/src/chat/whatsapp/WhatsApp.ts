import {
  ChannelRefused,
  type ChatChannel,
  type DeliveryParser,
  layerChatChannels,
  type MessageSender,
  type ProviderConnection,
  type NumberHealth,
  type OutgoingContent
} from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { createHmac, timingSafeEqual } from "node:crypto"
import { at, listAt, numberAt, textAt } from "../../json.ts"
import * as Graph from "./Graph.ts"
import { throughputLevels } from "./assumptions.ts"
import { acceptedIn } from "./accepted.ts"
import { isMarketing, makeMarketing } from "./marketing.ts"
import { download, fetchLink, upload } from "./media.ts"
import { messageOut, readOut } from "./outgoing.ts"
import { partsOfDelivery, readDelivery } from "./readDelivery.ts"
import { reasonOf } from "./refusals.ts"
import { quality } from "./templates.ts"
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

/** Requested fields of a number. */
const healthFields = [
  "display_phone_number",
  "verified_name",
  "quality_rating",
  "throughput",
  "whatsapp_business_manager_messaging_limit",
  "health_status"
].join(",")

const sending: ReadonlyMap<string, NumberHealth["sending"]> = new Map([
  ["AVAILABLE", "available"],
  ["LIMITED", "limited"],
  ["BLOCKED", "blocked"]
])

const issuesOf = (entity: unknown): NumberHealth["issues"] =>
  listAt(entity, "errors").flatMap((error) => {
    const code = numberAt(error, "error_code") ?? numberAt(error, "code")
    return code === null ? [] : [{ code, reason: textAt(error, "error_description") ?? reasonOf(error, []) }]
  })

/** Reads the health of a number and of its business. */
const healthIn = (body: unknown): NumberHealth | null => {
  const displayPhone = textAt(body, "display_phone_number")
  if (displayPhone === null) return null
  return {
    displayPhone,
    verifiedName: textAt(body, "verified_name"),
    quality: quality(textAt(body, "quality_rating")),
    messagingLimit: textAt(body, "whatsapp_business_manager_messaging_limit"),
    throughputPerSecond: throughputLevels.get(textAt(body, "throughput", "level") ?? "") ?? null,
    sending: sending.get(textAt(body, "health_status", "can_send_message") ?? "") ?? "unknown",
    issues: listAt(at(body, "health_status"), "entities").flatMap(issuesOf)
  }
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

const noApp = new ChannelRefused({
  remedy: "give_up",
  code: 101,
  reason: "No app is configured that signups go through.",
  retryAfterMillis: null
})

const channel = Effect.gen(function* () {
  const graph = yield* Graph.Graph
  const { app, root } = graph.settings
  const address = (...path: ReadonlyArray<string>) => [root, ...path.map(encodeURIComponent)].join("/")
  const post = (line: ProviderConnection, path: ReadonlyArray<string>, body: unknown) =>
    HttpClientRequest.post(address(...path)).pipe(Graph.authorized(line), HttpClientRequest.bodyJsonUnsafe(body))
  const get = (line: ProviderConnection, path: ReadonlyArray<string>, parameters: Readonly<Record<string, string>>) =>
    HttpClientRequest.get(address(...path), { urlParams: parameters }).pipe(Graph.authorized(line))
  const secrets = (line: ProviderConnection) => [line.accessToken]
  const send: MessageSender["send"] = (line, message) =>
    graph.act(post(line, [line.phoneId, "messages"], messageOut(message)), secrets(line), acceptedIn)
  const marketing = yield* makeMarketing(graph)

  return {
    sending: {
      kinds,
      reaches: new Set(["phone", "chat_user"]),
      hasServiceWindow: true,
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
      check: (line) => graph.ask(get(line, [line.phoneId], { fields: healthFields }), secrets(line), healthIn)
    },
    templates: makeTemplateApproval(graph),
    signup: {
      exchangeCode: (code) =>
        app === null
          ? Effect.fail(noApp)
          : graph.ask(
              HttpClientRequest.get(address("oauth", "access_token"), {
                urlParams: {
                  client_id: app.appId,
                  client_secret: Redacted.value(app.appSecret),
                  code: Redacted.value(code)
                }
              }),
              [app.appSecret, code],
              (body) => {
                const token = textAt(body, "access_token")
                return token === null ? null : Redacted.make(token)
              }
            ),
      subscribe: (line) =>
        Effect.asVoid(graph.ask(post(line, [line.businessId, "subscribed_apps"], {}), secrets(line), succeeded))
    },
    deliveries: { isSigned, parts: partsOfDelivery, read: readDelivery, handshake: handshakeIn }
  } satisfies ChatChannel
})

/** Channel of the WhatsApp Cloud API for the lifetime of its scope. */
export const make = (options: Graph.WhatsAppOptions = {}) =>
  Effect.flatMap(Layer.build(Graph.layer(options)), (graph) => Effect.provideContext(channel, graph))

export const layer = (options: Graph.WhatsAppOptions = {}) => layerChatChannels({ whatsapp: make(options) })
