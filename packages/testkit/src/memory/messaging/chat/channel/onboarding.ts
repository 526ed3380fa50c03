import { type ProviderConnection, OnboardingRefused, SignupCodeRefused } from "@parley/domain/messaging"
import { Effect, Redacted } from "effect"
import { keyOf, nextId, type Provider, refusedFor } from "./provider.ts"
import { healthOf, healthy, setDetails } from "./numbers.ts"
import type { WholeChannel } from "./WholeChannel.ts"

/** Records an onboarding step and performs it, unless the script refuses it. */
const step = <A>(provider: Provider, line: ProviderConnection, name: string, done: () => A | OnboardingRefused) =>
  Effect.suspend(() => {
    provider.steps.push(name)
    if (provider.revoked.has(Redacted.value(line.accessToken))) return Effect.fail(refusedFor("token_ended", 190))
    const scripted = provider.refusedStep
    provider.refusedStep = null
    if (scripted !== null) return Effect.fail(scripted)
    const answer = done()
    return answer instanceof OnboardingRefused ? Effect.fail(answer) : Effect.succeed(answer)
  })

export const makeSignup = (provider: Provider): WholeChannel["signup"] => {
  const { codes } = provider
  return {
    exchangeCode: (code) => {
      const token = codes.get(Redacted.value(code))
      codes.delete(Redacted.value(code))
      return token === undefined
        ? Effect.fail(new SignupCodeRefused({ providerCode: 100, reason: "The code is not valid." }))
        : Effect.succeed(Redacted.make(token))
    },
    readSession: (session) =>
      typeof session["number"] === "string" && typeof session["business"] === "string"
        ? {
            kind: "finished",
            externalAccountId: session["business"],
            externalPhoneId: session["number"],
            isCoexistence: session["coexistence"] === true
          }
        : session["cancelled"] === true
          ? { kind: "cancelled", step: "PHONE_NUMBER_SETUP", shownError: null, errorId: null }
          : { kind: "invalid", pointer: "/number", message: "Expected a number" }
  }
}

export const makeOnboarding = (provider: Provider): WholeChannel["onboarding"] => {
  const { health, pins, tokens, callbacks, numbers, closedAccounts, codesSent } = provider
  return {
    requiredScopes: ["manage", "send"],
    describeToken: ({ accessToken }) => Effect.sync(() => tokens.get(Redacted.value(accessToken)) ?? null),
    listNumbers: (line) =>
      step(
        provider,
        line,
        `list ${line.businessId}`,
        () => numbers.get(line.businessId) ?? [`${line.businessId}-only`]
      ),
    hasNumber: ({ accessToken, businessId, phoneId }) =>
      Effect.suspend(() =>
        closedAccounts.has(keyOf(Redacted.value(accessToken), businessId))
          ? Effect.fail(refusedFor("parameter_invalid", 100))
          : Effect.succeed(numbers.get(businessId)?.includes(phoneId) ?? true)
      ),
    addNumber: (line, { phone, verifiedName }) =>
      step(provider, line, `add ${phone}`, () => {
        const id = `added-number-${phone.slice(1)}`
        if (!health.has(id)) {
          health.set(id, { ...healthy(id), displayPhone: phone, verifiedName })
          setDetails(provider, id, {
            status: "unverified",
            codeVerification: "not_verified",
            platform: "not_applicable"
          })
          numbers.set(line.businessId, [...(numbers.get(line.businessId) ?? [line.phoneId]), id])
        }
        return id
      }),
    requestCode: (line, { language, method }) =>
      step(
        provider,
        line,
        `code by ${method} in ${language} ${line.phoneId}`,
        () => void codesSent.set(line.phoneId, "123830")
      ),
    verifyCode: (line, code) =>
      step(provider, line, `verify ${line.phoneId}`, () => {
        if (codesSent.get(line.phoneId) !== Redacted.value(code)) return refusedFor("code_wrong", 136_025)
        codesSent.delete(line.phoneId)
        setDetails(provider, line.phoneId, { codeVerification: "verified", status: "pending" })
      }),
    register: (line, pin) =>
      step(provider, line, `register ${line.phoneId}`, () => {
        const known = pins.get(line.phoneId)
        if (known !== undefined && known !== Redacted.value(pin)) return refusedFor("pin_mismatch", 133_005)
        pins.set(line.phoneId, Redacted.value(pin))
        setDetails(provider, line.phoneId, {
          platform: "cloud_api",
          status: "connected",
          isPinEnabled: true,
          newNameStatus: null
        })
      }),
    deregister: (line) =>
      step(provider, line, `deregister ${line.phoneId}`, () =>
        setDetails(provider, line.phoneId, { platform: "not_applicable", status: "disconnected" })
      ),
    changePin: (line, pin) =>
      step(provider, line, `pin ${line.phoneId}`, () => void pins.set(line.phoneId, Redacted.value(pin))),
    subscribe: (line, override) =>
      step(provider, line, `subscribe ${line.businessId}${override === null ? "" : ` to ${override.url}`}`, () => {
        if (override !== null && !callbacks.has(line.businessId)) return refusedFor("app_not_subscribed", 100)
        callbacks.set(line.businessId, override?.url ?? null)
      }),
    overrideNumber: (line, override) =>
      step(provider, line, `callback ${line.phoneId}${override === null ? "" : ` to ${override.url}`}`, () => {
        const urls = healthOf(provider, line.phoneId).details.webhookUrls ?? {
          number: null,
          businessAccount: null,
          app: null
        }
        setDetails(provider, line.phoneId, { webhookUrls: { ...urls, number: override?.url ?? null } })
      }),
    unsubscribe: (line) =>
      step(provider, line, `unsubscribe ${line.businessId}`, () => void callbacks.delete(line.businessId)),
    readSubscription: ({ businessId }) =>
      Effect.sync(() => ({
        isSubscribed: callbacks.has(businessId),
        callbackUrl: callbacks.get(businessId) ?? null
      })),
    requestSync: (line, kind) => step(provider, line, `sync ${kind} ${line.phoneId}`, () => nextId(provider, "sync")),
    pageOf: (name, { businessId }) => `https://provider.example/${businessId}/${name}`
  }
}
