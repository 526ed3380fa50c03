import { Schema } from "effect"
import { Timestamp } from "../../../kernel/index.ts"

/** Reason why the provider, or Parley before a call, refuses a step of the onboarding of a number. */
export const OnboardingReason = Schema.Literals([
  "account_locked",
  "app_not_subscribed",
  "call_limit_reached",
  "callback_refused",
  "callback_unclear",
  "code_requests_limited",
  "code_wrong",
  "coexistence_number",
  "deregistration_incomplete",
  "display_name_unusable",
  "not_registered",
  "number_deleted",
  "number_deleted_recently",
  "number_not_verified",
  "number_verified_already",
  "other",
  "parameter_invalid",
  "permission_missing",
  "pin_guessed_too_fast",
  "pin_guesses_exhausted",
  "pin_mismatch",
  "provider_unavailable",
  "sync_declined",
  "sync_repeated",
  "sync_too_late",
  "token_ended",
  "too_many_registrations"
]).annotate({ identifier: "OnboardingReason" })
export type OnboardingReason = typeof OnboardingReason.Type

const nextSteps: Readonly<Record<OnboardingReason, string>> = {
  account_locked:
    "The provider has locked or restricted the account. Open the account quality page of the provider and request a review.",
  app_not_subscribed:
    "The app is not subscribed to the business account. Subscribe it with POST /chat_accounts/:id/subscribe.",
  call_limit_reached:
    "The app or the business account has reached the call limit of the provider. Wait up to one hour, then repeat the step.",
  callback_refused:
    "The provider could not verify the webhook URL. It must be reachable with HTTPS and have at most 200 characters. Then subscribe again.",
  callback_unclear:
    "An app of this business account delivers to another webhook URL, and the provider does not report whether it is the app of the access token. Subscribe with overrideCallback: true delivers to Parley, false removes the other URL.",
  code_requests_limited:
    "No further code is sent to this number for now. Wait until `retryAt`, or as long as the provider says, then request one code. If no SMS arrives, request a call.",
  code_wrong:
    "The code is wrong or has expired. Send the digits of the last SMS or call, or request a new code with POST /chat_accounts/:id/request_code.",
  coexistence_number:
    "The number is also used in the WhatsApp Business app. Such a number is not registered, has no PIN here and cannot be deregistered.",
  deregistration_incomplete: "The provider has not completed an earlier deregistration. Deregister the number again.",
  display_name_unusable:
    "The display name has expired or does not exist. Set a display name in WhatsApp Manager, wait for its review, then register again.",
  not_registered: "The number is not registered. Register it with POST /chat_accounts/:id/register.",
  number_deleted: "The number was deleted at the provider. Connect another number.",
  number_deleted_recently: "The number was deleted a moment ago. Wait five minutes, then register it again.",
  number_not_verified:
    "The number is not verified. Request a code with POST /chat_accounts/:id/request_code, send it with POST /chat_accounts/:id/verify_code, then register the number.",
  number_verified_already: "The number is verified already. Register it with POST /chat_accounts/:id/register.",
  other: "Read the reason of the provider, fix its cause, then repeat the step.",
  parameter_invalid:
    "The provider rejected a value, or the access token has no access to the number or the business account. Check externalAccountId, externalPhoneId, the PIN, and the owner of the token.",
  permission_missing:
    "The access token lacks a permission. It needs whatsapp_business_management and whatsapp_business_messaging, and access to this business account.",
  pin_guessed_too_fast:
    "A PIN was sent too fast after a wrong one. Wait as long as the provider says, then send the right PIN.",
  pin_guesses_exhausted:
    "Too many wrong PINs were sent. Wait as long as the provider says, or reset the PIN in WhatsApp Manager.",
  pin_mismatch:
    "The number already has two-step verification with another PIN. Send its PIN with POST /chat_accounts/:id/register, or turn two-step verification off in WhatsApp Manager.",
  provider_unavailable: "The provider is temporarily unavailable. Check the account, then repeat the step.",
  sync_declined: "The customer declined to share the chat history. Messages from now on arrive without it.",
  sync_repeated: "This synchronization was already requested. The provider accepts it once.",
  sync_too_late:
    "The synchronization was requested more than 24 hours after the signup. Disconnect Parley in the WhatsApp Business app and sign up again.",
  token_ended: "The access token has expired or was revoked. Connect the number again, or set a new access token.",
  too_many_registrations:
    "The provider accepts ten registrations and deregistrations of a number in 72 hours. Wait, then register once."
}

