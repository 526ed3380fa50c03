import { Audiences } from "./Audiences.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { ContactRecipients } from "./ContactRecipients.ts"
import { RecipientLedger } from "./RecipientLedger.ts"
import { RecipientList } from "./RecipientList.ts"
import { RecipientReceipts } from "./RecipientReceipts.ts"
import { RecipientReplies } from "./RecipientReplies.ts"
import { RecipientReservations } from "./RecipientReservations.ts"
import { StoredBroadcastSettings } from "./StoredBroadcastSettings.ts"

/** The ports that a storage adapter provides of this area. */
export const campaignsStorage = [
  Audiences,
  Broadcasts,
  ContactRecipients,
  RecipientLedger,
  RecipientList,
  RecipientReceipts,
  RecipientReplies,
  RecipientReservations,
  StoredBroadcastSettings
] as const
