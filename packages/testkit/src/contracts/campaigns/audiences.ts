import { runContract, type StorageContract } from "../contract.ts"
import { frozenAudiencesPromises } from "./frozenAudiences.ts"
import { storedAudiencesPromises } from "./storedAudiences.ts"

/** Contract of broadcast audiences: the preview count and the recipient list. */
export const audiences: StorageContract = {
  port: "Audiences",
  promises: (it, overlap) => {
    frozenAudiencesPromises(it, overlap)
    storedAudiencesPromises(it, overlap)
  }
}

/** Runs the contract of audiences against an adapter. */
export const audiencesContract = runContract(audiences)
