import { DateTime, Effect } from "effect"
import { ChatAccounts, type ChatAccountId } from "../../chat/index.ts"
import type { PersonalEvent } from "./PersonalEvent.ts"

/**
 * The organization's accounts that events are about, and the events that belong to them. Events from before a number was removed
 * still count when they are applied later; events from after that belong to nobody.
 */
export const matchAccounts = Effect.fnUntraced(function* (provider: string, events: ReadonlyArray<PersonalEvent>) {
  const chatAccounts = yield* ChatAccounts
  const numbers = new Set(events.map(({ phoneId }) => phoneId))
  const accounts = new Map<string, ChatAccountId>()
  for (const { externalPhoneId, id } of yield* chatAccounts.findByNumber(provider, [...numbers]))
    accounts.set(externalPhoneId, id)
  if (accounts.size === numbers.size) return { accounts, heard: events }
  const removals = new Map<string, DateTime.Utc>()
  for (const { account, removedAt } of yield* chatAccounts.removed()) {
    const { externalPhoneId, id } = account
    if (account.provider !== provider || accounts.has(externalPhoneId) || !numbers.has(externalPhoneId)) continue
    accounts.set(externalPhoneId, id)
    removals.set(externalPhoneId, removedAt)
  }
  const heard = events.filter(({ at, phoneId }) => {
    const removedAt = removals.get(phoneId)
    return removedAt === undefined || DateTime.isLessThanOrEqualTo(at, removedAt)
  })
  return { accounts, heard }
})
