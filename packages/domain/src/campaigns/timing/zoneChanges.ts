import { Schema } from "effect"
import { type ContactId, CrmEvent } from "../../crm/index.ts"
import type { LoggedEvent } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"

export const ZoneEvent = Schema.Union([...CrmEvent.members, ...IdentityEvent.members])

/** Events that can change the possible time zones of contacts. */
export const zoneEventTypes = [
  "contact.merged",
  "contact.unmerged",
  "contact.updated",
  "contacts.imported",
  "organization.updated"
] as const satisfies ReadonlyArray<(typeof ZoneEvent.Type)["type"]>

export type ZoneChange = Extract<typeof ZoneEvent.Type, { readonly type: (typeof zoneEventTypes)[number] }>

/** Contact fields that determine the time zone. */
const zoneFields: ReadonlySet<string> = new Set(["phone", "timezone"])

/** Contacts whose possible time zones can have changed. */
export const contactsWithNewZones = (event: ZoneChange): ReadonlyArray<ContactId> | "all" => {
  switch (event.type) {
    case "contacts.imported":
    case "organization.updated":
      return "all"
    case "contact.updated":
      return event.fields.some((field) => zoneFields.has(field)) ? [event.contactId] : []
    case "contact.merged":
      return [event.contactId]
    case "contact.unmerged":
      return [event.contactId, event.restoredId]
  }
}

/** Combines the contacts of several events. */
export const affectedContacts = (events: ReadonlyArray<LoggedEvent<ZoneChange>>): ReadonlyArray<ContactId> | "all" => {
  const affected = events.map(({ event }) => contactsWithNewZones(event))
  return affected.includes("all") ? "all" : [...new Set(affected.flatMap((each) => (each === "all" ? [] : each)))]
}
