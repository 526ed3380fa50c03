import {
  ChatAccountId,
  ChatAccountView,
  CodeRequest,
  RegistrationPin,
  VerificationCode
} from "@parley/domain/messaging"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { asksProvider, describe } from "./describe.ts"
import { Idempotent } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf } from "./shapes.ts"

const chatAccount = idOf(ChatAccountId, "chat account")

const read = [Problems.PermissionDenied, Problems.NotFound] as const

/** Errors of a step that the provider decides. */
const stepped = [
  ...read,
  Problems.OnboardingRefused,
  Problems.UnsupportedByChannel,
  Problems.ProviderUnreachable,
  Problems.Unavailable
] as const

/** Errors of a step that reads the number first. */
const asked = [...stepped, Problems.ChatNumberUnknown, Problems.ChatTokenRefused, Problems.ProviderRefused] as const

const Verification = Schema.Struct({
  code: VerificationCode.annotate({ description: "Code of the SMS or the call: six digits, also as 123-830." })
}).annotate({ identifier: "Verification" })

const Registration = Schema.Struct({
  pin: Schema.optionalKey(RegistrationPin).annotate({
    description: "PIN of the two-step verification: six digits. Without it, Parley uses its stored PIN or creates one."
  })
}).annotate({ identifier: "Registration" })

const NewPin = Schema.Struct({
  pin: Schema.optionalKey(RegistrationPin).annotate({
    description: "New PIN: six digits. Without it, Parley creates one."
  })
}).annotate({ identifier: "NewPin" })

const Subscription = Schema.Struct({
  overrideCallback: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "`true`: the events of this business account go to the `webhookUrl`, even if the app has another one. `false` removes such an address. Without it, the address stays."
  }),
  overrideNumberCallback: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "`true`: the events of this number go to the `webhookUrl`, even if its business account or its app has another one. `false` removes such an address. Without it, the address stays."
  })
}).annotate({ identifier: "Subscription" })

/** Endpoints of the steps that make a number ready to send. */
export const chatOnboardingEndpoints = [
  HttpApiEndpoint.post("requestCode", "/chat_accounts/:id/request_code", {
    params: chatAccount,
    payload: CodeRequest,
    success: ChatAccountView,
    error: asked
  })
    .annotateMerge(
      describe(
        "requestVerificationCode",
        "Request a verification code",
        "The provider sends a code to a number that is not verified, by SMS or by a call. It limits the codes: the answer is then 422 `onboarding_refused` with the reason `code_requests_limited`. A verified number gets no code: `number_verified_already`."
      )
    )
    .annotateMerge(asksProvider)
    .middleware(Idempotent),
  HttpApiEndpoint.post("verifyCode", "/chat_accounts/:id/verify_code", {
    params: chatAccount,
    payload: Verification,
    success: ChatAccountView,
    error: asked
  })
    .annotateMerge(
      describe(
        "verifyChatNumber",
        "Verify a number",
        "Sends the code of the SMS or the call to the provider. A wrong or expired code is 422 `onboarding_refused` with the reason `code_wrong`. Register the number afterwards."
      )
    )
    .annotateMerge(asksProvider)
    .middleware(Idempotent),
  HttpApiEndpoint.post("register", "/chat_accounts/:id/register", {
    params: chatAccount,
    payload: Registration,
    success: ChatAccountView,
    error: asked
  })
    .annotateMerge(
      describe(
        "registerChatAccount",
        "Register a number",
        "A verified number sends after its registration. Parley reads the number first, and does not register a registered number again, because the provider accepts ten registrations in 72 hours. If Parley created the PIN, `registrationPin` of this answer shows it once. A refusal is 422 `onboarding_refused`; its `reason` says what to do, for example `pin_mismatch` for a number that already has two-step verification. A number of the WhatsApp Business app is not registered: Parley requests its contacts and its history instead."
      )
    )
    .annotateMerge(asksProvider)
    .middleware(Idempotent),
  HttpApiEndpoint.post("deregister", "/chat_accounts/:id/deregister", {
    params: chatAccount,
    success: ChatAccountView,
    error: stepped
  })
    .annotateMerge(
      describe(
        "deregisterChatAccount",
        "Deregister a number",
        "The number cannot send or receive until it is registered again. The provider counts this call with the registrations."
      )
    )
    .annotateMerge(asksProvider)
    .middleware(Idempotent),
  HttpApiEndpoint.post("changePin", "/chat_accounts/:id/pin", {
    params: chatAccount,
    payload: NewPin,
    success: ChatAccountView,
    error: stepped
  })
    .annotateMerge(
      describe(
        "changeChatAccountPin",
        "Change the PIN of a number",
        "The PIN protects the number against a registration elsewhere. If Parley creates it, `registrationPin` of this answer shows it once."
      )
    )
    .annotateMerge(asksProvider)
    .middleware(Idempotent),
  HttpApiEndpoint.post("subscribe", "/chat_accounts/:id/subscribe", {
    params: chatAccount,
    payload: Subscription,
    success: ChatAccountView,
    error: stepped
  })
    .annotateMerge(
      describe(
        "subscribeChatAccount",
        "Subscribe the app to a number",
        "Without a subscription the provider delivers nothing. Without an option, the addresses of the events stay. With `overrideCallback` or `overrideNumberCallback` the provider verifies the `webhookUrl` immediately, so it must be reachable. An address of another app is never replaced without an explicit option: the answer is then 422 `onboarding_refused` with the reason `callback_unclear`."
      )
    )
    .annotateMerge(asksProvider)
    .middleware(Idempotent)
] as const
