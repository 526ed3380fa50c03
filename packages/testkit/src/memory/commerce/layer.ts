import { Layer } from "effect"
import * as BroadcastBuyers from "./BroadcastBuyers.ts"
import * as CommerceOfContacts from "./CommerceOfContacts.ts"
import * as PrivacyRequests from "./PrivacyRequests.ts"
import * as SkippedRecords from "./SkippedRecords.ts"
import * as StoreAuthorizationRedemption from "./StoreAuthorizationRedemption.ts"
import * as StoreAuthorizations from "./StoreAuthorizations.ts"
import * as StoreCarts from "./StoreCarts.ts"
import * as StoreConnections from "./StoreConnections.ts"
import * as StoreCustomers from "./StoreCustomers.ts"
import * as StoreDirectory from "./StoreDirectory.ts"
import * as StoreMarks from "./StoreMarks.ts"
import * as StoreOrders from "./StoreOrders.ts"
import * as StoreProducts from "./StoreProducts.ts"
import * as StoreSightings from "./StoreSightings.ts"

export const layer = Layer.mergeAll(
  BroadcastBuyers.layer,
  CommerceOfContacts.layer,
  PrivacyRequests.layer,
  SkippedRecords.layer,
  StoreAuthorizationRedemption.layer,
  StoreAuthorizations.layer,
  StoreCarts.layer,
  StoreConnections.layer,
  StoreCustomers.layer,
  StoreDirectory.layer,
  StoreMarks.layer,
  StoreOrders.layer,
  StoreProducts.layer,
  StoreSightings.layer
)
