import { Cart, Order, Product, StoreCustomer } from "@parley/domain"
import { amountText } from "../console/amountText.ts"
import type { View } from "../console/print.ts"
import { at } from "./connection.ts"

/** How orders are listed and shown. */
export const orderView: View<Order> = {
  schema: Order,
  none: "There is no order that fits.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name },
    { heading: "PLACED", of: ({ placedAt }) => at(placedAt) },
    { heading: "PAYMENT", of: ({ paymentStatus }) => paymentStatus },
    { heading: "FULFILMENT", of: ({ fulfilmentStatus }) => fulfilmentStatus },
    { heading: "TOTAL", of: ({ currentTotal }) => amountText(currentTotal) },
    { heading: "LINES", of: ({ lines }) => String(lines.length), align: "right" },
    { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" }
  ]
}

/** How carts are listed and shown. */
export const cartView: View<Cart> = {
  schema: Cart,
  none: "There is no cart that fits.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "TOTAL", of: ({ total }) => amountText(total) },
    { heading: "LINES", of: ({ lines }) => String(lines.length), align: "right" },
    { heading: "LAST ACTIVITY", of: ({ lastActivityAt }) => at(lastActivityAt) },
    { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" }
  ]
}

/** How customers are listed and shown. */
export const customerView: View<StoreCustomer> = {
  schema: StoreCustomer,
  none: "There is no customer who fits.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name ?? "" },
    { heading: "PHONE", of: ({ phone }) => phone ?? "" },
    { heading: "EMAIL", of: ({ email }) => email ?? "" },
    { heading: "SMS", of: ({ smsConsent }) => smsConsent },
    { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" },
    { heading: "LINKED BY", of: ({ linkedBy }) => linkedBy ?? "" },
    { heading: "CONFLICT", of: ({ conflictContactId }) => conflictContactId ?? "" }
  ]
}

/** How products are listed and shown. */
export const productView: View<Product> = {
  schema: Product,
  none: "There is no product that fits.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "TITLE", of: ({ title }) => title },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "VARIANTS", of: ({ variants }) => String(variants.length), align: "right" },
    { heading: "URL", of: ({ url }) => url ?? "" }
  ]
}
