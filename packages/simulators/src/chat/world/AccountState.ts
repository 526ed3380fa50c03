import { DateTime } from "effect"
import type { CallbackOverride } from "./NumberState.ts"

export interface Restriction {
  readonly type: string
  /** Unix seconds, or a time as some resellers show it. */
  readonly expiration: number | string | null
  readonly remediation?: string
}

/** Whether a restriction holds at this time. */
export const isInForce = ({ expiration }: Restriction, now: number): boolean => {
  if (expiration === null) return true
  const millis =
    typeof expiration === "number"
      ? expiration * 1_000
      : DateTime.toEpochMillis(DateTime.makeUnsafe(expiration.replace(/\+0000$/u, "Z")))
  return millis > now
}

/** Whether the account has this restriction at this time. */
export const hasRestriction = (
  { restrictions }: Pick<AccountState, "restrictions">,
  type: string,
  now: number
): boolean => restrictions.some((restriction) => restriction.type === type && isInForce(restriction, now))

/** State of a business account (WABA) at the provider. */
export interface AccountState {
  readonly id: string
  /** Portfolio of the customer. */
  ownerId: string
  name: string
  readonly currency: string
  readonly timezoneId: string
  country: string
  reviewStatus: "PENDING" | "APPROVED" | "REJECTED"
  businessVerification: "VERIFIED" | "NOT_VERIFIED"
  /** Whether the app receives webhooks, and where to. */
  subscription: { override: CallbackOverride | null } | null
  hasPaymentMethod: boolean
  banState: "DISABLE" | "SCHEDULE_FOR_DISABLE" | null
  restrictions: ReadonlyArray<Restriction>
  /** Users outside of the window in a moving day, as a tier of the portfolio. */
  messagingLimit: string
  maxPhoneNumbers: number
  /** False: marketing templates need the Marketing Messages API. */
  isMarketingOnCloudApi: boolean
  marketingOnboarding: "ONBOARDED" | "ELIGIBLE" | "INELIGIBLE"
  isInsightsEnabled: boolean
  hasCatalog: boolean
  /** Times of template creations in the last hour. */
  templateCreations: ReadonlyArray<number>
  /** Times of management calls in the last hour. */
  managementCalls: Array<number>
  /** Recipients of templates outside of the window, with the last time. */
  readonly initiated: Map<string, number>
  /** Names of deleted templates, with the end of their block. */
  readonly blockedNames: Map<string, number>
}

/** An account in good standing. */
export const makeAccountState = (id: string, isSubscribed: boolean): AccountState => ({
  id,
  ownerId: `7${id.slice(1)}`,
  name: `Account ${id}`,
  currency: "USD",
  timezoneId: "1",
  country: "US",
  reviewStatus: "APPROVED",
  businessVerification: "VERIFIED",
  subscription: isSubscribed ? { override: null } : null,
  hasPaymentMethod: true,
  banState: null,
  restrictions: [],
  messagingLimit: "TIER_UNLIMITED",
  maxPhoneNumbers: 20,
  isMarketingOnCloudApi: true,
  marketingOnboarding: "ELIGIBLE",
  isInsightsEnabled: false,
  hasCatalog: false,
  templateCreations: [],
  managementCalls: [],
  initiated: new Map(),
  blockedNames: new Map()
})
