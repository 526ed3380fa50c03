import { Context, type Effect, Schema } from "effect"
import type { NameTaken } from "../../crm/index.ts"
import {
  type NotFound,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  type VersionConflict
} from "../../kernel/index.ts"
import { MultiLineText } from "../../platform/identity/index.ts"
import { CannedReplyId } from "./Message.ts"

/** Text that a member types to insert a canned reply. Unique in the organization. */
const Shortcut = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,39}$/u, {
    message: "Expected lower-case letters, digits, hyphens and underscores"
  })
)

const CannedText = MultiLineText.check(
  Schema.isBetweenCodePoints(1, 4_096, { message: "Expected 1 to 4096 characters" })
)

/** Answer that the team uses often. */
export class CannedReply extends Schema.Class<CannedReply>("CannedReply")({
  id: CannedReplyId,
  shortcut: Shortcut,
  text: CannedText,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

export const NewCannedReply = Schema.Struct({ shortcut: Shortcut, text: CannedText }).annotate({
  identifier: "NewCannedReply"
})
export type NewCannedReply = typeof NewCannedReply.Type

export const CannedReplyPatch = Schema.Struct({
  shortcut: Schema.optionalKey(Shortcut),
  text: Schema.optionalKey(CannedText)
}).annotate({ identifier: "CannedReplyPatch" })
export type CannedReplyPatch = typeof CannedReplyPatch.Type

export class CannedReplies extends Context.Service<
  CannedReplies,
  TenantScoped<{
    readonly get: (id: CannedReplyId) => Effect.Effect<CannedReply, NotFound>
    /** Sorted by shortcut, only shortcuts with this prefix. The key of a row is its shortcut. */
    readonly list: (beginning: string, slice: Slice) => Effect.Effect<ReadonlyArray<CannedReply>>
    readonly insert: (reply: CannedReply) => Effect.Effect<void, NameTaken, Transaction>
    readonly save: (
      reply: CannedReply,
      expected: number | null
    ) => Effect.Effect<CannedReply, NotFound | VersionConflict | NameTaken, Transaction>
    readonly remove: (
      id: CannedReplyId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/messaging/inbox/CannedReplies") {}
