import type {
  CodeVerification,
  HealthEntity,
  NameStatus,
  NumberDetails,
  NumberHealth,
  NumberPlatform,
  NumberStatus,
  Sendability,
  WebhookUrls
} from "@parley/domain/messaging"
import { at, idAt, listAt, numberAt, storableText, textAt, textsIn } from "../../json.ts"
import { coexistenceThroughput, throughputLevels } from "./assumptions.ts"
import { reasonOf } from "./refusals.ts"
import { quality } from "./templates.ts"

const longestAddress = 500

/** Requested fields of a number. */
export const numberFields = [
  "display_phone_number",
  "verified_name",
  "name_status",
  "new_name_status",
  "status",
  "code_verification_status",
  "platform_type",
  "account_mode",
  "quality_rating",
  "throughput",
  "whatsapp_business_manager_messaging_limit",
  "is_pin_enabled",
  "is_on_biz_app",
  "is_official_business_account",
  "webhook_configuration",
  "health_status"
].join(",")

/** Reads a value in capitals as one of the known values; `unknown` for others. */
const known = <Value extends string>(values: ReadonlyArray<Value>) => {
  const names = new Map<string, Value>(values.map((value) => [value, value]))
  return (text: string | null): Value | "unknown" => names.get(text?.toLowerCase() ?? "") ?? "unknown"
}

const statusIn = known<NumberStatus>([
  "connected",
  "pending",
  "unverified",
  "disconnected",
  "flagged",
  "restricted",
  "rate_limited",
  "banned",
  "migrated",
  "deleted"
])
const codeVerificationIn = known<CodeVerification>(["verified", "not_verified", "expired"])
const nameStatusIn = known<NameStatus>([
  "approved",
  "available_without_review",
  "declined",
  "pending_review",
  "expired",
  "none"
])
const platformIn = known<NumberPlatform>(["cloud_api", "on_premise", "not_applicable"])
const modeIn = known<NumberDetails["mode"]>(["live", "sandbox"])
const throughputIn = known<NumberDetails["throughput"]>(["standard", "high", "not_applicable"])
const sendabilityIn = known<Sendability>(["available", "limited", "blocked"])

const entityKinds: ReadonlyMap<string, HealthEntity["kind"]> = new Map([
  ["PHONE_NUMBER", "number"],
  ["WABA", "business_account"],
  ["BUSINESS", "business"],
  ["APP", "app"],
  ["MESSAGE_TEMPLATE", "template"]
])

const issuesIn = (entity: unknown): HealthEntity["issues"] =>
  listAt(entity, "errors").flatMap((error) => {
    const code = numberAt(error, "error_code") ?? numberAt(error, "code")
    if (code === null || !Number.isSafeInteger(code)) return []
    const reason = textAt(error, "error_description") ?? reasonOf(error, [])
    return [{ code, reason, solution: textAt(error, "possible_solution") }]
  })

const entityIn = (entity: unknown): HealthEntity => ({
  kind: entityKinds.get(textAt(entity, "entity_type") ?? "") ?? "unknown",
  externalId: idAt(entity, "id"),
  canSend: sendabilityIn(textAt(entity, "can_send_message")),
  issues: issuesIn(entity),
  limits: textsIn(listAt(entity, "additional_info"))
})

const booleanAt = (body: unknown, key: string) => {
  const value = at(body, key)
  return typeof value === "boolean" ? value : null
}

/** Reads an address without its query, which can contain a secret. */
const addressAt = (body: unknown, key: string): string | null => {
  const url = textAt(body, key)
  return url === null || url === "" ? null : storableText(url.replace(/[?#].*$/u, ""), longestAddress)
}

const webhookUrlsIn = (body: unknown): WebhookUrls | null => {
  const configuration = at(body, "webhook_configuration")
  if (typeof configuration !== "object" || configuration === null) return null
  return {
    number: addressAt(configuration, "phone_number"),
    businessAccount: addressAt(configuration, "whatsapp_business_account"),
    app: addressAt(configuration, "application")
  }
}

/** Reads the fields of a number. Absent and unknown values are `unknown` or `null`. */
export const detailsIn = (body: unknown): NumberDetails => {
  const newName = textAt(body, "new_name_status")
  return {
    status: statusIn(textAt(body, "status")),
    codeVerification: codeVerificationIn(textAt(body, "code_verification_status")),
    verifiedName: textAt(body, "verified_name"),
    nameStatus: nameStatusIn(textAt(body, "name_status")),
    newNameStatus: newName === null ? null : nameStatusIn(newName),
    platform: platformIn(textAt(body, "platform_type")),
    mode: modeIn(textAt(body, "account_mode")),
    throughput: throughputIn(textAt(body, "throughput", "level")),
    isPinEnabled: booleanAt(body, "is_pin_enabled"),
    isOnBusinessApp: booleanAt(body, "is_on_biz_app"),
    isOfficialBusinessAccount: booleanAt(body, "is_official_business_account"),
    webhookUrls: webhookUrlsIn(body),
    canSend: sendabilityIn(textAt(body, "health_status", "can_send_message")),
    health: listAt(at(body, "health_status"), "entities").map(entityIn)
  }
}

/** Health issue of a business account without a valid payment method. */
const paymentIssue = 141_006

/** Whether the provider has locked the number, its business account or its business. A missing payment method is no lock. */
export const hasLock = ({ health, status }: NumberDetails): boolean =>
  status === "banned" ||
  health.some(
    ({ canSend, issues, kind }) =>
      (kind === "business_account" || kind === "business") &&
      canSend === "blocked" &&
      (issues.length === 0 || issues.some(({ code }) => code !== paymentIssue))
  )

/** Error code for a number without registration. */
const notRegistered = 133_010

const statusIssues = ({ platform, status }: NumberDetails): NumberHealth["issues"] => {
  if (platform === "not_applicable") return [{ code: notRegistered, reason: "The number is not registered." }]
  return status === "connected" || status === "flagged" || status === "unknown"
    ? []
    : [{ code: null, reason: `The number has the status ${status} at the provider.` }]
}

const limitIssues = ({ health }: NumberDetails): NumberHealth["issues"] =>
  health.flatMap(({ limits }) => limits.map((reason) => ({ code: null, reason })))

const throughputOf = (details: NumberDetails, level: string | null) =>
  details.isOnBusinessApp === true ? coexistenceThroughput : (throughputLevels.get(level ?? "") ?? null)

/** Reads the health of a number, its business account, its business and the app. */
export const healthIn = (body: unknown): NumberHealth | null => {
  const displayPhone = textAt(body, "display_phone_number")
  if (displayPhone === null) return null
  const details = detailsIn(body)
  const issues = details.health.flatMap((entity) => entity.issues)
  return {
    displayPhone,
    verifiedName: details.verifiedName,
    quality: quality(textAt(body, "quality_rating")),
    messagingLimit: textAt(body, "whatsapp_business_manager_messaging_limit"),
    throughputPerSecond: throughputOf(details, textAt(body, "throughput", "level")),
    sending: details.canSend,
    issues: [
      ...issues.map(({ code, reason }) => ({ code, reason })),
      ...statusIssues(details),
      ...limitIssues(details)
    ],
    details
  }
}
