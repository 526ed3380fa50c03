import type {
  CartId,
  StoredCart,
  StoredCustomer,
  StoredOrder,
  StoredPrivacyRequest,
  StoredProduct,
  OrderId,
  ParkedStoreCode,
  PrivacyRequestId,
  ProductId,
  StoreAuthorization,
  StoreConnection,
  StoreConnectionId,
  StoreCustomerId,
  SyncTarget,
  StaleRecord,
  StoreSecrets,
  StoredSkippedRecord
} from "@parley/domain/commerce"
import { type DateTime, HashMap } from "effect"

/** A stored store: with its sealed credentials and previous addresses. */
export interface StoreConnectionRow {
  readonly connection: StoreConnection
  readonly secrets: StoreSecrets | null
  readonly formerDomains: ReadonlyArray<string>
}

/** Pending authorization of a member who was redirected to a shop. */
export interface StoreAuthorizationRow {
  readonly authorization: StoreAuthorization
  readonly expiresAt: DateTime.Utc
}

/** A parked code that waits for the starter of its journey. */
export interface StoreParkedCodeRow {
  readonly parked: ParkedStoreCode
  readonly expiresAt: DateTime.Utc
  readonly reservedUntil: DateTime.Utc | null
}

/** Rows of one organization in this folder. */
export interface CommerceTenant {
  /** By the digests of their states. */
  readonly storeAuthorizations: HashMap.HashMap<string, StoreAuthorizationRow>
  readonly storeCarts: HashMap.HashMap<CartId, StoredCart>
  readonly storeConnections: HashMap.HashMap<StoreConnectionId, StoreConnectionRow>
  readonly privacyRequests: HashMap.HashMap<PrivacyRequestId, StoredPrivacyRequest>
  readonly storeCustomers: HashMap.HashMap<StoreCustomerId, StoredCustomer>
  /** By store, kind and the shop's id. */
  readonly staleRecords: HashMap.HashMap<string, StaleRecord>
  readonly storeOrders: HashMap.HashMap<OrderId, StoredOrder>
  readonly storeParkedCodes: HashMap.HashMap<string, StoreParkedCodeRow>
  readonly storeProducts: HashMap.HashMap<ProductId, StoredProduct>
  /** By store, kind and the shop's id. */
  readonly storeSkippedRecords: HashMap.HashMap<string, StoredSkippedRecord>
  /** By store, kind and shop id. */
  readonly syncSeenRecords: HashMap.HashMap<string, SyncTarget>
}

export const emptyCommerceTenant: CommerceTenant = {
  storeAuthorizations: HashMap.empty(),
  storeCarts: HashMap.empty(),
  storeConnections: HashMap.empty(),
  privacyRequests: HashMap.empty(),
  storeCustomers: HashMap.empty(),
  staleRecords: HashMap.empty(),
  storeOrders: HashMap.empty(),
  storeParkedCodes: HashMap.empty(),
  storeProducts: HashMap.empty(),
  storeSkippedRecords: HashMap.empty(),
  syncSeenRecords: HashMap.empty()
}
