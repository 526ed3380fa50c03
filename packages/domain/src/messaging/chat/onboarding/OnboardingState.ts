import { Schema } from "effect"
import { Timestamp } from "../../../kernel/index.ts"
import { OnboardingReason } from "./errors.ts"

/** Kind of an access token: of a system user, of a signup of one customer, or of a person. */
export const TokenKind = Schema.Literals(["system_user", "business_integration", "user", "unknown"])

/** Access token as described by the provider. */
export const TokenDetails = Schema.Struct({
  kind: TokenKind,
  appId: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Schema.String),
  /** `null`: it does not expire, or the provider does not report the time. */
  expiresAt: Schema.NullOr(Timestamp)
})
export interface TokenDetails extends Schema.Schema.Type<typeof TokenDetails> {}

/** Refusal of the last call of a step. */
export const StepFailure = Schema.Struct({
  reason: OnboardingReason,
  code: Schema.NullOr(Schema.Int),
  providerReason: Schema.NullOr(Schema.String),
  at: Timestamp
})
export interface StepFailure extends Schema.Schema.Type<typeof StepFailure> {}

/** Data of a number's business app that the provider sends once after the signup. */
export const SyncKind = Schema.Literals(["contacts", "history"])
export type SyncKind = typeof SyncKind.Type

/** Request of a synchronization, or its refusal. */
export const SyncRequest = Schema.Struct({
  requestId: Schema.NullOr(Schema.String),
  at: Timestamp,
  failure: Schema.NullOr(StepFailure),
  /** Percent of the history that the provider has sent; `null` before its first part. */
  progress: Schema.NullOr(Schema.Int),
  completedAt: Schema.NullOr(Timestamp)
})
export interface SyncRequest extends Schema.Schema.Type<typeof SyncRequest> {}

/** Completed and failed steps of the onboarding of a number. */
export const OnboardingState = Schema.Struct({
  codeExchangedAt: Schema.NullOr(Timestamp),
  token: Schema.NullOr(TokenDetails),
  /** Id of the app that the number is connected through, if known. */
  appId: Schema.NullOr(Schema.String),
  /** Whether the signup connected a number of the provider's business app, which stays in use there. */
  isCoexistence: Schema.Boolean,
  /** Registrations and deregistrations of the last 72 hours. The provider limits their number. */
  registrationCalls: Schema.Array(Timestamp),
  registeredAt: Schema.NullOr(Timestamp),
  registrationFailure: Schema.NullOr(StepFailure),
  /** Whether a generated PIN is stored that no answer has shown. */
  hasUnshownPin: Schema.Boolean,
  /** Whether the provider has refused the stored PIN, because the number has another one. */
  isPinRefused: Schema.Boolean,
  /** Last request of a verification code; `null` after the verification. */
  codeRequestedAt: Schema.NullOr(Timestamp),
  subscribedAt: Schema.NullOr(Timestamp),
  subscriptionFailure: Schema.NullOr(StepFailure),
  /** Address of an own callback for this business account; `null`: the address of the app. */
  callbackUrl: Schema.NullOr(Schema.String),
  webhookSeenAt: Schema.NullOr(Timestamp),
  contactsSync: Schema.NullOr(SyncRequest),
  historySync: Schema.NullOr(SyncRequest)
})
export interface OnboardingState extends Schema.Schema.Type<typeof OnboardingState> {}

/** Returns the id of the number's app; `null` if the provider does not report it and no request has named it. */
export const appIdOf = ({ appId, token }: Pick<OnboardingState, "appId" | "token">): string | null =>
  token?.appId ?? appId

/** State before the first step. */
export const initialOnboarding: OnboardingState = {
  codeExchangedAt: null,
  token: null,
  appId: null,
  isCoexistence: false,
  registrationCalls: [],
  registeredAt: null,
  registrationFailure: null,
  hasUnshownPin: false,
  isPinRefused: false,
  codeRequestedAt: null,
  subscribedAt: null,
  subscriptionFailure: null,
  callbackUrl: null,
  webhookSeenAt: null,
  contactsSync: null,
  historySync: null
}
