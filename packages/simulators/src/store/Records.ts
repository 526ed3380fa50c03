/** Consent of a customer to one kind of messages, and its time. */
export interface Consent {
  readonly state: "SUBSCRIBED" | "UNSUBSCRIBED" | "NOT_SUBSCRIBED" | "PENDING"
  readonly at: number | null
}

/** Customer of a simulated shop. Records are immutable; a change replaces the record. */
export interface ShopCustomer {
  readonly id: number
  readonly firstName: string | null
  readonly lastName: string | null
  readonly phone: string | null
  /** Of the default address. */
  readonly addressPhone: string | null
  readonly email: string | null
  readonly locale: string
  readonly tags: ReadonlyArray<string>
  readonly sms: Consent
  readonly whatsApp: Consent
  readonly emails: Consent
  readonly createdAt: number
  readonly updatedAt: number
}

/** Quantity of one item. Amounts are in the smallest unit of the shop's currency. */
export interface ShopLine {
  readonly id: number
  readonly productId: number | null
  readonly variantId: number | null
  readonly sku: string | null
  readonly title: string
  readonly variantTitle: string | null
  readonly quantity: number
  readonly currentQuantity: number
  readonly unit: number
  readonly discount: number
}

/** A parcel. */
export interface ShopFulfilment {
  readonly id: number
  readonly status: "CONFIRMED" | "IN_TRANSIT" | "DELIVERED" | "FAILURE"
  readonly company: string | null
  readonly number: string | null
  readonly url: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Money given back. */
export interface ShopRefund {
  readonly id: number
  readonly amount: number
  readonly at: number
}

/** An order. */
export interface ShopOrder {
  readonly id: number
  readonly name: string
  readonly customerId: number | null
  readonly phone: string | null
  readonly email: string | null
  readonly checkoutToken: string | null
  readonly placedAt: number
  readonly updatedAt: number
  readonly cancelledAt: number | null
  readonly test: boolean
  readonly financial: "PENDING" | "AUTHORIZED" | "PAID" | "PARTIALLY_REFUNDED" | "REFUNDED" | "VOIDED"
  readonly fulfilment: "UNFULFILLED" | "PARTIALLY_FULFILLED" | "FULFILLED" | "ON_HOLD"
  readonly lines: ReadonlyArray<ShopLine>
  readonly shipping: number
  readonly tax: number
  readonly total: number
  readonly currentTotal: number
  readonly discount: number
  readonly received: number
  readonly refunds: ReadonlyArray<ShopRefund>
  readonly fulfilments: ReadonlyArray<ShopFulfilment>
  readonly presentment: { readonly currency: string; readonly total: number }
}

/** A started checkout. */
export interface ShopCheckout {
  readonly id: number
  readonly token: string
  readonly customerId: number | null
  readonly phone: string | null
  readonly email: string | null
  readonly lines: ReadonlyArray<ShopLine>
  readonly total: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly completedAt: number | null
}

/** A variant of a product. */
export interface ShopVariant {
  readonly id: number
  readonly title: string
  readonly sku: string | null
  readonly price: number
  readonly available: boolean
}

/** A product. */
export interface ShopProduct {
  readonly id: number
  readonly title: string
  readonly handle: string
  readonly status: "ACTIVE" | "ARCHIVED" | "DRAFT" | "UNLISTED"
  readonly variants: ReadonlyArray<ShopVariant>
  readonly createdAt: number
  readonly updatedAt: number
}

/** Collections of a shop, by the provider's names. */
export interface ShopRecords {
  readonly customers: ShopCustomer
  readonly orders: ShopOrder
  readonly products: ShopProduct
  readonly abandonedCheckouts: ShopCheckout
}
export type Collection = keyof ShopRecords
