import { DateTime, Effect, Schema } from "effect"
import { ContactId, Contacts } from "../../../crm/index.ts"
import { NotFound, Timestamp, ValidationFailed } from "../../../kernel/index.ts"
import { AutomationRunState } from "./AutomationRun.ts"

const Position = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, { message: "Expected a position of the feed" })
)

/** Fields of a filter for runs of automations and workflows, without the state. */
export const runFilterFields = {
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only runs for this contact. Default: any." }),
  position: Schema.optionalKey(Position).annotateKey({
    description: "Only runs that the event at this position of the event feed started. Default: any."
  }),
  createdFrom: Schema.optionalKey(Timestamp).annotateKey({
    description: "Only runs created at this time or later. Default: any."
  }),
  createdTo: Schema.optionalKey(Timestamp).annotateKey({
    description: "Only runs created before this time. Default: the time of the call."
  })
}

const RunFilter = Schema.Struct(runFilterFields)
export type RunFilter = typeof RunFilter.Type

/** Whether to count the runs only. */
export const RunPreview = Schema.optionalKey(Schema.Boolean).annotateKey({
  description: "Whether to return only the number of matching runs and start no job. Default: false."
})

/** Number of runs that a filter matches now. */
export const RunCount = Schema.Struct({
  count: Schema.Int.annotateKey({ description: "Number of runs that match the filter now." })
}).annotate({ identifier: "RunCount" })
export type RunCount = typeof RunCount.Type

/** Fields of a resolved filter, without the states. `createdBefore` excludes runs that start after the call. */
export const runSelectionFields = {
  contactId: Schema.NullOr(ContactId),
  position: Schema.NullOr(Schema.Int),
  createdFrom: Schema.NullOr(Timestamp),
  createdBefore: Timestamp
}

/** `excluded`: only runs that no other run repeats. */
export const RerunSelection = Schema.Literals(["included", "excluded"])

interface RunSelection extends Omit<AutomationRunSelection, "states"> {
  readonly states: ReadonlyArray<string>
}

/** Runs of an automation that a job handles. */
export const AutomationRunSelection = Schema.Struct({
  states: Schema.Array(AutomationRunState),
  rerun: RerunSelection,
  ...runSelectionFields
})
export type AutomationRunSelection = typeof AutomationRunSelection.Type

/** Resolves a filter at the time of the call. Fails for an unknown contact, and for times that no run can match. */
export const resolveRunFilter = Effect.fnUntraced(function* ({
  contactId,
  createdFrom,
  createdTo,
  position
}: RunFilter) {
  if (createdFrom !== undefined && createdTo !== undefined && !DateTime.isLessThan(createdFrom, createdTo)) {
    const error = { pointer: "/filter/createdFrom", message: "Expected a time before `createdTo`" }
    return yield* new ValidationFailed({ errors: [error] })
  }
  if (contactId !== undefined && (yield* (yield* Contacts).find([contactId])).length === 0) {
    return yield* new NotFound({ resource: "contact", pointer: "/filter/contactId" })
  }
  // Timestamps have milliseconds, so runs created in the millisecond of the call are included.
  const end = DateTime.add(yield* DateTime.now, { milliseconds: 1 })
  return {
    contactId: contactId ?? null,
    position: position ?? null,
    createdFrom: createdFrom ?? null,
    createdBefore: createdTo === undefined ? end : DateTime.min(createdTo, end)
  }
})

/** Encodes a selection for the audit log. */
export const toAuditSelection = ({ contactId, createdBefore, createdFrom, position, states }: RunSelection) => ({
  states,
  contactId,
  position,
  createdFrom: createdFrom === null ? null : DateTime.formatIso(createdFrom),
  createdBefore: DateTime.formatIso(createdBefore)
})
