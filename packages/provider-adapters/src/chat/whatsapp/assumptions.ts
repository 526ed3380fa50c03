import type { OnboardingReason, RestrictionScope } from "@parley/domain/messaging"

/** Facts that the provider's public pages omit or state differently over time. All of them are here, so that they are easy to correct. */

/** Default version of the API of the provider. */
export const defaultApiVersion = "v27.0"

export const defaultBaseUrl = "https://graph.facebook.com"

/** Base URL that archives and unarchives templates. Source: public client pywa. */
export const defaultArchiveUrl = "https://api.facebook.com"

/** Hosts, with everything below them, that the provider hands out files from. */
export const defaultMediaHosts: ReadonlyArray<string> = ["fbsbx.com", "fbcdn.net", "whatsapp.net", "facebook.com"]

/** A message with one of these values of `message_status` is reviewed before it is sent. */
export const heldStatuses: ReadonlySet<string> = new Set(["held_for_quality_assessment", "paused"])

/** The values of a native opt-out. */
export const preferenceValues: ReadonlyMap<string, "stop" | "resume"> = new Map([
  ["stop", "stop"],
  ["resume", "resume"]
])

/** How fast a number may send, by the name that the provider gives its level. */
export const throughputLevels: ReadonlyMap<string, number> = new Map([
  ["STANDARD", 80],
  ["HIGH", 1_000]
])

/** Messages per second of a number that is also used in the business app. */
export const coexistenceThroughput = 20

/** Kinds of access tokens, by the type in the provider's description of a token. */
export const tokenKinds: ReadonlyMap<string, "system_user" | "business_integration" | "user"> = new Map([
  ["SYSTEM_USER", "system_user"],
  ["BUSINESS_INTEGRATION_SYSTEM_USER", "business_integration"],
  ["USER", "user"]
])

/** Account events about the access of the app. In `PARTNER_REMOVED` of a coexistence number only the number is named. */
export const connectionEvents: ReadonlyMap<string, "lost" | "restored"> = new Map([
  ["ACCOUNT_DELETED", "lost"],
  ["ACCOUNT_OFFBOARDED", "lost"],
  ["PARTNER_REMOVED", "lost"],
  ["PARTNER_APP_UNINSTALLED", "lost"],
  ["ACCOUNT_RECONNECTED", "restored"],
  ["PARTNER_ADDED", "restored"],
  ["PARTNER_APP_INSTALLED", "restored"]
])

/** Restrictions by the messages, calls or actions that they stop. */
export const restrictionScopes: ReadonlyMap<string, ReadonlyArray<RestrictionScope>> = new Map([
  ["RESTRICTED_ADD_PHONE_NUMBER_ACTION", ["phone_numbers"]],
  ["RESTRICTED_BIZ_INITIATED_MESSAGING", ["business_initiated_messages"]],
  ["RESTRICTED_CUSTOMER_INITIATED_MESSAGING", ["customer_initiated_messages"]],
  ["RESTRICTED_BUSINESS_INITIATED_CALLING", ["business_initiated_calls"]],
  ["RESTRICTED_USER_INITIATED_CALLING", ["customer_initiated_calls"]],
  ["RESTRICTED_BIZ_INITIATED_AND_USER_INITIATED_CALLING", ["business_initiated_calls", "customer_initiated_calls"]],
  ["RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN", ["customer_initiated_calls"]],
  ["RESTRICTED_UTILITY_TEMPLATES", ["utility_templates"]],
  ["RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES", ["utility_templates"]]
])

/** Template events by the resulting status; `null` leaves the status unchanged. Meta documents no status for the last ones. */
export const templateEvents: ReadonlyMap<string, "approved" | "rejected" | "paused" | "pending" | "disabled" | null> =
  new Map([
    ["APPROVED", "approved"],
    ["REINSTATED", "approved"],
    ["UNARCHIVED", "approved"],
    ["REJECTED", "rejected"],
    ["PAUSED", "paused"],
    ["PENDING", "pending"],
    ["IN_APPEAL", "pending"],
    ["DISABLED", "disabled"],
    ["ARCHIVED", "disabled"],
    ["DELETED", "disabled"],
    ["FLAGGED", null],
    ["PENDING_DELETION", null],
    ["LIMIT_EXCEEDED", null],
    ["LOCKED", null],
    ["UNLOCKED", null]
  ])

/** Messages per second after a throughput upgrade of a number. */
export const upgradedThroughput = 1_000

/** What the state of a ban means for sending. */
export const banStates: ReadonlyMap<string, "stopped" | "restored"> = new Map([
  ["DISABLE", "stopped"],
  ["REINSTATE", "restored"]
])

/** Messages that change others. None of them changes one of the same type. */
export const changeTypes: ReadonlySet<string> = new Set(["edit", "revoke"])

/** Placeholder for a message that only reports the first opening of the chat. */
export const welcomeText = "The chat was opened for the first time."

const systemTexts: ReadonlyMap<string | null, string> = new Map([
  ["user_changed_number", "The contact changed the phone number."],
  ["customer_changed_number", "The contact changed the phone number."],
  ["user_changed_user_id", "The contact changed the user id."],
  ["customer_identity_changed", "The security code of the contact changed."]
])

/** Text of a system message, by its type. It names neither the person nor a number. */
export const systemText = (type: string | null): string =>
  systemTexts.get(type) ?? "The provider reported a change of the contact."

/** Value of `marketing_messages_onboarding_status` of business accounts that send over the interface for marketing. */
export const onboardedForMarketing = "ONBOARDED"

/** Codes that mean a limit of verification codes. The provider documents no code of its own for it. */
export const codeRequestMeanings: ReadonlyMap<number, OnboardingReason> = new Map([
  [4, "code_requests_limited"],
  [80_007, "code_requests_limited"],
  [130_429, "code_requests_limited"],
  [131_056, "code_requests_limited"],
  [136_024, "code_requests_limited"]
])

/** Codes that mean a wrong verification code. The call has no other parameter. */
export const codeMeanings: ReadonlyMap<number, OnboardingReason> = new Map([
  [100, "code_wrong"],
  [131_009, "code_wrong"],
  [136_025, "code_wrong"]
])

/** Codes that a registration with a wrong PIN can have. The provider uses the same code for a locked account. */
export const pinMeanings: ReadonlyMap<number, OnboardingReason> = new Map([[131_031, "pin_mismatch"]])
