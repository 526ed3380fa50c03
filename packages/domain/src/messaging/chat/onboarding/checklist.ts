import { DateTime, Duration, Schema } from "effect"
import { Timestamp } from "../../../kernel/index.ts"
import { type ChatAccount, ChatAccountId } from "../ChatAccount.ts"
import type { NumberDetails } from "./NumberDetails.ts"
import { type StepFailure, type SyncKind, TokenDetails } from "./OnboardingState.ts"
import { nextStepAfter, OnboardingReason } from "./errors.ts"

export const OnboardingStepName = Schema.Literals([
  "code_exchanged",
  "token",
  "number_verified",
  "display_name",
  "registered",
  "app_subscribed",
  "webhook_address",
  "webhook_received",
  "payment_method",
  "contacts_synced",
  "history_synced"
])
export type OnboardingStepName = typeof OnboardingStepName.Type

/** `unknown`: the provider has not reported it; a check can. `declined`: the customer decided against the step, which is optional. */
export const OnboardingStepState = Schema.Literals(["done", "waiting", "failed", "declined", "unknown"])

export const OnboardingStep = Schema.Struct({
  step: OnboardingStepName,
  state: OnboardingStepState,
  /** What to do next; `null` if nothing. */
  action: Schema.NullOr(Schema.String),
  /** Page of the provider for this step. */
  link: Schema.NullOr(Schema.String),
  at: Schema.NullOr(Timestamp),
  reason: Schema.NullOr(OnboardingReason),
  providerCode: Schema.NullOr(Schema.Int),
  /** The reason in the words of the provider. */
  providerReason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "OnboardingStep" })
export type OnboardingStep = typeof OnboardingStep.Type

/** Progress of a number from its signup to the first message. */
export class OnboardingChecklist extends Schema.Class<OnboardingChecklist>("OnboardingChecklist")({
  chatAccountId: ChatAccountId,
  /** Whether no step is waiting or failed. Unknown steps do not count. */
  isComplete: Schema.Boolean,
  checkedAt: Schema.NullOr(Timestamp),
  token: Schema.NullOr(TokenDetails),
  /** Registrations and deregistrations of the last 72 hours. The provider accepts ten. */
  recentRegistrationCalls: Schema.Int,
  steps: Schema.Array(OnboardingStep)
}) {}

/** Period in which the provider counts registrations of a number, and their number. */
export const registrationWindow = Duration.hours(72)
export const maxRegistrationCalls = 10

/** Returns the registrations that the provider still counts. */
export const recentCalls = (calls: ReadonlyArray<DateTime.Utc>, now: DateTime.Utc): ReadonlyArray<DateTime.Utc> =>
  calls.filter((at) => DateTime.isGreaterThan(DateTime.addDuration(at, registrationWindow), now))

type Found = Pick<OnboardingStep, "step" | "state"> & Partial<OnboardingStep>

const failed = (step: OnboardingStepName, { at, code, providerReason, reason }: StepFailure): Found => ({
  step,
  state: "failed",
  action: nextStepAfter(reason),
  at,
  reason,
  providerCode: code,
  providerReason
})

const checkFirst = "Check the account with POST /chat_accounts/:id/check."

const codeStep = ({ createdAt, mode, onboarding }: ChatAccount): Found =>
  mode === "own_app"
    ? { step: "code_exchanged", state: "done", at: createdAt }
    : { step: "code_exchanged", state: "done", at: onboarding.codeExchangedAt ?? createdAt }

/** Time before the end of a token at which the checklist warns. */
const expiryNotice = Duration.days(7)

const tokenStep = (
  { onboarding: { token }, status }: ChatAccount,
  requiredScopes: ReadonlyArray<string>,
  now: DateTime.Utc
): Found => {
  const step = "token"
  if (status === "disconnected") {
    return { step, state: "failed", action: nextStepAfter("token_ended"), reason: "token_ended" }
  }
  if (token === null) return { step, state: "unknown", action: checkFirst }
  const missing = requiredScopes.filter((scope) => !token.scopes.includes(scope))
  if (missing.length > 0) {
    const action = `Create an access token with the permissions ${missing.join(" and ")}, and set it on the account.`
    return { step, state: "failed", action, reason: "permission_missing" }
  }
  if (token.expiresAt === null) return { step, state: "done" }
  if (DateTime.isLessThanOrEqualTo(token.expiresAt, now)) {
    return { step, state: "failed", action: nextStepAfter("token_ended"), at: token.expiresAt, reason: "token_ended" }
  }
  const endsSoon = DateTime.isLessThan(token.expiresAt, DateTime.addDuration(now, expiryNotice))
  const action = endsSoon ? "The access token expires soon. Set a new one on the account before that." : null
  return { step, state: endsSoon ? "waiting" : "done", action, at: token.expiresAt }
}

