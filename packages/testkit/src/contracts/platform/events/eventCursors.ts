import { runContract, type StorageContract } from "../../contract.ts"
import { cursorMovesPromises } from "./cursorMoves.ts"
import { eventFailuresPromises } from "./eventFailures.ts"
import { consumerHistoryPromises } from "./consumerHistory.ts"

export const eventCursors: StorageContract = {
  port: "EventCursors",
  promises: (it, overlap) => {
    cursorMovesPromises(it, overlap)
    eventFailuresPromises(it, overlap)
    consumerHistoryPromises(it, overlap)
  }
}

/** Contract of `EventCursors` with its `EventConsumerDirectory`. */
export const eventCursorsContract = runContract(eventCursors)
