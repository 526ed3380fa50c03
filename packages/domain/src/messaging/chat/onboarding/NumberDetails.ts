import { Schema } from "effect"

/** Status of a number at the provider. Only `connected` numbers send without limits. */
export const NumberStatus = Schema.Literals([
  "connected",
  "pending",
  "unverified",
  "disconnected",
  "flagged",
  "restricted",
  "rate_limited",
  "banned",
  "migrated",
  "deleted",
  "unknown"
])
export type NumberStatus = typeof NumberStatus.Type

/** Verification of a number by a code. Only a verified number can be registered. */
export const CodeVerification = Schema.Literals(["verified", "not_verified", "expired", "unknown"])
export type CodeVerification = typeof CodeVerification.Type

/** Review of a display name. */
export const NameStatus = Schema.Literals([
  "approved",
  "available_without_review",
  "declined",
  "pending_review",
  "expired",
  "none",
  "unknown"
])
export type NameStatus = typeof NameStatus.Type

/** Platform that a number is registered on. `not_applicable`: on none. */
export const NumberPlatform = Schema.Literals(["cloud_api", "on_premise", "not_applicable", "unknown"])
export type NumberPlatform = typeof NumberPlatform.Type

/** Ability to send, as reported by the provider. */
export const Sendability = Schema.Literals(["available", "limited", "blocked", "unknown"])
export type Sendability = typeof Sendability.Type

/** Reason why an entity is blocked, with the solution of the provider. */
export const HealthIssue = Schema.Struct({
  code: Schema.Int,
  reason: Schema.String,
  solution: Schema.NullOr(Schema.String)
})
export type HealthIssue = typeof HealthIssue.Type

/** Health of one entity that takes part in sending: the number, its business account, its business or the app. */
export const HealthEntity = Schema.Struct({
  kind: Schema.Literals(["number", "business_account", "business", "app", "template", "unknown"]),
  externalId: Schema.NullOr(Schema.String),
  canSend: Sendability,
  issues: Schema.Array(HealthIssue),
  /** Reasons for a limit, in the words of the provider. */
  limits: Schema.Array(Schema.String)
}).annotate({ identifier: "HealthEntity" })
export interface HealthEntity extends Schema.Schema.Type<typeof HealthEntity> {}

/** Addresses of the events of a number. The first one of number, business account and app gets the messages. */
export const WebhookUrls = Schema.Struct({
  number: Schema.NullOr(Schema.String),
  businessAccount: Schema.NullOr(Schema.String),
  app: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WebhookUrls" })
export interface WebhookUrls extends Schema.Schema.Type<typeof WebhookUrls> {}

/** Fields of a number that the provider reports. */
export const NumberDetails = Schema.Struct({
  status: NumberStatus,
  codeVerification: CodeVerification,
  verifiedName: Schema.NullOr(Schema.String),
  nameStatus: NameStatus,
  newNameStatus: Schema.NullOr(NameStatus),
  platform: NumberPlatform,
  mode: Schema.Literals(["live", "sandbox", "unknown"]),
  throughput: Schema.Literals(["standard", "high", "not_applicable", "unknown"]),
  isPinEnabled: Schema.NullOr(Schema.Boolean),
  /** Whether the number is also used in the provider's own business app. Parley does not register such a number. */
  isOnBusinessApp: Schema.NullOr(Schema.Boolean),
  isOfficialBusinessAccount: Schema.NullOr(Schema.Boolean),
  /** `null` if the provider does not report them. */
  webhookUrls: Schema.NullOr(WebhookUrls),
  canSend: Sendability,
  health: Schema.Array(HealthEntity)
}).annotate({ identifier: "NumberDetails" })
export interface NumberDetails extends Schema.Schema.Type<typeof NumberDetails> {}

/** Details of a number whose provider reports none of them. */
export const unknownDetails: NumberDetails = {
  status: "unknown",
  codeVerification: "unknown",
  verifiedName: null,
  nameStatus: "unknown",
  newNameStatus: null,
  platform: "unknown",
  mode: "unknown",
  throughput: "unknown",
  isPinEnabled: null,
  isOnBusinessApp: null,
  isOfficialBusinessAccount: null,
  webhookUrls: null,
  canSend: "unknown",
  health: []
}

/** Statuses of a number without a registration. */
const unregisteredStatuses: ReadonlySet<NumberStatus> = new Set([
  "pending",
  "unverified",
  "disconnected",
  "migrated",
  "deleted"
])

/** Whether a number is registered at the provider. A restricted or flagged number stays registered. */
export const isRegistered = ({ platform, status }: Pick<NumberDetails, "platform" | "status">): boolean =>
  platform === "cloud_api" && !unregisteredStatuses.has(status)
