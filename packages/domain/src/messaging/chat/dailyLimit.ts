import type { ChatAccount } from "./ChatAccount.ts"

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
