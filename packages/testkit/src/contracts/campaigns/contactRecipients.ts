import { runContract, type StorageContract } from "../contract.ts"
import { contactHistoriesPromises } from "./contactHistories.ts"
import { mergedRecipientsPromises } from "./mergedRecipients.ts"

export const contactRecipients: StorageContract = {
  port: "ContactRecipients",
  promises: (it, overlap) => {
    contactHistoriesPromises(it, overlap)
    mergedRecipientsPromises(it, overlap)
  }
}

export const contactRecipientsContract = runContract(contactRecipients)
