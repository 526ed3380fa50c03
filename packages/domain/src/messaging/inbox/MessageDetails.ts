import { Effect, Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"

/** Order of a contact from the catalogue of the number. Prices are unit prices that the contact saw. */
export const MessageOrder = Schema.Struct({
  catalogId: Schema.NullOr(Schema.String),
  items: Schema.Array(
    Schema.Struct({
      productId: Schema.String,
      quantity: Schema.Int,
      price: Schema.NullOr(Schema.Struct({ amountMinor: Schema.Int, currency: Schema.String }))
    })
  )
}).annotate({ identifier: "MessageOrder" })
export type MessageOrder = typeof MessageOrder.Type

/** Advertisement or post that led the contact here. `clickId` is the provider's id of the click. */
export const Referral = Schema.Struct({
  sourceType: Schema.NullOr(Schema.String),
  sourceId: Schema.NullOr(Schema.String),
  sourceUrl: Schema.NullOr(Schema.String),
  headline: Schema.NullOr(Schema.String),
  body: Schema.NullOr(Schema.String),
  mediaType: Schema.NullOr(Schema.String),
  mediaUrl: Schema.NullOr(Schema.String),
  clickId: Schema.NullOr(Schema.String),
  welcomeText: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Referral" })
export type Referral = typeof Referral.Type

/** Further data of a message. Each field is present only where the provider reports it. */
export const MessageDetails = Schema.Struct({
  voice: Schema.optionalKey(Schema.Literal(true)).annotateKey({ description: "The audio is a voice message." }),
  animated: Schema.optionalKey(Schema.Literal(true)).annotateKey({ description: "The sticker is animated." }),
  forwarded: Schema.optionalKey(Schema.Literals(["forwarded", "frequently_forwarded"])).annotateKey({
    description: "The message was forwarded before: a few times, or many times."
  }),
  product: Schema.optionalKey(
    Schema.Struct({ catalogId: Schema.NullOr(Schema.String), productId: Schema.String })
  ).annotateKey({ description: "Product of the catalogue that the message is about." }),
  call: Schema.optionalKey(
    Schema.Struct({
      callId: Schema.String,
      direction: Schema.Literals(["user_initiated", "business_initiated"]),
      event: Schema.String,
      status: Schema.NullOr(Schema.String),
      durationSeconds: Schema.NullOr(Schema.Int)
    })
  ).annotateKey({ description: "Event of a call, for messages of the kind `system`." }),
  groupId: Schema.optionalKey(Schema.String).annotateKey({
    description: "Group of the message, for messages of the kind `system`."
  }),
  payment: Schema.optionalKey(
    Schema.Struct({
      status: Schema.String,
      referenceId: Schema.NullOr(Schema.String),
      amount: Schema.NullOr(Schema.Struct({ value: Schema.Int, offset: Schema.Int })),
      currency: Schema.NullOr(Schema.String),
      transaction: Schema.NullOr(
        Schema.Struct({
          id: Schema.NullOr(Schema.String),
          type: Schema.NullOr(Schema.String),
          status: Schema.NullOr(Schema.String)
        })
      ),
      at: Schema.String
    })
  ).annotateKey({ description: "Latest payment of the order, for outgoing messages with an order to pay." }),
  history: Schema.optionalKey(Schema.Literal(true)).annotateKey({
    description: "The message is older than the connection of the number."
  })
}).annotate({ identifier: "MessageDetails" })
export type MessageDetails = typeof MessageDetails.Type

/** Price of a message in the provider's terms, with the time of the last report. Type and category decide the price. */
export const MessagePricing = Schema.Struct({
  billable: Schema.NullOr(Schema.Boolean),
  model: Schema.NullOr(Schema.String),
  category: Schema.NullOr(Schema.String),
  type: Schema.NullOr(Schema.String),
  /** End of the free entry point that the message is in; `null` outside of one. */
  freeEntryPointExpiresAt: Schema.NullOr(Timestamp).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  at: Timestamp
}).annotate({ identifier: "MessagePricing" })
export type MessagePricing = typeof MessagePricing.Type
