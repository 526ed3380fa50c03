import { broadcastBuyers } from "./broadcastBuyers.ts"
import { cartClock } from "./cartClock.ts"
import { contactCommerceRecords } from "./contactCommerceRecords.ts"
import { privacyRequests } from "./privacyRequests.ts"
import { purchaseConditions } from "./purchaseConditions.ts"
import { skippedRecords } from "./skippedRecords.ts"
import { staleRecords } from "./staleRecords.ts"
import { storeAuthorizations } from "./storeAuthorizations.ts"
import { storeConnections } from "./storeConnections.ts"
import { storeRecordLists } from "./storeRecordLists.ts"
import { storeRecords } from "./storeRecords.ts"
import { syncSeenRecords } from "./syncSeenRecords.ts"

export { StoreSide } from "./StoreSide.ts"
export { broadcastBuyersContract } from "./broadcastBuyers.ts"
export { cartClockContract } from "./cartClock.ts"
export { contactCommerceRecordsContract } from "./contactCommerceRecords.ts"
export { privacyRequestsContract } from "./privacyRequests.ts"
export { purchaseConditionsContract } from "./purchaseConditions.ts"
export { skippedRecordsContract } from "./skippedRecords.ts"
export { staleRecordsContract } from "./staleRecords.ts"
export { storeAuthorizationsContract } from "./storeAuthorizations.ts"
export { storeConnectionsContract } from "./storeConnections.ts"
export { storePlatformContract } from "./storePlatform.ts"
export { storeRecordListsContract } from "./storeRecordLists.ts"
export { storeRecordsContract } from "./storeRecords.ts"
export { syncSeenRecordsContract } from "./syncSeenRecords.ts"

export const commerceContracts = [
  skippedRecords,
  storeConnections,
  storeAuthorizations,
  broadcastBuyers,
  cartClock,
  privacyRequests,
  staleRecords,
  storeRecords,
  storeRecordLists,
  syncSeenRecords,
  contactCommerceRecords,
  purchaseConditions
]
