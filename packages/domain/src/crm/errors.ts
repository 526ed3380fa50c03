import { Schema } from "effect"
import { ContactId, IdentityKind } from "./Identity.ts"

/** Another contact of the organization has this identity. */
export class ContactExists extends Schema.TaggedError<ContactExists>()("ContactExists", {
  contactId: ContactId,
  kind: IdentityKind
}) {
  override get message() {
    return `The contact ${this.contactId} has this ${this.kind.replaceAll("_", " ")} already. Change that one, or merge the two.`
  }
}

export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", {
  resource: Schema.String,
  id: Schema.String
}) {
  override get message() {
    return `The ${this.resource} ${this.id} has this name already.`
  }
}

export class SegmentInUse extends Schema.TaggedError<SegmentInUse>()("SegmentInUse", {
  segmentIds: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Other segments are made of this one: ${this.segmentIds.join(", ")}. Change them first.`
  }
}

/** The person has opted out of marketing. Only the person's own declaration ends this. */
export class ContactOptedOut extends Schema.TaggedError<ContactOptedOut>()("ContactOptedOut", {
  optedOutAt: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return "This person has opted out of marketing. Only their own later word, told by the chat provider, takes that back; leave `marketing` out to store the rest."
  }
}

export class MergeUndone extends Schema.TaggedError<MergeUndone>()("MergeUndone", {}) {
  override get message() {
    return "This merge has been undone already."
  }
}
