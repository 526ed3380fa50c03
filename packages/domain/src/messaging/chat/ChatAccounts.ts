import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, OrganizationId, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { ChatAccount, ChatAccountId } from "./ChatAccount.ts"
import type { ChatAccountExists, NumberConnectedElsewhere } from "./errors.ts"

/**
 * Secrets of an account, each sealed by the vault under its own context. An account of the platform app has no own app secret and no own verify
 * token.
 */
export interface ChatSecrets {
  readonly accessToken: string
  readonly appSecret: string | null
  /** Former app secret, and the end of its validity. */
  readonly formerAppSecret: { readonly sealed: string; readonly until: DateTime.Utc } | null
  readonly verifyToken: string | null
  /** PIN of the number's two-step verification, if Parley registered the number. */
  readonly pin: string | null
  /** PIN that Parley created for a change with an unknown result. The number has this PIN or the former one. */
  readonly pendingPin: string | null
}

/** Secrets with the id of their account. */
export interface AccountSecrets extends ChatSecrets {
  readonly id: ChatAccountId
  readonly provider: string
}

/** Last state of a removed account, and the time of the removal. */
export interface RemovedAccount {
  readonly account: ChatAccount
  readonly removedAt: DateTime.Utc
}

/** Chat accounts of the organization. Only `removed` and `revive` find removed accounts. */
export class ChatAccounts extends Context.Service<
  ChatAccounts,
  TenantScoped<{
    readonly get: (id: ChatAccountId) => Effect.Effect<ChatAccount, NotFound>
    /** Returns the existing accounts, in no order. */
    readonly find: (ids: ReadonlyArray<ChatAccountId>) => Effect.Effect<ReadonlyArray<ChatAccount>>
    /** Returns accounts with one of these numbers of the provider, in no order. */
    readonly findByNumber: (
      provider: string,
      externalPhoneIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ChatAccount>>
    /** Returns accounts of one of these business accounts of the provider, in no order. */
    readonly findByBusiness: (
      provider: string,
      externalAccountIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ChatAccount>>
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<ChatAccount>>
    readonly count: () => Effect.Effect<number>
    /** Reads all in one query, because an organization has at most a hundred accounts. In no order. */
    readonly secrets: (ids: ReadonlyArray<ChatAccountId>) => Effect.Effect<ReadonlyArray<AccountSecrets>>
    /** Secrets of all accounts that are connected through the organization's own apps. */
    readonly ownAppSecrets: () => Effect.Effect<ReadonlyArray<AccountSecrets>>
    /** Returns removed accounts, in no order. */
    readonly removed: () => Effect.Effect<ReadonlyArray<RemovedAccount>>
    /** Inserts an account. A number is unique in an organization, and globally on the platform app. Use `revive` for a removed one. */
    readonly insert: (
      account: ChatAccount,
      secrets: ChatSecrets
    ) => Effect.Effect<void, ChatAccountExists | NumberConnectedElsewhere, Transaction>
    /** Stores it with its version raised by one, if the stored version equals the expected one. `null` secrets stay. */
    readonly save: (
      account: ChatAccount,
      secrets: ChatSecrets | null,
      expected: number | null
    ) => Effect.Effect<ChatAccount, NotFound | VersionConflict, Transaction>
    /** Stores the time of a check. The version stays, because the check is no change of the account. */
    readonly recordCheck: (id: ChatAccountId, at: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Records that the templates of these accounts must be fetched again, due at that time, and opens their lanes. */
    readonly wantTemplates: (
      ids: ReadonlyArray<ChatAccountId>,
      from: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /**
     * Deletes the secrets of an account, and hides it and its templates. Its messages stay. Queued messages wait until that time. Sends claimed by a
     * worker are lost to it, unless the provider call has started.
     */
    readonly remove: (
      id: ChatAccountId,
      removal: { readonly at: DateTime.Utc; readonly sendsWaitUntil: DateTime.Utc },
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    /**
     * Reconnects a removed account under its id with the given fields. Its templates are visible again, and its queued messages can be claimed from
     * `updatedAt` on.
     */
    readonly revive: (
      account: ChatAccount,
      secrets: ChatSecrets
    ) => Effect.Effect<void, NotFound | NumberConnectedElsewhere, Transaction>
  }>
>()("@parley/domain/messaging/chat/ChatAccounts") {}

/** Organizations of the numbers of the platform app, for deliveries without an organization. Not tenant-scoped. */
export class ChatNumbers extends Context.Service<
  ChatNumbers,
  {
    readonly ownersOf: (
      provider: string,
      numbers: ReadonlyArray<{ readonly businessId: string; readonly phoneId: string | null }>
    ) => Effect.Effect<
      ReadonlyArray<{ readonly organizationId: OrganizationId; readonly businessId: string; readonly phoneId: string }>
    >
  }
>()("@parley/domain/messaging/chat/ChatNumbers") {}
