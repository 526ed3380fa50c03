export { Cart, type CartQuery, CartState, type KeptCart, StoreCarts } from "./Cart.ts"
export { runCartClock } from "./cartClock.ts"
export * from "./cartStates.ts"
export * from "./commerceFilterFields.ts"
export { callbackPath, returnWithCode, returnWithResult } from "./connecting/beginAuthorization.ts"
export { sweepPending } from "./connectionChanges.ts"
export * from "./ContactCommerce.ts"
export { customerIdentity } from "./customerIdentities.ts"
export * from "./errors.ts"
export { OrdersStored, StoreEvent } from "./events.ts"
export * from "./Ids.ts"
export { afterShopConsent } from "./Joining.ts"
export { storesReactions } from "./module.ts"
export * from "./Order.ts"
export { boughtIn, exponentOf, givenBackOf, isCounted, noMoney, parseMoney, spentOn } from "./orderAmounts.ts"
export { privacyRecords, requireReady, sweepPrivacy } from "./privacy/receivedRequests.ts"
export { sweepUninstalled } from "./privacy/storeRemoval.ts"
export * from "./PrivacyRequest.ts"
export * from "./Product.ts"
export * from "./receiving/deleteRecords.ts"
export { openEnvelope, storeSource } from "./receiving/deliveryEnvelopes.ts"
export { deleteCart, receiveCarts } from "./receiving/receiveCarts.ts"
export { receiveCustomers } from "./receiving/receiveCustomers.ts"
export { orderEvents, receiveOrders } from "./receiving/receiveOrders.ts"
export { receiveProducts } from "./receiving/receiveProducts.ts"
export { receiveSignals } from "./receiving/receiveSignals.ts"
export {
  cutCart,
  cutCustomer,
  cutOrder,
  cutProduct,
  cutText,
  httpsUrl,
  recordLimits,
  supersedes
} from "./recordRules.ts"
export * from "./Shop.ts"
export * from "./shopAccess.ts"
export * from "./shopRecords.ts"
export { refsOf } from "./shown.ts"
export {
  cartSearchText,
  customerSearchText,
  orderSearchText,
  productSearchText,
  shownCarts,
  shownOrders
} from "./shownRecords.ts"
export * from "./SkippedRecords.ts"
export {
  CodeChallenge,
  type ParkedCodeClaim,
  type ParkedStoreCode,
  type StoreAuthorization,
  StoreAuthorizationRedemption,
  StoreAuthorizations
} from "./StoreAuthorizations.ts"
export * from "./StoreConnection.ts"
export {
  type KnownStore,
  openStoreLane,
  type ShopSecrets,
  StoreConnections,
  StoreDirectory,
  type StoreProgress,
  type StoreSecrets,
  storesWork
} from "./StoreConnections.ts"
export * from "./StoreCustomer.ts"
export { markChanged, type OldestMark, type StoreMark, StoreMarkId, StoreMarks } from "./StoreMarks.ts"
export {
  type ExportedPage,
  type FoundRecords,
  layerNoStores,
  layerStorePlatforms,
  type Parameters,
  platformOf,
  type RecordKind,
  type ShopAccess,
  type StoreAuthorizing,
  type StoreCallback,
  type StoreDelivery,
  type StoreDeliveryRequest,
  type StoreFailure,
  type StoreGrant,
  type StorePlatform,
  StorePlatforms,
  type StoreReading,
  type StoreRecords,
  StoreRefused,
  StoreRemedy,
  StoreSettings,
  StoreUnreachable,
  type StoreWebhooks,
  type UnreadableRecord
} from "./StorePlatform.ts"
export { asStore, storeLanes } from "./syncing/storeLanes.ts"
export { type Sought, StoreSightings, type Unseen } from "./syncing/StoreSightings.ts"
export * from "./syncing/syncJob.ts"
export { freshnessOf } from "./syncing/syncSchedule.ts"
export { deletedOrder, type NewOrderIds, toldOrder } from "./toldOrder.ts"
export * from "./use-cases/commerceRecords.ts"
export * from "./use-cases/privacyRequests.ts"
export * from "./use-cases/storeAuthorizations.ts"
export * from "./use-cases/storeCallbacks.ts"
export * from "./use-cases/storeConnections.ts"
export * from "./use-cases/storeCustomers.ts"
