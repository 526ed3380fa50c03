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
export const defaultTagColor = "#8b949e"

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

/** The tags of the organization. */
export class Tags extends Context.Service<
  Tags,
  TenantScoped<{
    readonly get: (id: TagId) => Effect.Effect<Tag, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<TagId>) => Effect.Effect<ReadonlyArray<Tag>>
    /** Those of them that there are, whatever the case of the names, in no order. */
    readonly findByName: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Tag>>
    /** By name, of those whose folded name begins so; the key of a row is its folded name and its id. */
    readonly list: (beginning: string, slice: Slice) => Effect.Effect<ReadonlyArray<Tag>>
    readonly insert: (tag: Tag) => Effect.Effect<void, NameTaken, Transaction>
    /** Stores name and color with the version raised by one, if the stored version is still the expected one. */
    readonly save: (
      tag: Tag,
      expected: number | null
    ) => Effect.Effect<Tag, NotFound | VersionConflict | NameTaken, Transaction>
    /** Removes the tag; from that moment no contact has it. */
    readonly remove: (
      id: TagId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    /** Moves the tag to the other one on at most `limit` contacts, raising their versions; says how many had it. */
    readonly move: (
      from: TagId,
      to: TagId,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Takes what is left of a tag that was removed off at most `limit` contacts; says how many that were. Nobody notices. */
    readonly clear: (id: TagId, limit: number) => Effect.Effect<number, never, Transaction>
  }>
>()("@parley/domain/crm/Tags") {}

/** Refuses tags that do not exist. */
export const checkTags = Effect.fnUntraced(function* (tags: ReadonlyArray<TagId> | undefined, pointer: string) {
  if (tags === undefined || tags.length === 0) return
  const found = new Set((yield* (yield* Tags).find(tags)).map(({ id }) => id))
  const missing = tags.findIndex((id) => !found.has(id))
  if (missing >= 0) return yield* new NotFound({ resource: "tag", pointer: `${pointer}/${missing}` })
})
