import { audiences } from "./audiences.ts"
import { broadcastConditions } from "./broadcastConditions.ts"
import { broadcasts } from "./broadcasts.ts"
import { buttonTaps } from "./buttonTaps.ts"
import { contactRecipients } from "./contactRecipients.ts"
import { broadcastReports, expiredRecipients } from "./expiredRecipients.ts"
import { nextClaims } from "./nextClaims.ts"
import { recipientLedger } from "./recipientLedger.ts"
import { recipientList } from "./recipientList.ts"
import { recipientReceipts } from "./recipientReceipts.ts"
import { recipientReplies } from "./recipientReplies.ts"
import { recipientReservations } from "./recipientReservations.ts"
import { storedBroadcastSettings } from "./storedBroadcastSettings.ts"

export { audiencesContract } from "./audiences.ts"
export { broadcastConditionsContract } from "./broadcastConditions.ts"
export { broadcastsContract } from "./broadcasts.ts"
export { buttonTapsContract } from "./buttonTaps.ts"
export { contactRecipientsContract } from "./contactRecipients.ts"
export { broadcastReportsContract, expiredRecipientsContract } from "./expiredRecipients.ts"
export { newBroadcast } from "./given.ts"
export { nextClaimsContract } from "./nextClaims.ts"
export { recipientLedgerContract } from "./recipientLedger.ts"
export { recipientListContract } from "./recipientList.ts"
export { recipientReceiptsContract } from "./recipientReceipts.ts"
export { recipientRepliesContract } from "./recipientReplies.ts"
export { recipientReservationsContract } from "./recipientReservations.ts"
export { storedBroadcastSettingsContract } from "./storedBroadcastSettings.ts"

export const campaignsContracts = [
  audiences,
  broadcastConditions,
  broadcastReports,
  broadcasts,
  buttonTaps,
  expiredRecipients,
  nextClaims,
  recipientLedger,
  contactRecipients,
  recipientList,
  recipientReceipts,
  recipientReplies,
  recipientReservations,
  storedBroadcastSettings
]
