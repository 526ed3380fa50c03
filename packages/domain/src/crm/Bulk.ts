import { Schema } from "effect"
import { NewConsent } from "./Consent.ts"
import { TagIds } from "./Contact.ts"
import { FilterInput } from "./filter/FilterInput.ts"
import { ContactId } from "./Ids.ts"

/** What can be done to many contacts at once. */
export const BulkAction = Schema.Literals(["tag", "untag", "consent", "delete"])
export type BulkAction = typeof BulkAction.Type

const action = <const Action extends BulkAction, F extends Schema.Struct.Fields>(action: Action, fields: F) =>
  Schema.Struct({ action: Schema.Literal(action), ...fields })

const SomeTags = TagIds.check(Schema.isMinLength(1, { message: "Expected at least one tag" }))

/** A change of many contacts. */
export const BulkChange = Schema.Union([
  action("tag", { tags: SomeTags }),
  action("untag", { tags: SomeTags }),
  action("consent", { marketing: NewConsent }),
  action("delete", {})
]).annotate({ identifier: "BulkChange" })
export type BulkChange = typeof BulkChange.Type

/** Which contacts: these, or all that a filter matches when the change begins. */
export const BulkTarget = Schema.Struct({
  ids: Schema.optionalKey(
    Schema.Array(ContactId).check(
      Schema.isBetweenLength(1, 1_000, { message: "Expected 1 to 1000 ids" }),
      Schema.isUnique({ message: "Expected each id once" })
    )
  ),
  filter: Schema.optionalKey(FilterInput)
}).annotate({ identifier: "BulkTarget" })
export type BulkTarget = typeof BulkTarget.Type

/** A change of many contacts, and which ones. */
export const BulkRequest = Schema.Struct({ change: BulkChange, target: BulkTarget }).annotate({
  identifier: "BulkRequest"
})
export type BulkRequest = typeof BulkRequest.Type

/** What was done at once: how many contacts there were, how many were changed, and which of the ids are nobody's. */
export const BulkResult = Schema.Struct({
  matched: Schema.Int,
  changed: Schema.Int,
  missing: Schema.Array(ContactId)
}).annotate({ identifier: "BulkResult" })
export type BulkResult = typeof BulkResult.Type
