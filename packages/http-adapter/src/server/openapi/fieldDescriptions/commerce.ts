import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `commerce`, by component, operation or event, and path. */
export const commerceFields: FieldDescriptions = {
  "cart.abandoned": { "data.contactId": "Id of the contact; null if the customer is no known contact." },
  "cart.recovered": { "data.contactId": "Id of the contact; null if the customer is no known contact." },
  "order.created": { "data.contactId": "Id of the contact; null if the customer is no known contact." },
  "order.paid": { "data.contactId": "Id of the contact; null if the customer is no known contact." },
  "order.fulfilled": { "data.contactId": "Id of the contact; null if the customer is no known contact." },
  "order.cancelled": { "data.contactId": "Id of the contact; null if the customer is no known contact." },
  "order.refunded": {
    "data.contactId": "Id of the contact; null if the customer is no known contact.",
    "data.amount": "Refunded amount."
  },
  "privacy_request.received": { "data.contactId": "Always null: the contact is not known yet." },
  "privacy_request.due": { "data.contactId": "Id of the contact; null if none is known." },
  "privacy_request.done": { "data.contactId": "Id of the contact; null if none is known, and for erasures." },
  "store_connection.status_changed": {
    "data.from": "Status before the change.",
    "data.to": "Status after the change."
  },
  Cart: {
    externalId: "Id of the cart at the shop; a token until the shop reports the id.",
    customerId: "Id of the customer of the store; null if unknown.",
    contactId: "Id of the contact; null if the customer is no known contact.",
    state:
      "`active`, `abandoned` after silence, `recovered` (ordered after that), `completed` (ordered), or `expired` (30 days of silence, or deleted).",
    lines: "Products in the cart.",
    total: "Current total of the cart.",
    recoveryUrl: "Address where the customer can continue with the cart; null without one.",
    lastActivityAt: "Time of the last change in the cart in UTC.",
    abandonedAt: "Time of the abandonment in UTC; null if the cart was not abandoned after its last change.",
    orderId: "Id of the order that was placed from the cart; null without one."
  },
  CommerceStore: {
    name: "Name of the shop; its domain until the name is known.",
    status:
      "`pending`: not authorized yet. `connected`. `uninstalled`: the shop removed the app, or the connection is being removed. `error`: the shop refuses access.",
    freshness: "Age of the stored data of the shop."
  },
  Fulfilment: {
    status: "Delivery status of the parcel; `failed` includes cancelled parcels.",
    carrier: "Name of the carrier; null if unknown.",
    trackingNumber: "Tracking number of the parcel; null if unknown.",
    trackingUrl: "Address of the tracking page; null without an `https` address.",
    at: "Time of the last change of the parcel at the shop in UTC."
  },
  CustomerLink: { contactId: "Id of the contact; null unlinks the customer." },
  Money: { amountMinor: "Amount in the smallest unit of the currency, for example cents." },
  Order: {
    externalId: "Id of the order at the shop.",
    name: "Name of the order at the shop, for example `#1001`.",
    customerId: "Id of the customer of the store; null for guests.",
    contactId: "Id of the contact; null if the customer is no known contact.",
    placedAt: "Time of the placement in UTC.",
    cancelledAt: "Time of the cancellation in UTC; null if the order was not cancelled.",
    test: "Whether it is a test order, which does not count.",
    paymentStatus: "Payment status as the shop reports it.",
    fulfilmentStatus:
      "`unfulfilled`: nothing is sent. `partial`: a part. `fulfilled`: everything. `other`: another status of the shop.",
    total: "Total at the placement.",
    currentTotal: "Total after edits and returns.",
    tax: "Tax of the order.",
    shipping: "Price of the shipping.",
    discount: "Sum of the discounts.",
    paid: "Amount that the shop has received.",
    refunded: "Amount that the shop has refunded.",
    presentmentTotal: "Total at the placement in the currency that the customer saw.",
    statusUrl: "Page of the order for the customer; null without an `https` address.",
    adminUrl: "Page of the order in the admin of the shop, for members with a login there; null if unknown.",
    lines: "Products of the order, at most 500.",
    fulfilments: "Parcels of the order, at most 100.",
    refunds: "Refunds of the order, at most 100.",
    truncated: "Whether the shop has more lines, parcels or refunds than this order shows."
  },
  PendingStoreConnection: {
    authorizeUrl: "Page of the shop where its owner agrees to the connection.",
    authorizeExpiresAt: "Expiry of `authorizeUrl` in UTC, 10 minutes after the start."
  },
  Product: {
    externalId: "Id of the product at the shop.",
    title: "Title of the product.",
    status: "Status at the shop; `deleted` if the shop has deleted the product.",
    url: "Page of the product in the shop; null without an `https` address.",
    imageUrl: "Address of the image at the shop; null without an `https` address.",
    variants: "Variants of the product, at most 2,000."
  },
  ProductVariant: {
    externalId: "Id of the variant at the shop.",
    title: "Title of the variant.",
    sku: "Stock keeping unit; null without one.",
    price: "Price in the currency of the shop.",
    available: "Whether the variant can be bought now."
  },
  Refund: {
    amount: "Refunded amount.",
    at: "Time of the refund in UTC."
  },
  SkippedRecord: {
    kind: "Kind of the record.",
    externalId: "Id of the record at the shop.",
    reason: "Names of the fields without a readable value."
  },
  StoreAppNotConfiguredProblem: { provider: "Store provider without an app in this service, for example `shopify`." },
  StoreAuthorization: {
    authorizeUrl: "Page of the shop where its owner agrees to the connection.",
    expiresAt: "Expiry of `authorizeUrl` in UTC, 10 minutes after the start."
  },
  StoreBeingRemovedProblem: { retryAfterSeconds: "Seconds to wait before the next attempt." },
  StoreCode: {
    result: "Result of the decision in the shop, always `authorized`.",
    code: "One-time code for `POST /store_connections/{id}/complete`, valid for 10 minutes.",
    organization: "Organization that started the connection.",
    "organization.id": "Id of the organization.",
    "organization.name": "Name of the organization."
  },
  StoreCompletion: {
    code: "One-time code of the callback.",
    codeVerifier: "Verifier of the `codeChallenge` that started the connection."
  },
  StoreConnection: {
    provider: "Store provider, for example `shopify`.",
    shopDomain: "Domain of the shop at its provider, for example `ada.myshopify.com`.",
    name: "Name of the shop; its domain until the name is known.",
    currency: "Currency of the shop as an ISO 4217 code, for example `EUR`; null until it is known.",
    status:
      "`pending`: not authorized yet. `connected`. `uninstalled`: the shop removed the app, or the connection is being removed. `error`: the shop refuses access.",
    scopes: "Scopes that the shop has granted; empty before the authorization.",
    makeContacts:
      "Customers that become contacts: `never`, `reachable` (with a valid phone number), or `subscribed` (reachable, with consent to messages).",
    takeConsent: "Whether the consent to messages in the shop counts as consent to marketing here.",
    cartAbandonedAfterMinutes: "Silence in minutes after which a cart is abandoned, 15 to 10,080.",
    ordersSince:
      "Start of the available orders in UTC, because the shop hides earlier ones; null if all are available.",
    sync: "State of the last import of the shop.",
    lastSyncedAt: "Time of the last complete import or poll in UTC; null before the first one.",
    lastError: "Last failure; null without one. An answer of the shop clears `throttled` and `unreachable`.",
    connectedAt: "Time of the last authorization in UTC; null before the first one.",
    freshness: "Age of the stored data of the shop.",
    skippedRecords: "Number of records of the shop that cannot be read."
  },
  NewStoreConnection: {
    makeContacts:
      "Customers that become contacts: `never`, `reachable` (with a valid phone number), or `subscribed` (reachable, with consent to messages). Default: `never`.",
    takeConsent: "Whether the consent to messages in the shop counts as consent to marketing here. Default: false.",
    cartAbandonedAfterMinutes: "Silence in minutes after which a cart is abandoned, 15 to 10,080. Default: 60."
  },
  StoreCustomer: {
    name: "Name of the customer in the store; null if the store has none.",
    phone: "Phone number of the customer in the store; null if the store has none.",
    email: "E-mail address of the customer in the store; null if the store has none.",
    locale: "Language of the customer as a BCP 47 tag; null if the store has none.",
    tags: "Tags of the customer in the store.",
    externalId: "Id of the customer at the shop.",
    smsConsent: "Consent to marketing by SMS in the shop; `unknown` if the shop reports none.",
    emailConsent: "Consent to marketing by email in the shop; `unknown` if the shop reports none.",
    contactId: "Id of the contact; null if the customer is no known contact.",
    linkedBy:
      "Origin of the link: the `identity` of the customer, `phone`, `email`, `made` (the contact was created from the customer), or `manual`; null without one.",
    conflictContactId: "Id of another contact that can be the same person; null without one."
  },
  StoreError: {
    code: "`access_lost` and `scopes_missing`: authorize the shop again. `contacts_limit`: the plan allows no more contacts. `throttled` and `unreachable` end by themselves.",
    reason: "Explanation for people.",
    at: "Time of the failure in UTC."
  },
  StoreLine: {
    productId: "Id of the product; null if the product is unknown.",
    externalVariantId: "Id of the variant at the shop; null if unknown.",
    sku: "Stock keeping unit; null without one.",
    title: "Title of the product.",
    variantTitle: "Title of the variant; null without one.",
    imageUrl: "Address of the image at the shop; null without an `https` address.",
    quantity: "Ordered quantity, or quantity in the cart.",
    currentQuantity: "Quantity after edits and returns.",
    unitPrice: "Price of one piece before discounts.",
    discount: "Discount on the whole line."
  },
  StoreNotConnectedProblem: { storeStatus: "Current status of the store connection." },
  StoreRefusedProblem: {
    remedy:
      "`retry` the call, `slow_down` and retry, `reauthorize` the shop, grant a `missing_scope`, or `give_up` because the call is invalid.",
    providerCode: "Code of the shop.",
    reason: "Explanation of the shop.",
    retryAfterMillis: "Milliseconds to wait before the next attempt; null if the shop requests none."
  },
  StoreScopesMissingProblem: { missing: "Required scopes that the shop did not grant." },
  StoreSync: {
    state: "State of the last import; `never` before the first one.",
    phase: "Phase of the import, after a failure its last one; null before the first import and after a complete one.",
    progress: "Number of records that were read.",
    jobId: "Id of the job of the last import; null before the first one."
  }
}
