import type { DeliveryPart, DeliveryParser, InboundEvent } from "@parley/domain/messaging"
import { DateTime, Option, Predicate, Redacted, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

const sign = (secret: Redacted.Redacted, body: Uint8Array) =>
  createHmac("sha256", Redacted.value(secret)).update(body).digest()

/** Header with the signature of deliveries. */
export const signatureHeader = "x-hub-signature-256"

const isSigned: DeliveryParser["isSigned"] = (secrets, { body, headers }) => {
  const [, hex] = /^sha256=([0-9a-f]{64})$/u.exec(headers[signatureHeader] ?? "") ?? []
  if (hex === undefined) return false
  return secrets.map((secret) => timingSafeEqual(sign(secret, body), Buffer.from(hex, "hex"))).includes(true)
}

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const parseTime = Schema.decodeUnknownOption(Schema.DateTimeUtcFromString)

const placed = (event: object): InboundEvent => {
  if (!("at" in event)) return event as InboundEvent
  const at = Option.getOrElse(parseTime(event.at), () => DateTime.makeUnsafe(0))
  return { ...event, at } as InboundEvent
}

const read = (body: Uint8Array): ReadonlyArray<InboundEvent> | null => {
  const delivery = Option.getOrUndefined(parseJson(new TextDecoder().decode(body)))
  if (!Predicate.hasProperty(delivery, "memory") || !Array.isArray(delivery.memory)) return null
  return delivery.memory.map((event: unknown) =>
    Predicate.isObject(event) && Predicate.isString(event["kind"])
      ? placed(event)
      : { kind: "unknown", businessId: "", phoneId: null, field: "none" }
  )
}

const numberOf = (event: unknown) => {
  const { businessId, phoneId } = (Predicate.isObject(event) ? event : {}) as Readonly<Record<string, unknown>>
  return {
    businessId: Predicate.isString(businessId) ? businessId : "",
    phoneId: Predicate.isString(phoneId) ? phoneId : null
  }
}

/** Splits a delivery into one part per number. */
const parts = (body: Uint8Array): ReadonlyArray<DeliveryPart> | null => {
  const delivery = Option.getOrUndefined(parseJson(new TextDecoder().decode(body)))
  if (!Predicate.hasProperty(delivery, "memory") || !Array.isArray(delivery.memory)) return null
  const ofNumbers = Map.groupBy(delivery.memory, (event: unknown) => JSON.stringify(numberOf(event)))
  return [...ofNumbers.values()].map((events) => ({
    ...numberOf(events[0]),
    body: new TextEncoder().encode(JSON.stringify({ memory: events }))
  }))
}

/** Contents of deliveries to the account. */
const partsTo: DeliveryParser["parts"] = (body, to) => {
  const delivery = Option.getOrUndefined(parseJson(new TextDecoder().decode(body)))
  if (to === null || !Predicate.hasProperty(delivery, "memory") || !Array.isArray(delivery.memory)) return null
  const memory = delivery.memory.map((event: unknown) =>
    Predicate.isObject(event) ? { ...event, phoneId: to } : event
  )
  return [{ businessId: to, phoneId: to, body: new TextEncoder().encode(JSON.stringify({ memory })) }]
}

/** Returns the events as a signed delivery. */
export const deliver = (events: ReadonlyArray<InboundEvent>, secret: Redacted.Redacted) => {
  const body = new TextEncoder().encode(JSON.stringify({ memory: events }))
  return { body, headers: { [signatureHeader]: `sha256=${sign(secret, body).toString("hex")}` } }
}

export const deliveries: DeliveryParser = {
  isSigned,
  parts,
  read,
  handshake: ({ "hub.challenge": challenge, "hub.mode": mode, "hub.verify_token": token = "" }) =>
    mode === "subscribe" && challenge !== undefined ? { challenge, token } : null
}

/** Deliveries of a channel whose accounts have their own address. */
export const endpointDeliveries: DeliveryParser = { ...deliveries, parts: partsTo, handshake: () => null }
