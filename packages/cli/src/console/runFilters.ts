import { ContactId } from "@parley/domain/crm"
import { Timestamp } from "@parley/domain/kernel"
import { Flag } from "effect/cli"
import { one, Position } from "./listing.ts"

/** Filters of jobs for runs, without the state. */
export const runFilters = {
  contactId: one(ContactId),
  position: one(Position),
  createdFrom: one(Timestamp),
  createdTo: one(Timestamp)
}

export const preview = Flag.Boolean("preview").pipe(
  Flag.withDescription("Print only the number of matching runs, and start no job"),
  Flag.withDefault(false)
)
