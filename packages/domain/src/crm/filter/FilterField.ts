import { Schema } from "effect"

/** What a condition may look at of contacts themselves; other areas add what they know of them. */
export const FilterField = Schema.Literals([
  "tag",
  "attribute",
  "consent",
  "name",
  "phone",
  "email",
  "locale",
  "timezone",
  "identity",
  "createdAt",
  "lastSeenAt",
  "lastInboundAt",
  "blocked",
  "segment",
  "contact"
])
export type FilterField = typeof FilterField.Type

/** Whether the contact itself has this field. */
export const isFilterField = Schema.is(FilterField)
