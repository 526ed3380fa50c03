import { DateTime, Effect } from "effect"
import { phoneCountry } from "../../crm/index.ts"
import { CurrentActor, hasPermission } from "../../kernel/index.ts"
import { makeRateFinder, type MessageTemplate, RateCards } from "../../messaging/chat/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { type Broadcast, broadcastMessages } from "../Broadcast.ts"
import type { CostEstimate } from "../CostEstimate.ts"
import { scheduledStart } from "../timing/Schedule.ts"
import { toTimeZone } from "../sending/SendContext.ts"
import { type AudiencePlan, Audiences } from "./Audiences.ts"

interface CategoryShare {
  readonly category: string
  /** Percent. */
  readonly weight: number
}

/** Splits a count by weight. The last share gets the remainder. */
const splitCount = (count: number, shares: ReadonlyArray<CategoryShare>) => {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  let left = count
  return shares.map(({ category, weight }, index) => {
    const part = index === shares.length - 1 ? left : Math.floor((count * weight) / total)
    left -= part
    return { category, count: part }
  })
}

/** Returns the categories of the messages; `null` if one has no template. */
const toShares = (broadcast: Broadcast, templates: ReadonlyMap<string, MessageTemplate>) => {
  const weights = new Map<string | null, number>((broadcast.variants ?? []).map(({ key, weight }) => [key, weight]))
  const shares = broadcastMessages(broadcast).map(({ templateId, variant }) => {
    const template = templateId === null ? undefined : templates.get(templateId)
    return template === undefined ? null : { category: template.category, weight: weights.get(variant) ?? 100 }
  })
  const known = shares.filter((share) => share !== null)
  return known.length === shares.length && known.length > 0 ? known : null
}

/**
 * Estimates the costs of a broadcast by the countries of its recipients and the rates of its first day. It is `null` without templates, and for actors
 * without access to contacts, because a price reveals the country of a single recipient.
 */
export const estimateCosts = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  templates: ReadonlyMap<string, MessageTemplate>,
  plan: AudiencePlan
) {
  const shares = toShares(broadcast, templates)
  if (shares === null || !hasPermission(yield* CurrentActor, "contacts.read")) return null
  const { currency, timezone } = yield* (yield* Organizations).current()
  const rates = yield* (yield* RateCards).find(currency)
  const none: CostEstimate = { state: "no_rate_card", currency, amount: null, messages: null, withoutRate: null }
  // The search for countries reads the whole audience.
  if (rates.length === 0) return none
  const start = scheduledStart(broadcast.schedule ?? {}, toTimeZone(timezone)) ?? plan.startsAt
  const day = DateTime.formatIso(DateTime.max(start, plan.startsAt)).slice(0, "2026-10-01".length)
  const findRate = makeRateFinder(rates)
  let [amount, messages, withoutRate] = [0, 0, 0]
  for (const { count: all, phone } of yield* (yield* Audiences).numbers(plan, null)) {
    const country = phone === null ? null : phoneCountry(phone)
    for (const { category, count } of splitCount(all, shares)) {
      const rate = findRate({ country, category, day })
      messages += count
      if (rate === null) withoutRate += count
      else amount += rate.amount * count
    }
  }
  if (messages > 0 && withoutRate === messages) return { ...none, messages, withoutRate }
  const estimate: CostEstimate = {
    state: withoutRate === 0 ? "complete" : "partial",
    currency,
    amount,
    messages,
    withoutRate
  }
  return estimate
})
