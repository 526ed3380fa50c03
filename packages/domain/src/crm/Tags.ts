import { Context, type DateTime, Effect, Schema } from "effect"
import {
  NotFound,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  type VersionConflict
} from "../kernel/index.ts"
import { SingleLineText } from "../platform/identity/index.ts"
import { TagId } from "./Identity.ts"
import type { NameTaken } from "./errors.ts"

const TagName = SingleLineText.check(Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }))

const Color = Schema.String.check(Schema.isPattern(/^#[0-9a-f]{6}$/u, { message: "Expected a color such as #1f6feb" }))

/** Reference to a tag by id, or by name in any case. A text in the form of an id is an id. */
export const TagRef = Schema.Union([TagId, TagName])
export type TagRef = typeof TagRef.Type

/** Label for contacts. Names are unique in the organization, ignoring case. */
export class Tag extends Schema.Class<Tag>("Tag")({
  id: TagId,
  name: TagName,
  color: Color,
  contactCount: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** Color of a tag without a chosen color. */
export const defaultTagColor = "#8b949e"

export const NewTag = Schema.Struct({ name: TagName, color: Schema.optionalKey(Color) }).annotate({
  identifier: "NewTag"
})
export type NewTag = typeof NewTag.Type

export const TagPatch = Schema.Struct({
  name: Schema.optionalKey(TagName),
  color: Schema.optionalKey(Color)
}).annotate({ identifier: "TagPatch" })
export type TagPatch = typeof TagPatch.Type

export class Tags extends Context.Service<
  Tags,
  TenantScoped<{
    readonly get: (id: TagId) => Effect.Effect<Tag, NotFound>
    /** Returns the existing ones, unordered. */
    readonly find: (ids: ReadonlyArray<TagId>) => Effect.Effect<ReadonlyArray<Tag>>
    /** Returns the existing ones, ignoring the case of names, unordered. */
    readonly findByName: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Tag>>
    /** Returns tags whose folded name has this prefix, sorted by name. The row key is the folded name and the id. */
    readonly list: (beginning: string, slice: Slice) => Effect.Effect<ReadonlyArray<Tag>>
    readonly insert: (tag: Tag) => Effect.Effect<void, NameTaken, Transaction>
    /** Stores name and color and increments the version, if the stored version is the expected one. */
    readonly save: (
      tag: Tag,
      expected: number | null
    ) => Effect.Effect<Tag, NotFound | VersionConflict | NameTaken, Transaction>
    /** Deletes the tag. No contact has it from this commit on. */
    readonly remove: (
      id: TagId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    /** Moves the tag to the other one on at most `limit` contacts and increments their versions. Returns the number of contacts. */
    readonly move: (
      from: TagId,
      to: TagId,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Removes remains of a deleted tag from at most `limit` contacts. Returns their number. The change is not observable. */
    readonly clear: (id: TagId, limit: number) => Effect.Effect<number, never, Transaction>
  }>
>()("@parley/domain/crm/Tags") {}

/** Fails unless all tags exist. */
export const checkTags = Effect.fnUntraced(function* (tags: ReadonlyArray<TagId> | undefined, pointer: string) {
  if (tags === undefined || tags.length === 0) return
  const found = new Set((yield* (yield* Tags).find(tags)).map(({ id }) => id))
  const missing = tags.findIndex((id) => !found.has(id))
  if (missing >= 0) return yield* new NotFound({ resource: "tag", pointer: `${pointer}/${missing}` })
})
