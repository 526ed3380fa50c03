import {
  ChannelRefused,
  ChannelUnreachable,
  type ChatChannel,
  type Line,
  type LineHealth,
  type Outgoing
} from "@parley/domain"
import { Duration, Effect } from "effect"
import { HttpClient } from "effect/http"
import { type Lookup, makePublicClient } from "../../outbound/makePublicClient.ts"
import { textAt } from "../../json.ts"
import { post } from "./post.ts"
import { partsOfDelivery, readDelivery } from "./read.ts"
import { isSigned } from "./signature.ts"

/** What the adapter is told. */
export interface WebhookChannelOptions {
  /** How long a call may take: 10 seconds unless it is said. */
  readonly timeout?: Duration.Input
  /** Whether accounts may be on this machine, also in plain HTTP: for trying it out, and for tests. */
  readonly loopback?: boolean
  /** Says which addresses the hosts of accounts have: the system, unless it is said. */
  readonly lookup?: Lookup
}

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])

const isOnLoopback = (url: string) => URL.canParse(url) && loopbackHosts.has(new URL(url).hostname)

const faultOf = (url: string, allowsLoopback: boolean): string | null => {
  if (!URL.canParse(url)) return "Expected an address such as https://example.com/parley"
  const { password, protocol, username } = new URL(url)
  if (username !== "" || password !== "") return "Expected an address without a user and a password in it"
  if (allowsLoopback && isOnLoopback(url)) return null
  return protocol === "https:" ? null : "Expected an address that begins with https://"
}

const unsupported = (kind: string) =>
  new ChannelRefused({
    remedy: "give_up",
    code: 0,
    reason: `A webhook channel takes texts, and no ${kind}.`,
    retryAfterMillis: null
  })

const recipientOf = ({ kind, value }: Outgoing["to"]) => (kind === "phone" ? { phone: value } : { externalId: value })

/** An answer to a ping says that the receiver is there, and nothing else. */
const there: LineHealth = {
  displayPhone: "",
  verifiedName: null,
  quality: "unknown",
  messagingLimit: null,
  throughputPerSecond: null,
  sending: "available",
  issues: []
}

/** The channel of accounts that are an address of their own: messages are signed JSON, in and out. */
export const make = ({ loopback = false, lookup, timeout = "10 seconds" }: WebhookChannelOptions = {}) =>
  Effect.gen(function* () {
    const anywhere = yield* HttpClient.HttpClient
    const publicOnly = yield* makePublicClient(lookup)
    const patience = Duration.fromInputUnsafe(timeout)
    const clientFor = ({ url = "" }: Line) => (loopback && isOnLoopback(url) ? anywhere : publicOnly)
    const ask = (line: Line, id: string, type: string, data: Readonly<Record<string, unknown>>) =>
      Effect.catchTag(
        post(clientFor(line), patience, line, { id, type, data }),
        "ChannelInDoubt",
        () => new ChannelUnreachable()
      )

    return {
      sending: {
        kinds: new Set(["text"]),
        reaches: new Set(["external", "phone"]),
        hasServiceWindow: false,
        send: Effect.fnUntraced(function* (line, { content, reference: id, replyTo, to }) {
          if (content.kind !== "text") return yield* unsupported(content.kind)
          const data = { id, accountId: line.phoneId, to: recipientOf(to), text: content.text, replyTo }
          const answer = yield* post(clientFor(line), patience, line, { id, type: "message", data })
          return { providerMessageId: textAt(answer, "id")?.slice(0, 200) ?? id, held: false }
        }),
        markRead: (line, id) => Effect.asVoid(ask(line, `${id}.read`, "message.read", { id, accountId: line.phoneId }))
      },
      deliveries: { isSigned, parts: partsOfDelivery, read: readDelivery, handshake: () => null },
      checking: {
        check: (line) => Effect.as(ask(line, "ping", "ping", { accountId: line.phoneId }), there)
      },
      endpoints: { faultOf: (url) => faultOf(url, loopback) },
      media: null,
      templates: null,
      signup: null
    } satisfies ChatChannel
  })
