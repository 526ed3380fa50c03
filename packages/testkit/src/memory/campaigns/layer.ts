import { Layer } from "effect"
import * as Audiences from "./Audiences.ts"
import * as BroadcastReports from "./BroadcastReports.ts"
import * as Broadcasts from "./Broadcasts.ts"
import * as ButtonTaps from "./ButtonTaps.ts"
import * as RecipientLedger from "./RecipientLedger.ts"
import * as ContactRecipients from "./ContactRecipients.ts"
import * as ExpiredRecipients from "./ExpiredRecipients.ts"
import * as RecipientList from "./RecipientList.ts"
import * as RecipientReceipts from "./RecipientReceipts.ts"
import * as RecipientReplies from "./RecipientReplies.ts"
import * as RecipientReservations from "./RecipientReservations.ts"
import * as StoredBroadcastSettings from "./StoredBroadcastSettings.ts"

export const layer = Layer.mergeAll(
  Audiences.layer,
  BroadcastReports.layer,
  Broadcasts.layer,
  ButtonTaps.layer,
  ExpiredRecipients.layer,
  RecipientLedger.layer,
  ContactRecipients.layer,
  RecipientList.layer,
  RecipientReceipts.layer,
  RecipientReplies.layer,
  RecipientReservations.layer,
  StoredBroadcastSettings.layer
)
