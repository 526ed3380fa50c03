import { Layer } from "effect"
import * as Broadcasts from "./Broadcasts.ts"
import * as RecipientLedger from "./RecipientLedger.ts"
import * as RecipientReceipts from "./RecipientReceipts.ts"
import * as RecipientReservations from "./RecipientReservations.ts"
import * as StoredBroadcastSettings from "./StoredBroadcastSettings.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(
  Broadcasts.layer,
  RecipientLedger.layer,
  RecipientReceipts.layer,
  RecipientReservations.layer,
  StoredBroadcastSettings.layer
)
