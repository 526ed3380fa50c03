import { Context, type DateTime, Duration, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ChatAccount } from "./ChatAccount.ts"
import type { Recipient } from "./Outgoing.ts"

/** How much of a daily limit is for what no person writes, in percent: the rest stays for people. */
const bulkPercent = 95

/**
 * How many people the provider lets the business of an account write to in 24 hours outside of a service window, from what it says of
 * that, such as TIER_2K or 1000; `null` where it limits nothing, or has said nothing.
 */
export const dailyLimitOf = ({ messagingLimit }: Pick<ChatAccount, "messagingLimit">): number | null => {
  const [, digits, thousands] = /^(?:TIER_)?(\d+)(K?)$/u.exec(messagingLimit ?? "") ?? []
  return digits === undefined ? null : Number(digits) * (thousands === "K" ? 1_000 : 1)
}

/** How many of them may have been written to for something else than a person's message to be one more. */
export const bulkLimitOf = (account: Pick<ChatAccount, "messagingLimit">): number | null => {
  const limit = dailyLimitOf(account)
  return limit === null ? null : Math.floor((limit * bulkPercent) / 100)
}

/** The business that numbers belong to: whom one of them has written to counts for all of them. */
export type BusinessRef = Pick<ChatAccount, "provider" | "externalAccountId">

/** For how long it counts that somebody was written to. */
export const dailyWindow = Duration.hours(24)

/** How many of the recipients were counted, the first ones, and when the next one can be; `null` where nothing is said of that. */
export interface DailyReservation {
  readonly granted: number
  readonly freeAt: DateTime.Utc | null
}

/**
 * Whom businesses have written to in the last 24 hours outside of a service window, each person once: what a provider limits. Of two
 * who count for one business, one waits until the unit of work of the other one has ended.
 */
export class DailyRecipients extends Context.Service<
  DailyRecipients,
  TenantScoped<{
    /**
     * Counts these as written to now, in their order, as long as there are no more than `most` in 24 hours; `null` is no limit. Whoever was
     * counted before takes no more room, and counts from now on.
     */
    readonly reach: (
      business: BusinessRef,
      recipients: ReadonlyArray<Recipient>,
      limit: { readonly now: DateTime.Utc; readonly most: number | null }
    ) => Effect.Effect<DailyReservation, never, Transaction>
    /** These were not written to after all: they count as they did before `at`, unless somebody has counted them since. */
    readonly takeBack: (
      business: BusinessRef,
      recipients: ReadonlyArray<Recipient>,
      at: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** How many count now, by the minute that they count from, the first ones first. */
    readonly reached: (
      business: BusinessRef,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<{ readonly at: DateTime.Utc; readonly count: number }>>
    /** Deletes what does not count any more. */
    readonly forget: (now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/chat/DailyRecipients") {}
