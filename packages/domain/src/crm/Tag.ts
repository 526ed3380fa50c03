import { Schema } from "effect"
import { Name } from "../platform/identity/index.ts"
import { Timestamp } from "../kernel/index.ts"
import { TagId } from "./Ids.ts"

const TagName = Name.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

const Color = Schema.String.check(Schema.isPattern(/^#[0-9a-f]{6}$/u, { message: "Expected a color such as #1f6feb" }))

/** How a tag is named in a request: by its id, or by its name in any case. What is written like an id is one. */
export const TagRef = Schema.Union([TagId, TagName])
export type TagRef = typeof TagRef.Type

/** A label for contacts. Names are unique in the organization, whatever their case. */
export class Tag extends Schema.Class<Tag>("Tag")({
  id: TagId,
  name: TagName,
  color: Color,
  contactCount: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** The color of a tag for which none was chosen. */
export const plainColor = "#8b949e"

/** What is said of a new tag. */
export const NewTag = Schema.Struct({ name: TagName, color: Schema.optionalKey(Color) }).annotate({
  identifier: "NewTag"
})
export type NewTag = typeof NewTag.Type

/** What may be changed of a tag. */
export const TagPatch = Schema.Struct({
  name: Schema.optionalKey(TagName),
  color: Schema.optionalKey(Color)
}).annotate({ identifier: "TagPatch" })
export type TagPatch = typeof TagPatch.Type
