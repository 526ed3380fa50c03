import { Schema } from "effect"

/** What a condition may look at. */
export const FilterField = Schema.Literals([
  "tag",
  "attribute",
  "consent",
  "name",
  "phone",
  "email",
  "locale",
  "identity",
  "createdAt",
  "lastSeenAt",
  "lastInboundAt",
  "blocked",
  "segment"
])
export type FilterField = typeof FilterField.Type