const verificationStep = ({ number: details, onboarding: { codeRequestedAt } }: ChatAccount): Found => {
  const step = "number_verified"
  switch (details?.codeVerification ?? "unknown") {
    case "verified":
      return { step, state: "done" }
    case "unknown":
      return { step, state: "unknown", action: checkFirst }
    case "not_verified":
      if (codeRequestedAt !== null) {
        const action = "Send the code of the SMS or the call with POST /chat_accounts/:id/verify_code."
        return { step, state: "waiting", action, at: codeRequestedAt }
      }
      return { step, state: "waiting", action: nextStepAfter("number_not_verified"), reason: "number_not_verified" }
    case "expired":
      // A registered number stays verified; the status is about its last code.
      return details?.platform === "cloud_api"
        ? { step, state: "done" }
        : { step, state: "failed", action: nextStepAfter("number_not_verified"), reason: "number_not_verified" }
  }
}

const nameStep = (details: NumberDetails | null): Found => {
  const step = "display_name"
  if (details?.newNameStatus === "approved") {
    return { step, state: "waiting", action: "The new display name is approved. Register the number again to use it." }
  }
  switch (details?.nameStatus ?? "unknown") {
    case "approved":
    case "available_without_review":
      return { step, state: "done" }
    case "pending_review":
      return { step, state: "waiting", action: "The provider reviews the display name. Limits stay low until then." }
    case "declined":
      return {
        step,
        state: "failed",
        action: "The provider declined the display name. Change it in WhatsApp Manager, then register the number again."
      }
    case "expired":
    case "none":
      return { step, state: "failed", action: nextStepAfter("display_name_unusable"), reason: "display_name_unusable" }
    case "unknown":
      return { step, state: "unknown", action: checkFirst }
  }
}

const registrationStep = ({ number, onboarding }: ChatAccount): Found => {
  const step = "registered"
  const { isCoexistence, registeredAt, registrationFailure } = onboarding
  if (isCoexistence) {
    const isReady = number?.platform === "cloud_api"
    return { step, state: isReady ? "done" : "unknown", action: isReady ? null : checkFirst }
  }
  if (number?.platform === "cloud_api") return { step, state: "done", at: registeredAt }
  if (registrationFailure !== null) return failed(step, registrationFailure)
  if (number?.platform === "not_applicable" || number?.platform === "on_premise") {
    return { step, state: "waiting", action: nextStepAfter("not_registered"), reason: "not_registered" }
  }
  return registeredAt === null
    ? { step, state: "unknown", action: checkFirst }
    : { step, state: "done", at: registeredAt }
}

const subscriptionStep = ({ onboarding: { subscribedAt, subscriptionFailure } }: ChatAccount): Found => {
  const step = "app_subscribed"
  if (subscriptionFailure !== null) return failed(step, subscriptionFailure)
  return subscribedAt === null
    ? { step, state: "waiting", action: "Subscribe the app with POST /chat_accounts/:id/subscribe." }
    : { step, state: "done", at: subscribedAt }
}

/** Whether the messages of the number are sent to Parley, as the provider reports the addresses. */
const addressStep = ({ number }: ChatAccount, isWebhookUrl: (url: string) => boolean): Found => {
  const step = "webhook_address"
  const urls = number?.webhookUrls ?? null
  if (urls === null) return { step, state: "unknown", action: checkFirst }
  const override = urls.number ?? urls.businessAccount
  const url = override ?? urls.app
  if (url === null) {
    return {
      step,
      state: "waiting",
      action: "The app has no webhook URL. Enter the webhookUrl and the verifyToken of the account in the app."
    }
  }
  if (isWebhookUrl(url)) return { step, state: "done" }
  if (override === null) {
    return {
      step,
      state: "unknown",
      action: `The app delivers to ${url}. If that server does not forward to Parley, subscribe with overrideCallback: true.`
    }
  }
  const option = urls.number === null ? "overrideCallback" : "overrideNumberCallback"
  return {
    step,
    state: "failed",
    action: `The provider delivers the messages of this number to ${url}. Call POST /chat_accounts/:id/subscribe with ${option}: true to deliver them to Parley, or false to remove that URL.`
  }
}