/** Returns what to do after a refusal, in one or two sentences. */
export const nextStepAfter = (reason: OnboardingReason): string => nextSteps[reason]

/** A step of the onboarding of a number was refused. `providerCode` is `null` if Parley refused it before a call. */
export class OnboardingRefused extends Schema.TaggedError<OnboardingRefused>()("OnboardingRefused", {
  reason: OnboardingReason,
  providerCode: Schema.NullOr(Schema.Int),
  providerReason: Schema.NullOr(Schema.String),
  /** Earliest time of a useful repetition, if known. */
  retryAt: Schema.NullOr(Timestamp)
}) {
  override get message() {
    return nextSteps[this.reason]
  }
}

const withFullStop = (text: string) => (/[.!?]$/u.test(text) ? text : `${text}.`)

/** The provider refused the code of a signup. It does not distinguish an expired code from a used one. */
export class SignupCodeRefused extends Schema.TaggedError<SignupCodeRefused>()("SignupCodeRefused", {
  providerCode: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `The chat provider rejected the code of the signup: ${withFullStop(this.reason)} A code works once and for 30 seconds. Start the signup again and send its code immediately.`
  }
}

/** The customer closed the signup before its end. */
export class SignupCancelled extends Schema.TaggedError<SignupCancelled>()("SignupCancelled", {
  /** Screen on which the customer left, if reported. */
  step: Schema.NullOr(Schema.String),
  /** Error that the provider showed to the customer, with its id for support requests. */
  shownError: Schema.NullOr(Schema.String),
  errorId: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return this.shownError === null
      ? `The signup was cancelled${this.step === null ? "" : ` at the step ${this.step}`}. Start the signup again.`
      : `The signup ended with an error of the provider: ${withFullStop(this.shownError)} Fix its cause, then start the signup again.`
  }
}

/** The signup ended without a number, or with several from which none was chosen. */
export class SignupNumberMissing extends Schema.TaggedError<SignupNumberMissing>()("SignupNumberMissing", {
  externalPhoneIds: Schema.Array(Schema.String)
}) {
  override get message() {
    return this.externalPhoneIds.length === 0
      ? "The signup ended without a phone number. Start the signup again and add a number, or connect a number of your own app."
      : "The business account has several numbers. Start the signup again, and send the externalPhoneId of one of them with the code."
  }
}

/** The access token cannot be used for this number. */
export class ChatTokenUnsuitable extends Schema.TaggedError<ChatTokenUnsuitable>()("ChatTokenUnsuitable", {
  reason: Schema.Literals(["account_inaccessible", "another_app", "expired", "number_elsewhere", "scopes_missing"]),
  missingScopes: Schema.Array(Schema.String),
  appId: Schema.NullOr(Schema.String),
  /** Business account that the token cannot use, or that does not have the number. */
  externalAccountId: Schema.NullOr(Schema.String),
  /** JSON pointer to the field of the request to correct. */
  pointer: Schema.String
}) {
  override get message() {
    switch (this.reason) {
      case "account_inaccessible":
        return `The access token has no access to the business account ${this.externalAccountId ?? "of the number"}. Check externalAccountId and messagingAccountId, or create a token with access to the account.`
      case "number_elsewhere":
        return `The business account ${this.externalAccountId ?? "of the request"} does not have this number. Check externalPhoneId, externalAccountId and messagingAccountId.`
      case "another_app":
        return `The access token was created by the app ${this.appId ?? "unknown"}. Create a token with the app that the number is connected through.`
      case "expired":
        return "The access token has expired. Create a token of a system user that does not expire."
      case "scopes_missing":
        return `The access token lacks the permissions ${this.missingScopes.join(" and ")}. Create a token with these permissions.`
    }
  }
}
