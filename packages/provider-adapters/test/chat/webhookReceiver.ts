import type { ProviderConnection, Recipient } from "@parley/domain/messaging"
import { make, signatureOf } from "@parley/provider-adapters/chat/webhook"
import { ChannelSide, DeliverySide, SendingSide } from "@parley/testkit/contracts"
import { Context, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { answering, listening } from "./sockets.ts"

/** A secret as Standard Webhooks write them. */
export const secret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

const parse = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      type: Schema.String,
      data: Schema.Struct({
        id: Schema.optionalKey(Schema.String),
        to: Schema.optionalKey(
          Schema.Struct({ externalId: Schema.optionalKey(Schema.String), phone: Schema.optionalKey(Schema.String) })
        )
      })
    })
  )
)

/** A request, taken apart. */
export const requestIn = (text: string) => {
  const [head = "", body = ""] = text.split("\r\n\r\n")
  const headers = Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => {
        const at = line.indexOf(":")
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      })
  )
  return { headers, body: Buffer.from(body, "latin1") }
}

const statuses = new Map([
  [401, "Unauthorized"],
  [410, "Gone"],
  [422, "Unprocessable Content"],
  [429, "Too Many Requests"],
  [503, "Service Unavailable"]
])

/** A receiver that stores each id once and handles the next request as instructed. */
export const receiver = Effect.gen(function* () {
  const taken: Array<{ readonly id: string; readonly to: string; readonly type: string }> = []
  let next: number | "lose" | null = null
  const server = yield* listening((socket, request) => {
    const { body, headers } = requestIn(request)
    const what = next
    next = null
    const signed = signatureOf(secret, {
      id: headers["webhook-id"] ?? "",
      timestamp: headers["webhook-timestamp"] ?? "",
      body
    })
    if (!(headers["webhook-signature"] ?? "").split(" ").includes(signed)) {
      return answering(401, "{}")(socket, request)
    }
    if (typeof what === "number") {
      return answering(what, JSON.stringify({ reason: statuses.get(what) ?? "No" }))(socket, request)
    }
    const { data, type } = parse(body.toString())
    if (type === "message") {
      const id = data.id ?? ""
      if (!taken.some((each) => each.id === id)) {
        taken.push({ id, to: data.to?.externalId ?? data.to?.phone ?? "", type: "text" })
      }
    }
    if (what === "lose") return void socket.destroy()
    return answering(200, JSON.stringify(type === "message" ? { id: `their-${data.id ?? ""}` } : {}))(socket, request)
  })
  return { server, taken, doNext: (what: number | "lose") => Effect.sync(() => void (next = what)) }
})

/** The delivery of a text, signed. */
export const written = Effect.fnUntraced(function* (from: Recipient, text: string, signedWith = secret) {
  const now = yield* DateTime.now
  const timestamp = String(Math.floor(DateTime.toEpochMillis(now) / 1_000))
  const id = SecureRandom.uuidV7Unsafe()
  const body = Buffer.from(
    JSON.stringify({
      type: "message.received",
      timestamp: DateTime.formatIso(now),
      data: { id, text, from: from.kind === "phone" ? { phone: from.value } : { externalId: from.value } }
    })
  )
  const signature = signatureOf(signedWith, { id, timestamp, body })
  return { body, headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } }
})

/** What the contracts ask of a provider, done by a receiver on this machine. */
export const sides = Layer.effectContext(
  Effect.gen(function* () {
    const { server, taken, doNext } = yield* receiver
    const line: ProviderConnection = {
      phoneId: "01934bc0-1a2b-7111-8a01-0a1b2c3d4e5f",
      businessId: "01934bc0-1a2b-7111-8a01-0a1b2c3d4e5f",
      accessToken: secret,
      url: server.url
    }
    let count = 0
    return Context.empty().pipe(
      Context.add(ChannelSide, {
        channel: yield* make({ loopback: true }),
        line,
        endedLine: { ...line, accessToken: Redacted.make("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") },
        customer: Effect.sync((): Recipient => ({
          kind: "phone",
          value: `+1555${String((count += 1)).padStart(7, "0")}`
        })),
        customerWithoutPhone: Effect.sync((): Recipient => ({ kind: "external", value: `crm ${(count += 1)}` }))
      }),
      Context.add(SendingSide, {
        taken: Effect.sync(() =>
          taken.map(({ id, to, type }) => ({
            providerMessageId: `their-${id}`,
            to: to.replace(/^\+/u, ""),
            kind: type,
            reference: id
          }))
        ),
        received: Effect.succeed("their-message"),
        refusals: [
          [401, "reauthorize"],
          [410, "stop_account"],
          [422, "give_up"],
          [429, "slow_down"],
          [503, "retry"]
        ],
        refuseNext: doNext,
        loseNext: doNext("lose")
      }),
      Context.add(DeliverySide, { secret, signatureHeader: "webhook-signature", writes: written })
    )
  })
)