const webhookStep = ({ mode, onboarding: { webhookSeenAt } }: ChatAccount): Found => {
  const step = "webhook_received"
  if (webhookSeenAt !== null) return { step, state: "done", at: webhookSeenAt }
  return {
    step,
    state: "waiting",
    action:
      mode === "own_app"
        ? "No delivery for this number has arrived. Enter the webhookUrl and the verifyToken in your app, subscribe to the field messages, and write to the number."
        : "No delivery for this number has arrived. Write to the number from another phone."
  }
}

const paymentCodes: ReadonlySet<number> = new Set([131_042, 131_044, 141_006])

const paymentStep = ({ lastError, number }: ChatAccount): Found => {
  const step = "payment_method"
  const entities = number?.health ?? []
  const issue = entities.flatMap(({ issues }) => issues).find(({ code }) => paymentCodes.has(code))
  const code = issue?.code ?? lastError?.code ?? null
  if (code !== null && paymentCodes.has(code)) {
    return {
      step,
      state: "failed",
      action: "Add a payment method to the business account in WhatsApp Manager, then check the account.",
      providerCode: code,
      providerReason: issue?.reason ?? lastError?.reason ?? null
    }
  }
  const isKnown = entities.some(({ kind }) => kind === "business_account")
  return isKnown ? { step, state: "done" } : { step, state: "unknown", action: checkFirst }
}

const syncStep = ({ onboarding }: ChatAccount, kind: SyncKind): Found => {
  const step = kind === "contacts" ? "contacts_synced" : "history_synced"
  const request = kind === "contacts" ? onboarding.contactsSync : onboarding.historySync
  if (request === null) {
    return { step, state: "waiting", action: "Request it with POST /chat_accounts/:id/register within 24 hours." }
  }
  const { at, completedAt, failure, progress } = request
  if (failure?.reason === "sync_declined") return { ...failed(step, failure), state: "declined" }
  if (failure !== null) return failed(step, failure)
  // The provider sends all contacts at once, and reports no end.
  if (kind === "contacts" || completedAt !== null) return { step, state: "done", at: completedAt ?? at }
  return {
    step,
    state: "waiting",
    action:
      progress === null
        ? "The provider has sent no part of the history yet. Nothing to do."
        : `The provider has sent ${progress} % of the history. Nothing to do.`,
    at
  }
}

/** Returns the steps of the onboarding of a number, in their order, from its stored state. */
export const toOnboardingChecklist = (
  account: ChatAccount,
  {
    isWebhookUrl,
    now,
    pageOf,
    requiredScopes
  }: {
    /** Whether a URL is the webhook URL of the account. */
    readonly isWebhookUrl: (url: string) => boolean
    readonly now: DateTime.Utc
    readonly pageOf: (step: OnboardingStepName) => string | null
    readonly requiredScopes: ReadonlyArray<string>
  }
): OnboardingChecklist => {
  const { id, lastCheckedAt, number, onboarding } = account
  const found = [
    codeStep(account),
    tokenStep(account, requiredScopes, now),
    verificationStep(account),
    nameStep(number),
    registrationStep(account),
    subscriptionStep(account),
    addressStep(account, isWebhookUrl),
    webhookStep(account),
    paymentStep(account),
    ...(onboarding.isCoexistence ? [syncStep(account, "contacts"), syncStep(account, "history")] : [])
  ]
  return new OnboardingChecklist({
    chatAccountId: id,
    isComplete: !found.some(({ state }) => state === "waiting" || state === "failed"),
    checkedAt: lastCheckedAt,
    token: onboarding.token,
    recentRegistrationCalls: recentCalls(onboarding.registrationCalls, now).length,
    steps: found.map((each) => ({
      action: null,
      at: null,
      reason: null,
      providerCode: null,
      providerReason: null,
      ...each,
      link: each.state === "done" ? null : pageOf(each.step)
    }))
  })
}
