import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { MessageTemplateExists } from "./Errors.ts"
import type { ChatAccountId, MessageTemplateId } from "./Ids.ts"
import type { MessageTemplate, TemplateStatus } from "./MessageTemplate.ts"

/** Which templates to read; `null` is all of them. */
export interface MessageTemplateQuery {
  readonly chatAccountId: ChatAccountId | null
  readonly status: TemplateStatus | null
  /** What the name begins with. */
  readonly name: string | null
}

/** The message templates of the organization. */
export class MessageTemplates extends Context.Service<
  MessageTemplates,
  TenantScoped<{
    readonly get: (id: MessageTemplateId) => Effect.Effect<MessageTemplate, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<MessageTemplateId>) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    /** By name, then language, then id, which are the key of a row. */
    readonly list: (query: MessageTemplateQuery, slice: Slice) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    /** Every template of these accounts, in no order: a provider keeps some hundreds at most. */
    readonly ofAccounts: (ids: ReadonlyArray<ChatAccountId>) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    readonly insert: (template: MessageTemplate) => Effect.Effect<void, MessageTemplateExists, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one. Account, name and language stay. */
    readonly save: (
      template: MessageTemplate,
      expected: number | null
    ) => Effect.Effect<MessageTemplate, NotFound | VersionConflict, Transaction>
    /** Leases it until then, while the provider is asked about it; `false` if somebody else has the lease. */
    readonly lease: (
      id: MessageTemplateId,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<boolean, never, Transaction>
    readonly release: (id: MessageTemplateId) => Effect.Effect<void, never, Transaction>
    readonly isLeased: (id: MessageTemplateId, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly remove: (
      id: MessageTemplateId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/messaging/chat/MessageTemplates") {}
