export { Cart, type CartQuery, CartState, type StoredCart, StoreCarts } from "./Cart.ts"
export { runCartTimeouts } from "./cartTimeouts.ts"
export * from "./cartStates.ts"
export * from "./commerceFilterFields.ts"
export { callbackPath, returnWithCode, returnWithResult } from "./connecting/startAuthorization.ts"
export { sweepPendingConnections } from "./connectionChanges.ts"
export * from "./ContactCommerce.ts"
export { customerIdentity } from "./customerIdentities.ts"
export * from "./errors.ts"
export { OrdersStored, StoreEvent } from "./events.ts"
export * from "./Ids.ts"
export { applyShopConsent } from "./CustomerMatcher.ts"
export { storesEventConsumers } from "./module.ts"
export * from "./Order.ts"
export {
  boughtProductIds,
  exponentOf,
  refundedAmount,
  isCountedOrder,
  zeroMoney,
  parseMoney,
  spentAmount
} from "./orderAmounts.ts"
export { requireReadyRequest, sweepPrivacyRequests } from "./privacy/receivedRequests.ts"
export { findRequestCustomers, findRequestOrders } from "./privacy/requestRecords.ts"
export { sweepUninstalled } from "./privacy/storeRemoval.ts"
export * from "./PrivacyRequest.ts"
export * from "./Product.ts"
export * from "./receiving/deleteRecords.ts"
export { decodeEnvelope, storeSource } from "./receiving/deliveryEnvelopes.ts"
export { deleteCart, receiveCarts } from "./receiving/receiveCarts.ts"
export { receiveCustomers } from "./receiving/receiveCustomers.ts"
export { orderEvents, receiveOrders } from "./receiving/receiveOrders.ts"
export { receiveProducts } from "./receiving/receiveProducts.ts"
export { receiveSignals } from "./receiving/receiveSignals.ts"
export {
  truncateCart,
  truncateCustomer,
  truncateOrder,
  truncateProduct,
  truncateText,
  toHttpsUrl,
  recordLimits,
  supersedes
} from "./recordRules.ts"
export * from "./Shop.ts"
export * from "./shopAccess.ts"
export * from "./shopRecords.ts"
export { collectRefs } from "./recordViews.ts"
export { cartSearchText, customerSearchText, productSearchText, toCartViews, toOrderViews } from "./loadViews.ts"
export * from "./SkippedRecords.ts"
export {
  CodeChallenge,
  type ParkedCodeClaim,
  type ParkedStoreCode,
  type ReservedStoreCode,
  type StoreAuthorization,
  type StoreCodeReservation,
  StoreAuthorizationRedemption,
  StoreAuthorizations
} from "./StoreAuthorizations.ts"
export * from "./StoreConnection.ts"
export {
  type KnownStore,
  scheduleStoreLane,
  type ShopSecrets,
  StoreConnections,
  StoreDirectory,
  type StoreProgress,
  type StoreSecrets,
  storesTaskName
} from "./StoreConnections.ts"
export * from "./StoreCustomer.ts"
export { markStale, type OldestStaleRecord, type StaleRecord, StaleRecordId, StaleRecords } from "./StaleRecords.ts"
export {
  type ExportedPage,
  type FoundRecords,
  layerNoStores,
  layerStorePlatforms,
  type RequestParameters,
  requireStorePlatform,
  type RecordKind,
  type ShopAccess,
  type StoreAuthorizer,
  type StoreCallback,
  type StoreDelivery,
  type StoreDeliveryRequest,
  type StoreFailure,
  type StoreGrant,
  type StorePlatform,
  StorePlatforms,
  type StoreReader,
  type StoreRecords,
  StoreRefused,
  StoreRemedy,
  StoreSettings,
  StoreUnreachable,
  type StoreWebhooks,
  type UnreadableRecord
} from "./StorePlatform.ts"
export { asCommerceSystem, storeLaneWorker } from "./syncing/storeLaneWorker.ts"
export { type SyncTarget, SyncSeenRecords, type UnseenRecords } from "./syncing/SyncSeenRecords.ts"
export * from "./syncing/syncJob.ts"
export { toFreshness } from "./syncing/syncSchedule.ts"
export * from "./orderSearch.ts"
export { markOrderDeleted, type NewOrderIds, applyOrderReport } from "./orderReports.ts"
export * from "./use-cases/commerceRecords.ts"
export * from "./use-cases/privacyRequests.ts"
export * from "./use-cases/storeAuthorizations.ts"
export * from "./use-cases/storeCallbacks.ts"
export * from "./use-cases/storeConnections.ts"
export * from "./use-cases/storeCustomers.ts"
