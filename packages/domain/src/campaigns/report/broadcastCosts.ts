import { MessageId, readMessageCost } from "../../messaging/inbox/index.ts"
import { type BroadcastId, recipientIdAt, recipientPrefix } from "../Ids.ts"

const maxPlace = 0xffff_ffff

/** Reads the cost of the delivered messages of a broadcast. Their ids are the ids of its recipients, which share a prefix. */
export const readBroadcastCost = (id: BroadcastId) => {
  const prefix = recipientPrefix(id)
  return readMessageCost({
    kind: "messages",
    first: MessageId.make(recipientIdAt(prefix, 0)),
    last: MessageId.make(recipientIdAt(prefix, maxPlace))
  })
}
