import { Schema } from "effect"
import { wholeShownWith } from "../kernel/index.ts"
import { Contact } from "./Contact.ts"
import { Tag } from "./Tag.ts"

/** What a contact names by ids that an answer can have beside them. */
export const ContactExpansion = Schema.Literals(["tags"])
export type ContactExpansion = typeof ContactExpansion.Type

/** A contact, with what was asked for of what it names. */
export const ExpandedContact = Schema.Struct({
  ...Contact.fields,
  expanded: Schema.optionalKey(
    Schema.Struct({
      tags: Schema.optionalKey(Schema.Array(Tag)).annotateKey({ description: "The tags, in the order of their ids." })
    })
  ).annotateKey({ description: "What `expand` asked for." })
}).annotate({ identifier: "ExpandedContact", ...wholeShownWith("contacts.read") })
export type ExpandedContact = typeof ExpandedContact.Type
