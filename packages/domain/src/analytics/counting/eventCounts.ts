import type { CampaignEvent } from "../../campaigns/index.ts"
import type { CrmEvent } from "../../crm/index.ts"
import type { LoggedEvent } from "../../events/index.ts"
import type { InboxEvent } from "../../inbox/index.ts"
import type { IdentityEvent } from "../../identity/index.ts"
import { type Count, once, wholeOrganization } from "../Count.ts"
import { quarterOf } from "../time/quarters.ts"

/** The events that are followed. */
export type FollowedEvent = CampaignEvent | CrmEvent | IdentityEvent | InboxEvent

/** What an event counts as by itself, whatever becomes of what it is about: the log is the record of it. */
export const eventCounts = ({ at, event }: LoggedEvent<FollowedEvent>): ReadonlyArray<Count> => {
  const quarter = quarterOf(at)
  switch (event.type) {
    case "contact.created":
      return [once("contacts.new", quarter, [wholeOrganization])]
    case "contacts.imported":
      return event.created === 0 ? [] : [once("contacts.imported", quarter, [wholeOrganization], event.created)]
    case "broadcast.status_changed":
      return event.to === "sending" && event.from !== "paused"
        ? [once("broadcasts.started", quarter, [wholeOrganization])]
        : []
    default:
      return []
  }
}
