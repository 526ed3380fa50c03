import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import type { NameTaken } from "./Errors.ts"
import type { TagId } from "./Ids.ts"
import type { Tag } from "./Tag.ts"

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
