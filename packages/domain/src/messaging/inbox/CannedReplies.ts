import { Context, type Effect } from "effect"
import type { NameTaken } from "../../crm/index.ts"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { CannedReply } from "./CannedReply.ts"
import type { CannedReplyId } from "./Ids.ts"

/** The canned replies of the organization. */
export class CannedReplies extends Context.Service<
  CannedReplies,
  TenantScoped<{
    readonly get: (id: CannedReplyId) => Effect.Effect<CannedReply, NotFound>
    /** By shortcut, of those that begin so; the key of a row is its shortcut. */
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
