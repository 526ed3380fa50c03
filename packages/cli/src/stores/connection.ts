import { StoreConnectionId, StoreConnectionView } from "@parley/domain"
import { DateTime } from "effect"
import { Argument } from "effect/cli"
import type { View } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { syncLine } from "./syncProgress.ts"

/** Which store is meant. */
export const connection = typedArgument("store", StoreConnectionId).pipe(
  Argument.withDescription("The id of the store connection")
)

export const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

/** How stores are listed. */
export const listView: View<StoreConnectionView> = {
  schema: StoreConnectionView,
  none: "This organization has connected no store that fits.",
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

/** How one store is shown. */
export const view: View<StoreConnectionView> = {
  schema: StoreConnectionView,
  none: "There is no store.",
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
