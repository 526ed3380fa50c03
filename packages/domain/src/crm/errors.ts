import { Schema } from "effect"
import { ContactId, IdentityKind } from "./Identity.ts"

/** Another contact of the organization has this identity. */
export class ContactExists extends Schema.TaggedError<ContactExists>()("ContactExists", {
  contactId: ContactId,
  kind: IdentityKind
}) {
  override get message() {
    return `The contact ${this.contactId} already has this ${this.kind.replaceAll("_", " ")}. Update that contact, or merge the two.`
  }
}

export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", {
  resource: Schema.String,
  id: Schema.String
}) {
  override get message() {
    return `The ${this.resource} ${this.id} already has this name.`
  }
}

export class SegmentInUse extends Schema.TaggedError<SegmentInUse>()("SegmentInUse", {
  segmentIds: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Other segments use this one: ${this.segmentIds.join(", ")}. Change them first.`
  }
}

/** The person has opted out of marketing. Only the person's own declaration ends this. */
export class ContactOptedOut extends Schema.TaggedError<ContactOptedOut>()("ContactOptedOut", {
  optedOutAt: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return "This contact has opted out of marketing. Only a later declaration of the contact through the chat provider changes this. To store the other fields, leave out `marketing`."
  }
}

export class MergeUndone extends Schema.TaggedError<MergeUndone>()("MergeUndone", {}) {
  override get message() {
    return "This merge was already undone."
  }
}
