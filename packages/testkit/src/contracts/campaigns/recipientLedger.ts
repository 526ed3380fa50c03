import { runContract, type StorageContract } from "../contract.ts"
import { recipientClaimsPromises } from "./recipientClaims.ts"
import { broadcastStopsPromises } from "./broadcastStops.ts"

export const recipientLedger: StorageContract = {
  port: "RecipientLedger",
  promises: (it, overlap) => {
    recipientClaimsPromises(it, overlap)
    broadcastStopsPromises(it, overlap)
  }
}

export const recipientLedgerContract = runContract(recipientLedger)
