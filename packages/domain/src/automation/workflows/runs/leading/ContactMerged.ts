import { Schema } from "effect"
import { ContactId, ContactMergeId } from "../../../../crm/index.ts"

/** The contact of the run has become a part of another one while the run began: the merge has not seen it. */
export class ContactMerged extends Schema.TaggedError<ContactMerged>()("ContactMerged", {
  from: ContactId,
  to: ContactId,
  mergeId: ContactMergeId
}) {
  override get message() {
    return "The contact has become a part of another one."
  }
}
