import { DateTime, Effect, Schema } from "effect"
import { CampaignEvent, contactsWithNewZones, zoneEventTypes } from "../../../campaigns/index.ts"
import { type ContactId, CrmEvent } from "../../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { IdentityEvent } from "../../../platform/identity/index.ts"

/** Events of the areas that can change quiet hours, zones or consent. */
export const QuietHoursEvent = Schema.Union([...CampaignEvent.members, ...CrmEvent.members, ...IdentityEvent.members])

/** Events that recall runs in quiet hours. */
export const quietHoursTypes = [
  ...zoneEventTypes,
  "broadcast_settings.updated",
  "contact.consent_changed",
  "contacts.changed"
] as const satisfies ReadonlyArray<(typeof QuietHoursEvent.Type)["type"]>

type QuietHoursChange = LoggedEvent<
  Extract<typeof QuietHoursEvent.Type, { readonly type: (typeof quietHoursTypes)[number] }>
>

const affectedBy = ({ event }: QuietHoursChange): ReadonlyArray<ContactId> | "all" => {
  switch (event.type) {
    case "broadcast_settings.updated":
      return "all"
    case "contacts.changed":
      return event.action === "consent" ? "all" : []
    case "contact.consent_changed":
      return event.purpose === "marketing" ? [event.contactId] : []
    default:
      return contactsWithNewZones(event)
  }
}

/** Maximum number of runs recalled in one unit of work. */
const maxRecalled = 500

type Recall = TenantScoped<{
  readonly recall: (
    contactIds: ReadonlyArray<ContactId> | null,
    now: DateTime.Utc,
    limit: number
  ) => Effect.Effect<ReadonlyArray<number>, never, Transaction>
}>

/**
 * Recalls the waiting runs that these events affect, and opens their lanes. Each run evaluates its action again: it sends, fails, or waits
 * for the new end.
 */
export const recallWaiting = Effect.fnUntraced(function* <E, R>(
  events: ReadonlyArray<QuietHoursChange>,
  { recall }: Recall,
  open: (lanes: Iterable<number>) => Effect.Effect<void, E, R>
) {
  const affected = events.map(affectedBy)
  const contactIds = affected.includes("all")
    ? null
    : [...new Set(affected.flatMap((each) => (each === "all" ? [] : each)))]
  if (contactIds?.length === 0) return "done" as const
  const lanes = yield* recall(contactIds, yield* DateTime.now, maxRecalled)
  yield* open(lanes)
  return lanes.length === maxRecalled ? ("more" as const) : ("done" as const)
})
