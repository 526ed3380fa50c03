import { DateTime } from "effect"
import type { KeptTemplate } from "../World.ts"

/** Since then, service messages and utility messages in the window are charged. */
const serviceChargedFrom = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-10-01T00:00:00Z"))

export interface PricingContext {
  readonly now: number
  readonly template: KeptTemplate | null
  readonly api: "cloud" | "marketing"
  /** The message is in the window of the customer. */
  readonly isInWindow: boolean
  readonly isFreeEntryPoint: boolean
  readonly isInternational: boolean
}

const categoryOf = ({ api, isFreeEntryPoint, isInternational, template }: PricingContext): string => {
  if (isFreeEntryPoint) return "referral_conversion"
  if (template === null) return "service"
  const category = template.category.toLowerCase()
  if (category === "marketing" && api === "marketing") return "marketing_lite"
  return category === "authentication" && isInternational ? "authentication-international" : category
}

const typeOf = (context: PricingContext, category: string): string => {
  if (context.isFreeEntryPoint) return "free_entry_point"
  const isFree = context.isInWindow && (category === "service" || category === "utility")
  return isFree && context.now < serviceChargedFrom ? "free_customer_service" : "regular"
}

/** The price of a message in its receipts. */
export const pricingOf = (context: PricingContext) => {
  const category = categoryOf(context)
  const type = typeOf(context, category)
  return { billable: type === "regular", pricing_model: "PMP", type, category }
}
