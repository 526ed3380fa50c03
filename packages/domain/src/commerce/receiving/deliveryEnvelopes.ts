import { Option, Schema } from "effect"
import { utf8Bytes, utf8Text } from "../../platform/files/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import type { StoreSignal } from "../Shop.ts"
import { ownsShop } from "../StoreConnection.ts"
import type { KnownStore } from "../StoreConnections.ts"
import type { RequestParameters, StoreDelivery, StoreDeliveryRequest } from "../StorePlatform.ts"

/** What is known of a delivery beside its bytes: it stands in one line before them. */
const Heading = Schema.fromJsonString(
  Schema.Struct({
    storeConnectionId: StoreConnectionId,
    topic: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String)
  })
)

const encode = Schema.encodeSync(Heading)
const decode = Schema.decodeUnknownOption(Heading)

const newline = 10

/** A delivery of a store as it is kept. */
export interface DeliveryEnvelope {
  readonly storeConnectionId: StoreConnectionId
  /** What its address said that it is about. */
  readonly topic: string
  readonly request: StoreDeliveryRequest
}

/** The bytes that are kept of a delivery: those of its headers that are read, and its body as it came. */
export const encodeEnvelope = (
  { request: { body, headers }, storeConnectionId, topic }: DeliveryEnvelope,
  read: ReadonlyArray<string>
): Uint8Array => {
  const kept: Record<string, string> = {}
  for (const name of read) {
    const value = headers[name]
    if (value !== undefined) kept[name] = value
  }
  const heading = utf8Bytes(`${encode({ storeConnectionId, topic, headers: kept })}\n`)
  const bytes = new Uint8Array(heading.length + body.length)
  bytes.set(heading)
  bytes.set(body, heading.length)
  return bytes
}

/** Reads what is kept of a delivery; `null` if it is none of a store. */
export const decodeEnvelope = (bytes: Uint8Array): DeliveryEnvelope | null => {
  const end = bytes.indexOf(newline)
  if (end === -1) return null
  const heading = Option.getOrNull(decode(utf8Text(bytes.subarray(0, end))))
  if (heading === null) return null
  const headers: RequestParameters = heading.headers
  const { storeConnectionId, topic } = heading
  return { storeConnectionId, topic, request: { headers, body: bytes.subarray(end + 1) } }
}

/** What deliveries of stores are stored under. */
export const storeSource = "stores"

/** What ends the right to a shop, or forgets people. */
const criticalSignals: ReadonlySet<StoreSignal["kind"]> = new Set<StoreSignal["kind"]>([
  "data_request",
  "redact_customer",
  "redact_shop",
  "shop_changed",
  "uninstalled"
])

/** What everybody is told who knows anything of the shop, also once the app is gone there. */
const privacySignals: ReadonlySet<StoreSignal["kind"]> = new Set<StoreSignal["kind"]>([
  "data_request",
  "redact_customer",
  "redact_shop"
])

/**
 * Who is told by a delivery, of those who know the shop by its id or one of its addresses. Providers sign the body and not the headers, which say
 * what it is about and of which shop: so where the body names the shop, that counts, and what is grave has to name it there.
 */
export const findAddressees = (
  { shopDomain, shopId, signals }: StoreDelivery,
  known: ReadonlyArray<KnownStore>
): ReadonlyArray<KnownStore> => {
  const isGrave = signals.some(({ kind }) => criticalSignals.has(kind))
  if (isGrave && shopId === null) return []
  const now = known.filter((store) => store.shopDomain === shopDomain)
  const theirs = shopId === null ? (now.length > 0 ? now : known) : known.filter((store) => store.shopId === shopId)
  return signals.some(({ kind }) => privacySignals.has(kind))
    ? theirs
    : theirs.filter(({ status }) => ownsShop(status)).slice(0, 1)
}
