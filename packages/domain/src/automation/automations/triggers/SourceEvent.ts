import type { CampaignEvent } from "../../../campaigns/index.ts"
import type { CrmEvent } from "../../../crm/index.ts"
import type { InboxEvent } from "../../../messaging/inbox/index.ts"
import type { StoreEvent } from "../../../commerce/index.ts"

/** What happens in the areas whose events may begin something. */
export type SourceEvent = CampaignEvent | CrmEvent | InboxEvent | StoreEvent
