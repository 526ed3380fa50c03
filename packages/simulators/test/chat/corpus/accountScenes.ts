import type { Act } from "@parley/simulators/chat"
import { Effect } from "effect"
import { pass } from "../harness.ts"
import { createTemplate, fact } from "./grounds.ts"
import type { Scene } from "./scene.ts"

const { businessId, phoneId } = fact

const account = { businessId }

const restriction = (type: string, expiration: number | string | null = 1_641_330_498, remediation?: string) => ({
  type,
  expiration,
  ...(remediation === undefined ? {} : { remediation })
})

const accountActs: ReadonlyArray<Act> = [
  ...(["PARTNER_ADDED", "PARTNER_REMOVED", "PARTNER_APP_INSTALLED", "PARTNER_APP_UNINSTALLED"] as const).map(
    (event): Act => ({ act: "partner", ...account, event })
  ),
  { act: "partner", ...account, event: "MM_LITE_TERMS_SIGNED" },
  { act: "partner", ...account, event: "AD_ACCOUNT_LINKED" },
  {
    act: "partner",
    ...account,
    event: "PARTNER_REMOVED",
    disconnection: { reason: "PRIMARY_INACTIVITY", initiatedBy: "SYSTEM" }
  },
  { act: "coexistence_removed", phoneId },
  ...(["ACCOUNT_OFFBOARDED", "ACCOUNT_RECONNECTED", "ACCOUNT_DELETED"] as const).map((event): Act => ({
    act: "account_update",
    ...account,
    value: { event }
  })),
  {
    act: "account_update",
    ...account,
    value: { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "ADULT" } }
  },
  { act: "account_update", ...account, value: { event: "BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE", country: "IN" } },
  {
    act: "account_update",
    ...account,
    value: {
      event: "VOLUME_BASED_PRICING_TIER_UPDATE",
      volume_tier_info: {
        tier_update_time: 1_743_451_903,
        pricing_category: "UTILITY",
        tier: "25000001:50000000",
        effective_month: "2025-11",
        region: "India"
      }
    }
  },
  {
    act: "account_update",
    ...account,
    value: {
      event: "AUTH_INTL_PRICE_ELIGIBILITY_UPDATE",
      auth_international_rate_eligibility: {
        start_time: 1_751_347_426,
        exception_countries: [{ country_code: "IN", start_time: 1_751_347_426 }]
      }
    }
  },
  ...(["DISABLE", "SCHEDULE_FOR_DISABLE", "REINSTATE"] as const).map((state): Act => ({
    act: "ban",
    ...account,
    state
  })),
  { act: "restrict", ...account, restrictions: [restriction("RESTRICTED_BIZ_INITIATED_MESSAGING")] },
  {
    act: "restrict",
    ...account,
    restrictions: [restriction("RESTRICTED_BIZ_INITIATED_MESSAGING", "2024-04-19T13:59:20+0000")]
  },
  {
    act: "restrict",
    ...account,
    restrictions: [
      restriction("RESTRICTED_BIZ_INITIATED_MESSAGING"),
      restriction("RESTRICTED_ADD_PHONE_NUMBER_ACTION", null)
    ]
  },
  {
    act: "restrict",
    ...account,
    restrictions: [restriction("RESTRICTED_USER_INITIATED_CALLING")],
    phoneNumber: fact.displayPhone
  },
  {
    act: "restrict",
    ...account,
    restrictions: [restriction("RESTRICTED_UTILITY_TEMPLATES", 1_641_330_498, "Review the categories.")],
    violation: "UTILITY_TEMPLATE_MISUSE"
  },
  { act: "restrict", ...account, restrictions: [] },
  ...(["APPROVED", "REJECTED", "PENDING", "DEFERRED"] as const).map((decision): Act => ({
    act: "review",
    ...account,
    decision
  })),
  { act: "review", ...account, decision: "APPROVED" },
  ...([250, 2_000, "TIER_2K", "TIER_UNLIMITED"] as const).map((limit): Act => ({ act: "limit", ...account, limit }))
]

const numberActs: ReadonlyArray<Act> = [
  { act: "number_quality", phoneId, event: "ONBOARDING" },
  { act: "number_quality", phoneId, event: "DOWNGRADE" },
  { act: "number_quality", phoneId, event: "THROUGHPUT_UPGRADE" },
  { act: "number_name", phoneId, decision: "APPROVED" },
  { act: "number_name", phoneId, decision: "REJECTED", reason: "NAME_EMPLOYEE_ISSUE" },
  { act: "number_name", phoneId, decision: "APPROVED" },
  ...(["PIN_CHANGED", "PIN_RESET_REQUEST", "PIN_REQUEST_SUCCESS"] as const).map((event): Act => ({
    act: "security",
    phoneId,
    event
  })),
  ...(["approved", "reserved", "deleted"] as const).map((status): Act => ({
    act: "username",
    phoneId,
    username: "luckyshrub",
    status
  }))
]

export const accounts: Scene = (provider) =>
  Effect.sync(() => {
    for (const act of [...accountActs, ...numberActs]) provider.act(act)
  })

const decisions = [
  "APPROVED",
  "ARCHIVED",
  "UNARCHIVED",
  "DISABLED",
  "FLAGGED",
  "IN_APPEAL",
  "LIMIT_EXCEEDED",
  "LOCKED",
  "UNLOCKED",
  "PENDING",
  "REINSTATED",
  "PENDING_DELETION",
  "DELETED"
]

export const templates: Scene = (provider) =>
  Effect.gen(function* () {
    const named = { businessId, language: "en_US" }
    const buttons = [
      { type: "URL", text: "View order", url: "https://www.luckyshrub.com/orders/{{1}}", example: ["1"] },
      { type: "PHONE_NUMBER", text: "Call", phone_number: "+15550783881" }
    ]
    yield* createTemplate(provider, "whole", {
      components: [
        { type: "HEADER", format: "TEXT", text: "Your order is confirmed!" },
        { type: "BODY", text: "Thank you!" },
        { type: "FOOTER", text: "Lucky Shrub" },
        { type: "BUTTONS", buttons }
      ]
    })
    const template = { ...named, name: "whole" }
    provider.act({ act: "template_components", ...template })
    provider.act({ act: "template_category", ...template, category: "MARKETING", isAnnounced: true })
    provider.act({ act: "template_category", ...template, category: "MARKETING" })
    for (const score of ["GREEN", "YELLOW", "RED"] as const)
      provider.act({ act: "template_quality", ...template, score })
    yield* pass(provider, 4 * 3_600_000)
    provider.act({ act: "template_quality", ...template, score: "RED" })
    provider.decide(businessId, "whole", "en_US", "REJECTED", "INVALID_FORMAT")
    provider.decide(businessId, "whole", "en_US", "REJECTED", "INCORRECT_CATEGORY")
    provider.decide(businessId, "whole", "en_US", "APPROVED")
    provider.act({ act: "pause_by_pacing", ...template })
    yield* createTemplate(provider, "decided", {}, "PENDING")
    for (const event of decisions) provider.decide(businessId, "decided", "en_US", event)
    provider.decide(businessId, "whole", "en_US", "APPROVED")
    provider.act({ act: "template_quality", ...template, score: "RED" })
  })
