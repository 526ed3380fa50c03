import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Act } from "./acts/Act.ts"
import { CustomerMessage } from "./inbound/CustomerMessage.ts"
import { DeliveryMisbehaviour, Misbehaviour } from "./Misbehaviour.ts"
import { Signup } from "./signups.ts"

const WebhookSettings = Schema.Struct({
  /** Default: every business account without its own webhook. */
  businessId: Schema.optionalKey(Schema.String),
  url: Schema.String,
  appSecret: Schema.String
})

const NewNumber = Schema.Struct({
  phoneId: Schema.String,
  businessId: Schema.String,
  displayPhone: Schema.String,
  verifiedName: Schema.optionalKey(Schema.String),
  accessToken: Schema.String,
  quality: Schema.optionalKey(Schema.Literals(["GREEN", "YELLOW", "RED"])),
  messagingLimit: Schema.optionalKey(Schema.String),
  otherBusinessIds: Schema.optionalKey(Schema.Array(Schema.String)),
  isCallingEnabled: Schema.optionalKey(Schema.Boolean),
  hasCatalog: Schema.optionalKey(Schema.Boolean),
  /** Default: registered. */
  stage: Schema.optionalKey(Schema.Literals(["registered", "verified", "unverified", "coexistence"]))
})

const NewCustomer = Schema.Struct({
  /** Without one, the customer is known by the provider's id only. */
  phone: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  reachable: Schema.optionalKey(Schema.Boolean)
})

const Writes = Schema.Struct({
  phoneId: Schema.String,
  /** A phone number, or a user id; a new phone number makes a new customer. */
  from: Schema.String,
  message: CustomerMessage,
  replyTo: Schema.optionalKey(Schema.String),
  fromAdvertisement: Schema.optionalKey(Schema.Boolean),
  referral: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  forwarded: Schema.optionalKey(Schema.Literals(["once", "often"])),
  product: Schema.optionalKey(Schema.Struct({ catalogId: Schema.String, productId: Schema.String })),
  groupId: Schema.optionalKey(Schema.String)
})

/** Message that the business sends in the provider's own app. */
const Echoes = Schema.Struct({ phoneId: Schema.String, to: Schema.String, message: CustomerMessage })

const Prefers = Schema.Struct({
  phoneId: Schema.String,
  from: Schema.String,
  marketing: Schema.Literals(["stop", "resume"])
})

const Decides = Schema.Struct({
  businessId: Schema.String,
  name: Schema.String,
  language: Schema.String,
  event: Schema.String,
  reason: Schema.optionalKey(Schema.String)
})

const Tells = Schema.Struct({ businessId: Schema.String, field: Schema.String, value: Schema.Unknown })
const Advance = Schema.Struct({ advanceMillis: Schema.Finite })
const Verify = Schema.Struct({ url: Schema.String, verifyToken: Schema.String })

export class ControlRefused extends Schema.TaggedError<ControlRefused>()("ControlRefused", {
  status: Schema.Int,
  reason: Schema.String
}) {}

const decoded = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<S["Type"], ControlRefused> =>
    request.text.pipe(
      Effect.flatMap((text) => decode(text)),
      Effect.mapError((error) => new ControlRefused({ status: 400, reason: error.message }))
    )
}

/** Reads the bodies of control calls. */
export const read = {
  webhook: decoded(WebhookSettings),
  number: decoded(NewNumber),
  customer: decoded(NewCustomer),
  writes: decoded(Writes),
  echoes: decoded(Echoes),
  prefers: decoded(Prefers),
  decides: decoded(Decides),
  tells: decoded(Tells),
  advance: decoded(Advance),
  signup: decoded(Signup),
  act: decoded(Act),
  verify: decoded(Verify),
  misbehaviour: decoded(Misbehaviour),
  deliveryMisbehaviour: decoded(DeliveryMisbehaviour)
}
