import { defineArea, seenWith } from "../kernel/index.ts"
import { broadcastField } from "./broadcastField.ts"
import { CampaignEvent } from "./Events.ts"
import { lastBroadcastField } from "./lastBroadcastField.ts"
import { broadcastSender } from "./sending/broadcastSender.ts"
import { campaignsReactions } from "./Reactions.ts"
import { recipientHolding } from "./recipientHolding.ts"
import { recipientMessages } from "./receipts/recipientMessages.ts"
import { campaignsStorage } from "./Storage.ts"
import { broadcastRecipientsUse } from "./usage.ts"
import { campaignsWorks } from "./work.ts"
import { campaignResources } from "./eventResources.ts"

/** What this area says of itself. */
export const campaignsArea = defineArea({
  name: "campaigns",
  storage: campaignsStorage,
  contactFilterFields: [lastBroadcastField, broadcastField],
  events: seenWith(CampaignEvent, {
    "broadcast.created": "broadcasts.read",
    "broadcast.updated": "broadcasts.read",
    "broadcast.deleted": "broadcasts.read",
    "broadcast.status_changed": "broadcasts.read",
    "broadcast.progressed": "broadcasts.read",
    "broadcast.replied": "broadcasts.read",
    "broadcast.opted_out": "broadcasts.read",
    "broadcast_settings.updated": "broadcasts.read"
  }),
  accountSenders: [broadcastSender],
  contactHoldings: [recipientHolding],
  outsideMessages: [recipientMessages],
  permissions: ["broadcasts.read", "broadcasts.manage", "broadcasts.send"],
  reactions: campaignsReactions,
  works: campaignsWorks,
  limitUses: [broadcastRecipientsUse],
  eventResources: campaignResources
})
