import { Option, Schema } from "effect"
import { utf8Bytes, utf8Text } from "../../platform/files/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import type { StoreSignal } from "../Shop.ts"
import { ownsShop } from "../StoreConnection.ts"
import type { KnownStore } from "../StoreConnections.ts"
import type { RequestParameters, StoreDelivery, StoreDeliveryRequest } from "../StorePlatform.ts"

/** Metadata of a delivery, stored in one line before its bytes. */
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

/** A store delivery as stored. */
export interface DeliveryEnvelope {
  readonly storeConnectionId: StoreConnectionId
  /** Topic from the URL of the delivery. */
  readonly topic: string
  readonly request: StoreDeliveryRequest
}

/** Encodes a delivery for storage: the headers that are read, and the raw body. */
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

/** Decodes a stored delivery; `null` if it is not a store delivery. */
export const decodeEnvelope = (bytes: Uint8Array): DeliveryEnvelope | null => {
  const end = bytes.indexOf(newline)
  if (end === -1) return null
  const heading = Option.getOrNull(decode(utf8Text(bytes.subarray(0, end))))
  if (heading === null) return null
  const headers: RequestParameters = heading.headers
  const { storeConnectionId, topic } = heading
  return { storeConnectionId, topic, request: { headers, body: bytes.subarray(end + 1) } }
}

/** Source name of stored store deliveries. */
export const storeSource = "stores"

/** Signals that end the access to a shop or erase people. */
const criticalSignals: ReadonlySet<StoreSignal["kind"]> = new Set<StoreSignal["kind"]>([
  "data_request",
  "redact_customer",
  "redact_shop",
  "shop_changed",
  "uninstalled"
])

/** Signals for every organization that has data of the shop, even after an uninstall. */
const privacySignals: ReadonlySet<StoreSignal["kind"]> = new Set<StoreSignal["kind"]>([
  "data_request",
  "redact_customer",
  "redact_shop"
])

/**
 * Selects the stores that receive a delivery, among stores with the id or an address of the shop. Providers sign the
 * body, but not the headers with the topic and the shop. A shop id in the body therefore takes precedence, and
 * critical signals require one.
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
