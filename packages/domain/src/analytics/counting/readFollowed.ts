import { Schema } from "effect"
import { CampaignEvent } from "../../campaigns/index.ts"
import { CrmEvent } from "../../crm/index.ts"
import { readingWith } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"
import { InboxEvent } from "../../messaging/inbox/index.ts"
import { OrdersStored, StoreEvent } from "../../commerce/index.ts"

/** The events of all areas that are followed. */
export const FollowedEvents = Schema.Union([
  ...CampaignEvent.members,
  ...CrmEvent.members,
  ...IdentityEvent.members,
  ...InboxEvent.members,
  ...StoreEvent.members,
  OrdersStored
])

/** Reads logged events that are followed. */
export const readFollowed = readingWith({ schema: FollowedEvents })
