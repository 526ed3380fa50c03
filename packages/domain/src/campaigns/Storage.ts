import { Audiences } from "./Audiences.ts"
import { BroadcastBuyers } from "./BroadcastBuyers.ts"
import { BroadcastReports } from "./BroadcastReports.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { ButtonTaps } from "./ButtonTaps.ts"
import { ContactRecipients } from "./ContactRecipients.ts"
import { ExpiredRecipients } from "./ExpiredRecipients.ts"
import { RecipientLedger } from "./RecipientLedger.ts"
import { RecipientList } from "./RecipientList.ts"
import { RecipientReceipts } from "./RecipientReceipts.ts"
import { RecipientReplies } from "./RecipientReplies.ts"
import { RecipientReservations } from "./RecipientReservations.ts"
import { StoredBroadcastSettings } from "./StoredBroadcastSettings.ts"

/** The ports that a storage adapter provides of this area. */
export const campaignsStorage = [
  Audiences,
  BroadcastBuyers,
  BroadcastReports,
  Broadcasts,
  ButtonTaps,
  ContactRecipients,
  ExpiredRecipients,
  RecipientLedger,
  RecipientList,
  RecipientReceipts,
  RecipientReplies,
  RecipientReservations,
  StoredBroadcastSettings
] as const
