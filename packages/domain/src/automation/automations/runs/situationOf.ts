import { Effect, Schema } from "effect"
import { CampaignEvent } from "../../../campaigns/index.ts"
import { type ContactId, CrmEvent } from "../../../crm/index.ts"
import { EventLog, readingWith } from "../../../platform/events/index.ts"
import { InboxEvent } from "../../../messaging/inbox/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { StoreEvent } from "../../../commerce/index.ts"
import { factsOf } from "../facts/factsOf.ts"

/** Everything that happens in the areas whose events may begin something. */
export const AnySourceEvent = Schema.Union([
  ...CrmEvent.members,
  ...InboxEvent.members,
  ...CampaignEvent.members,
  ...StoreEvent.members
])

const read = readingWith({ schema: AnySourceEvent })

/** What the event at a position is about, as it is today; `null` where the contact is gone. */
export const situationOf = Effect.fnUntraced(function* (
  position: number,
  contactId: ContactId | null,
  schedules: ReadonlyArray<ScheduleId>
) {
  const [logged] = yield* read(yield* (yield* EventLog).at([position]))
  return logged === undefined ? null : yield* factsOf(logged, contactId, schedules)
})
