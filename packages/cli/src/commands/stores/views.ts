import {
  Cart,
  Order,
  Product,
  StoreConnectionId,
  StoreConnectionView,
  StoreCustomer,
  type StoreSync
} from "@parley/domain/commerce"
import { DateTime } from "effect"
import { Argument } from "effect/cli"
import type { View } from "../../console/print.ts"
import { barOf } from "../../console/progress.ts"
import { amountText } from "../../console/text.ts"
import { typedArgument } from "../../console/typed.ts"

/** Returns one line with the progress of a sync. The total can be unknown. */
export const syncLine = ({ phase, progress: { done, total }, state }: StoreSync): string => {
  if (state !== "running") return state
  const doing = phase ?? "begins"
  if (total === null || total === 0) return `${doing}: ${done}`
  const share = Math.min(1, done / total)
  return `${barOf(share)} ${String(Math.floor(share * 100)).padStart(3)} %  ${doing}: ${done} of ${total}`
}

export const connection = typedArgument("store", StoreConnectionId).pipe(
  Argument.withDescription("Id of the store connection")
)

export const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

export const listView: View<StoreConnectionView> = {
  schema: StoreConnectionView,
  none: "No matching store was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name },
    { heading: "SHOP", of: ({ shopDomain }) => shopDomain },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "SYNC", of: ({ sync }) => sync.state },
    { heading: "FRESHNESS", of: ({ freshness }) => freshness.state },
    { heading: "AS OF", of: ({ freshness }) => at(freshness.asOf) },
    { heading: "SKIPPED", of: ({ skippedRecords }) => String(skippedRecords) },
    { heading: "ERROR", of: ({ lastError }) => lastError?.code ?? "" }
  ]
}

export const view: View<StoreConnectionView> = {
  schema: StoreConnectionView,
  none: "The store does not exist.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name },
    { heading: "PROVIDER", of: ({ provider }) => provider },
    { heading: "SHOP", of: ({ shopDomain }) => shopDomain },
    { heading: "CURRENCY", of: ({ currency }) => currency ?? "" },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "ERROR", of: ({ lastError }) => (lastError === null ? "" : `${lastError.reason} (${lastError.code})`) },
    { heading: "SYNC", of: ({ sync }) => syncLine(sync) },
    { heading: "FRESHNESS", of: ({ freshness }) => freshness.state },
    { heading: "AS OF", of: ({ freshness }) => at(freshness.asOf) },
    { heading: "SKIPPED RECORDS", of: ({ skippedRecords }) => String(skippedRecords) },
    { heading: "ORDERS SINCE", of: ({ ordersSince }) => at(ordersSince) },
    { heading: "MAKE CONTACTS", of: ({ makeContacts }) => makeContacts },
    { heading: "TAKE CONSENT", of: ({ takeConsent }) => (takeConsent ? "yes" : "no") },
    {
      heading: "CARTS ABANDONED",
      of: ({ cartAbandonedAfterMinutes }) => `after ${cartAbandonedAfterMinutes} minutes`
    },
    { heading: "SCOPES", of: ({ scopes }) => scopes.join(" ") },
    { heading: "CONNECTED", of: ({ connectedAt }) => at(connectedAt) }
  ]
}

export const orderView: View<Order> = {
  schema: Order,
  none: "No matching order was found.",
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

export const cartView: View<Cart> = {
  schema: Cart,
  none: "No matching cart was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "TOTAL", of: ({ total }) => amountText(total) },
    { heading: "LINES", of: ({ lines }) => String(lines.length), align: "right" },
    { heading: "LAST ACTIVITY", of: ({ lastActivityAt }) => at(lastActivityAt) },
    { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" }
  ]
}

export const customerView: View<StoreCustomer> = {
  schema: StoreCustomer,
  none: "No matching customer was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name ?? "" },
    { heading: "PHONE", of: ({ phone }) => phone ?? "" },
    { heading: "EMAIL", of: ({ email }) => email ?? "" },
    { heading: "SMS", of: ({ smsConsent }) => smsConsent },
    { heading: "CHAT", of: ({ chatConsent }) => chatConsent },
    { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" },
    { heading: "LINKED BY", of: ({ linkedBy }) => linkedBy ?? "" },
    { heading: "CONFLICT", of: ({ conflictContactId }) => conflictContactId ?? "" }
  ]
}

export const productView: View<Product> = {
  schema: Product,
  none: "No matching product was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "TITLE", of: ({ title }) => title },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "VARIANTS", of: ({ variants }) => String(variants.length), align: "right" },
    { heading: "URL", of: ({ url }) => url ?? "" }
  ]
}
