import { Schema } from "effect"
import { Body, code, Footer, ImageHeader, line, listOf, ProviderData, TextHeader } from "./parts.ts"

const catalogue = { catalogId: code(64) }
const ProductId = code(200)

/** Message with one product of a catalogue. */
export const ProductMessage = Schema.Struct({
  type: Schema.Literal("product"),
  body: Schema.optionalKey(Body),
  footer: Schema.optionalKey(Footer),
  ...catalogue,
  productId: ProductId
})

/** Message with several products of a catalogue. */
export const ProductListMessage = Schema.Struct({
  type: Schema.Literal("product_list"),
  body: Body,
  header: TextHeader,
  footer: Schema.optionalKey(Footer),
  ...catalogue,
  sections: listOf(
    Schema.Struct({ title: line(24), productIds: listOf(ProductId, 1, 30, "products") }),
    1,
    10,
    "sections"
  )
})

/** Message that opens the catalogue of the number. */
export const CatalogMessage = Schema.Struct({
  type: Schema.Literal("catalog"),
  body: Body,
  footer: Schema.optionalKey(Footer),
  thumbnailProductId: Schema.optionalKey(ProductId)
})

/** Message with cards of products of one catalogue. */
export const ProductCarousel = Schema.Struct({
  type: Schema.Literal("product_carousel"),
  body: Body,
  ...catalogue,
  productIds: listOf(ProductId, 2, 10, "products")
})

const Amount = Schema.Struct({
  value: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0, { message: "Expected at least 0" })),
  offset: Schema.Literal(100)
})

const PricedItem = Schema.Struct({
  retailerId: ProductId,
  name: line(60),
  amount: Amount,
  saleAmount: Schema.optionalKey(Amount),
  quantity: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "Expected at least 1" }))
})

const Charge = Schema.Struct({
  ...Amount.fields,
  description: Schema.optionalKey(line(60)),
  discountProgramName: Schema.optionalKey(line(60))
})

const ReferenceId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.-]{1,35}$/u, { message: "Expected 1 to 35 letters, digits, _, - and ." })
)

/** Order to pay, in Brazil and India. Amounts are in hundredths of the currency. */
export const OrderDetails = Schema.Struct({
  type: Schema.Literal("order_details"),
  body: Body,
  header: Schema.optionalKey(ImageHeader),
  footer: Schema.optionalKey(Footer),
  referenceId: ReferenceId,
  goods: Schema.Literals(["digital-goods", "physical-goods"]),
  paymentType: code(30),
  /** Ways to pay in the form of the provider. */
  paymentSettings: listOf(ProviderData, 1, 10, "payment settings"),
  currency: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/u, { message: "Expected a currency code" })),
  totalAmount: Amount,
  items: listOf(PricedItem, 1, 999, "items"),
  subtotal: Amount,
  tax: Charge,
  shipping: Schema.optionalKey(Charge),
  discount: Schema.optionalKey(Charge)
})

/** New status of an order to pay. */
export const OrderStatus = Schema.Struct({
  type: Schema.Literal("order_status"),
  body: Body,
  footer: Schema.optionalKey(Footer),
  referenceId: ReferenceId,
  status: Schema.Literals(["processing", "partially_shipped", "shipped", "completed", "canceled"]),
  description: Schema.optionalKey(line(120)),
  payment: Schema.optionalKey(Schema.Struct({ status: Schema.Literals(["captured"]), timestamp: Schema.Int }))
})
