import { Effect, Schema } from "effect"
import { ContactExport } from "./ContactExport.ts"
import { exportContact } from "./ContactHoldings.ts"
import { useCase } from "./kernel/index.ts"
import { PrivacyRequest, type PrivacyRequestId, privacyRecords, requireReady, StoreCustomer } from "./commerce/index.ts"

/** Everything that is known of whoever asks through a shop. `contact` is `null` for somebody who is no contact. */
export const PrivacyExport = Schema.Struct({
  privacyRequest: PrivacyRequest,
  customers: Schema.Array(StoreCustomer),
  contact: Schema.NullOr(ContactExport)
}).annotate({ identifier: "PrivacyExport" })
export type PrivacyExport = typeof PrivacyExport.Type

/** Reads what is to be handed over to whoever has asked for it, as it is now. */
export const exportPrivacyRequest = useCase(
  "privacyRequests.export",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (id: PrivacyRequestId) {
    const kept = yield* requireReady(id)
    const { contactId } = kept.request
    const contact =
      contactId === null
        ? null
        : yield* Effect.catchTag(exportContact(contactId), "NotFound", () => Effect.succeed(null))
    return { privacyRequest: kept.request, customers: yield* privacyRecords(kept), contact }
  })
)
