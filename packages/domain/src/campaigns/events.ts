import { Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { eventAppender } from "../kernel/index.ts"
import { MessageId } from "../messaging/inbox/index.ts"
import { BroadcastRefusal } from "./Broadcast.ts"
import { BroadcastId } from "./Ids.ts"
import { BroadcastStats } from "./RecipientStatus.ts"
import { BroadcastStatus } from "./broadcastTransitions.ts"

const broadcast = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), broadcastId: BroadcastId })

const replyEvent = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), broadcastId: BroadcastId, contactId: ContactId, messageId: MessageId })

/** Events of broadcasts. `broadcast.progressed` reports recipients in total, not individually. */
export const CampaignEvent = Schema.Union([
  broadcast("broadcast.created"),
  broadcast("broadcast.updated"),
  broadcast("broadcast.deleted"),
  Schema.Struct({
    type: Schema.Literal("broadcast.status_changed"),
    broadcastId: BroadcastId,
    from: BroadcastStatus,
    to: BroadcastStatus,
    reason: Schema.NullOr(Schema.String),
    refusal: Schema.optionalKey(BroadcastRefusal)
  }),
  Schema.Struct({ type: Schema.Literal("broadcast.progressed"), broadcastId: BroadcastId, stats: BroadcastStats }),
  replyEvent("broadcast.replied"),
  replyEvent("broadcast.opted_out"),
  Schema.Struct({ type: Schema.Literal("broadcast_settings.updated") })
])
export type CampaignEvent = typeof CampaignEvent.Type

/** Appends an event of this area in the unit of work of its change. */
export const appendEvent = eventAppender<CampaignEvent>()
