import { Schema } from "effect"
import { Timestamp } from "../kernel/index.ts"
import { BroadcastId, RecipientId } from "./Ids.ts"
import { RecipientStatus } from "./RecipientStatus.ts"

const at = Schema.NullOr(Timestamp)

/** A broadcast that a contact has got. Its id is the broadcast's: the recipient's is that of the message in a conversation. */
export const RecipientEntry = Schema.Struct({
  kind: Schema.Literal("broadcast"),
  id: BroadcastId,
  at: Timestamp.annotateKey({ description: "When the provider accepted it." }),
  broadcastId: BroadcastId,
  recipientId: RecipientId.annotateKey({ description: "Also the id of the message in a conversation." }),
  name: Schema.String.annotateKey({ description: "The broadcast's name." }),
  status: RecipientStatus,
  repliedAt: at,
  optedOutAt: at
}).annotate({ identifier: "RecipientEntry" })
export type RecipientEntry = typeof RecipientEntry.Type
