import { Layer } from "effect"
import * as BroadcastBuyers from "./BroadcastBuyers.ts"
import * as ContactCommerceRecords from "./ContactCommerceRecords.ts"
import * as PrivacyRequests from "./PrivacyRequests.ts"
import * as SkippedRecords from "./SkippedRecords.ts"
import * as StoreAuthorizationRedemption from "./StoreAuthorizationRedemption.ts"
import * as StoreAuthorizations from "./StoreAuthorizations.ts"
import * as StoreCarts from "./StoreCarts.ts"
import * as StoreConnections from "./StoreConnections.ts"
import * as StoreCustomers from "./StoreCustomers.ts"
import * as StoreDirectory from "./StoreDirectory.ts"
import * as StaleRecords from "./StaleRecords.ts"
import * as StoreOrders from "./StoreOrders.ts"
import * as StoreProducts from "./StoreProducts.ts"
import * as SyncSeenRecords from "./SyncSeenRecords.ts"

export const layer = Layer.mergeAll(
  BroadcastBuyers.layer,
  ContactCommerceRecords.layer,
  PrivacyRequests.layer,
  SkippedRecords.layer,
  StoreAuthorizationRedemption.layer,
  StoreAuthorizations.layer,
  StoreCarts.layer,
  StoreConnections.layer,
  StoreCustomers.layer,
  StoreDirectory.layer,
  StaleRecords.layer,
  StoreOrders.layer,
  StoreProducts.layer,
  SyncSeenRecords.layer
)
