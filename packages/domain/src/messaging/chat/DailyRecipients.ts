import { Context, type DateTime, Duration, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ChatAccount } from "./ChatAccount.ts"
import type { Recipient } from "./Outgoing.ts"

/** Percentage of a daily limit for automated messages. The rest is reserved for persons. */
const bulkPercent = 95

/** Limit of a business whose limit the provider has not set yet. */
const initialLimit = 250

/**
 * Returns the daily limit of the account's business from the provider's value, such as TIER_2K or 1000. It counts people written to in 24 hours
 * outside a service window; `null` for no limit or no report.
 */
export const dailyLimitOf = ({ messagingLimit }: Pick<ChatAccount, "messagingLimit">): number | null => {
  if (messagingLimit === "TIER_NOT_SET") return initialLimit
  const [, digits, thousands] = /^(?:TIER_)?(\d+)(K?)$/u.exec(messagingLimit ?? "") ?? []
  return digits === undefined ? null : Number(digits) * (thousands === "K" ? 1_000 : 1)
}

/** Returns the number of counted recipients at which automated messages cannot reach another one. */
export const bulkLimitOf = (account: Pick<ChatAccount, "messagingLimit">): number | null => {
  const limit = dailyLimitOf(account)
  return limit === null ? null : Math.floor((limit * bulkPercent) / 100)
}

/** Business that numbers belong to. A recipient of one number counts for all of them. */
export interface BusinessRef {
  readonly provider: string
  /** The provider's id of the business portfolio, or of the business account while the portfolio is unknown. */
  readonly businessId: string
}

/** Returns the portfolio of the account as the provider reported it at the last check; `null` before the first one. */
const portfolioOf = ({ number }: Pick<ChatAccount, "number">): string | null =>
  number?.health.find(({ kind }) => kind === "business")?.externalId ?? null

/** Returns the business whose daily limit the account uses. The provider limits portfolios, which can have several business accounts. */
export const businessOf = (account: Pick<ChatAccount, "provider" | "externalAccountId" | "number">): BusinessRef => ({
  provider: account.provider,
  businessId: portfolioOf(account) ?? account.externalAccountId
})

/** Period in which a recipient counts. */
export const dailyWindow = Duration.hours(24)

/** Number of counted recipients from the start of the list, and the time of the next free place; `null` if unknown. */
export interface DailyReservation {
  readonly granted: number
  readonly freeAt: DateTime.Utc | null
}

/**
 * Recipients of businesses in the last 24 hours outside a service window, each counted once. The provider limits their number. A second unit of
 * work for the same business waits until the first one ends.
 */
export class DailyRecipients extends Context.Service<
  DailyRecipients,
  TenantScoped<{
    /**
     * Counts these recipients from now on, in order, up to `most` in 24 hours; `null` is no limit. A recipient counted before uses no additional
     * place, and its period starts again.
     */
    readonly reach: (
      business: BusinessRef,
      recipients: ReadonlyArray<Recipient>,
      limit: { readonly now: DateTime.Utc; readonly most: number | null }
    ) => Effect.Effect<DailyReservation, never, Transaction>
    /** Reverts recipients that got no message to their state before `at`, unless they were counted again since. */
    readonly takeBack: (
      business: BusinessRef,
      recipients: ReadonlyArray<Recipient>,
      at: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Counts the current recipients by the minute from which they count, earliest first. */
    readonly reached: (
      business: BusinessRef,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<{ readonly at: DateTime.Utc; readonly count: number }>>
    /** Deletes expired entries. */
    readonly forget: (now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/chat/DailyRecipients") {}
