import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, OrganizationId, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { ChatAccount, ChatAccountId } from "./ChatAccount.ts"
import type { ChatAccountExists, NumberConnectedElsewhere } from "./errors.ts"

/**
 * What an account is used with, each sealed by the vault under its own context. An account of the platform app has no app
 * secret and no verify token of its own.
 */
export interface ChatSecrets {
  readonly accessToken: string
  readonly appSecret: string | null
  /** The app secret before this one, and until when it is still good. */
  readonly formerAppSecret: { readonly sealed: string; readonly until: DateTime.Utc } | null
  readonly verifyToken: string | null
}

/** The secrets of an account, and whose they are. */
export interface AccountSecrets extends ChatSecrets {
  readonly id: ChatAccountId
  readonly provider: string
}

/** An account that was removed, as it was, and when that was. */
export interface RemovedAccount {
  readonly account: ChatAccount
  readonly removedAt: DateTime.Utc
}

/** The chat accounts of the organization. One that was removed is found by nothing here but `removed` and `revive`. */
export class ChatAccounts extends Context.Service<
  ChatAccounts,
  TenantScoped<{
    readonly get: (id: ChatAccountId) => Effect.Effect<ChatAccount, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<ChatAccountId>) => Effect.Effect<ReadonlyArray<ChatAccount>>
    /** Those with one of these numbers of the provider, in no order. */
    readonly findByNumber: (
      provider: string,
      externalPhoneIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ChatAccount>>
    /** Those that belong to one of these business accounts of the provider, in no order. */
    readonly findByBusiness: (
      provider: string,
      externalAccountIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ChatAccount>>
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<ChatAccount>>
    readonly count: () => Effect.Effect<number>
    /** All at once: an organization has a hundred accounts at most. In no order. */
    readonly secrets: (ids: ReadonlyArray<ChatAccountId>) => Effect.Effect<ReadonlyArray<AccountSecrets>>
    /** The secrets of every account that is connected through an app of the organization's own. */
    readonly ownAppSecrets: () => Effect.Effect<ReadonlyArray<AccountSecrets>>
    /** Those that were removed, in no order. */
    readonly removed: () => Effect.Effect<ReadonlyArray<RemovedAccount>>
    /** A number is connected once in an organization, and through the platform app once at all. One that was removed is revived instead. */
    readonly insert: (
      account: ChatAccount,
      secrets: ChatSecrets
    ) => Effect.Effect<void, ChatAccountExists | NumberConnectedElsewhere, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one; `null` secrets stay. */
    readonly save: (
      account: ChatAccount,
      secrets: ChatSecrets | null,
      expected: number | null
    ) => Effect.Effect<ChatAccount, NotFound | VersionConflict, Transaction>
    /** Keeps that the templates of these accounts have to be fetched again, from then on, and opens their lanes. */
    readonly wantTemplates: (
      ids: ReadonlyArray<ChatAccountId>,
      from: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /**
     * Forgets the secrets of an account, and hides it and its templates; what was written through it stays. What waits to be
     * sent over it waits until then, and whoever has claimed it has lost it, unless the provider is being called already.
     */
    readonly remove: (
      id: ChatAccountId,
      removal: { readonly at: DateTime.Utc; readonly sendsWaitUntil: DateTime.Utc },
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    /**
     * Connects an account again that was removed, under its id and with all that is said of it now. Its templates are there
     * again, and what waits to be sent over it can be claimed from `updatedAt` on.
     */
    readonly revive: (
      account: ChatAccount,
      secrets: ChatSecrets
    ) => Effect.Effect<void, NotFound | NumberConnectedElsewhere, Transaction>
  }>
>()("@parley/domain/messaging/chat/ChatAccounts") {}

/** Whose the numbers of the platform app are, for deliveries that name no organization. It stands above tenants. */
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
