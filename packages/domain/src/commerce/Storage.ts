import { CommerceOfContacts } from "./commerce/CommerceOfContacts.ts"
import { PrivacyRequests } from "./PrivacyRequests.ts"
import { SkippedRecords } from "./SkippedRecords.ts"
import { StoreAuthorizationRedemption, StoreAuthorizations } from "./StoreAuthorizations.ts"
import { StoreCarts } from "./StoreCarts.ts"
import { StoreConnections, StoreDirectory } from "./StoreConnections.ts"
import { StoreCustomers } from "./StoreCustomers.ts"
import { StoreMarks } from "./StoreMarks.ts"
import { StoreOrders } from "./StoreOrders.ts"
import { StoreProducts } from "./StoreProducts.ts"
import { StoreSightings } from "./StoreSightings.ts"

/** The ports that a storage adapter provides of this area. */
export const storesStorage = [
  CommerceOfContacts,
  PrivacyRequests,
  SkippedRecords,
  StoreAuthorizationRedemption,
  StoreAuthorizations,
  StoreCarts,
  StoreConnections,
  StoreCustomers,
  StoreDirectory,
  StoreMarks,
  StoreOrders,
  StoreProducts,
  StoreSightings
] as const
