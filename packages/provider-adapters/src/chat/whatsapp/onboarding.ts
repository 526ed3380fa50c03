import { callingCodeOf, parseProviderNumber } from "@parley/domain/crm"
import {
  type CallbackOverride,
  type ChannelRefused,
  type ChannelUnreachable,
  type NumberOnboarding,
  OnboardingRefused,
  type OnboardingReason,
  type OnboardingStepName,
  type ProviderConnection,
  type SyncKind,
  type TokenDetails
} from "@parley/domain/messaging"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { at, idAt, listAt, numberAt, textAt, textsIn } from "../../json.ts"
import * as Graph from "./Graph.ts"
import { codeMeanings, codeRequestMeanings, tokenKinds } from "./assumptions.ts"

const requiredScopes = ["whatsapp_business_management", "whatsapp_business_messaging"]

export const onboardingReasons: ReadonlyMap<number, OnboardingReason> = new Map([
  [0, "token_ended"],
  [190, "token_ended"],
  [3, "permission_missing"],
  [10, "permission_missing"],
  [131_005, "permission_missing"],
  [100, "parameter_invalid"],
  [131_008, "parameter_invalid"],
  [131_009, "parameter_invalid"],
  [368, "account_locked"],
  [131_031, "account_locked"],
  [4, "call_limit_reached"],
  [80_007, "call_limit_reached"],
  [130_429, "call_limit_reached"],
  [33, "number_deleted"],
  [2, "provider_unavailable"],
  [131_000, "provider_unavailable"],
  [131_016, "provider_unavailable"],
  [133_004, "provider_unavailable"],
  [133_000, "deregistration_incomplete"],
  [133_005, "pin_mismatch"],
  [133_006, "number_not_verified"],
  [133_008, "pin_guesses_exhausted"],
  [133_009, "pin_guessed_too_fast"],
  [133_010, "not_registered"],
  [133_015, "number_deleted_recently"],
  [133_016, "too_many_registrations"],
  [2_593_107, "sync_repeated"],
  [2_593_108, "sync_too_late"],
  [2_593_109, "sync_declined"]
])

const firstPermission = 200
const lastPermission = 299

/** Returns the reason for an error code of a step. */
export const onboardingReasonOf = (code: number): OnboardingReason =>
  onboardingReasons.get(code) ?? (code >= firstPermission && code <= lastPermission ? "permission_missing" : "other")

/** Documented times after which a refused step can succeed. */
const waits: Partial<Readonly<Record<OnboardingReason, Duration.Duration>>> = {
  number_deleted_recently: Duration.minutes(5),
  too_many_registrations: Duration.hours(72)
}

const toRefusal = ({ code, reason }: ChannelRefused, as = onboardingReasonOf(code)) =>
  Effect.flatMap(DateTime.now, (now) => {
    const wait = waits[as]
    const retryAt = wait === undefined ? null : DateTime.addDuration(now, wait)
    return new OnboardingRefused({ reason: as, providerCode: code, providerReason: reason, retryAt })
  })

/** Refusals of a subscription with a callback that are about the access, and not about the callback. */
const accessReasons: ReadonlySet<OnboardingReason> = new Set([
  "token_ended",
  "permission_missing",
  "account_locked",
  "call_limit_reached",
  "provider_unavailable"
])

/** The provider has no code for an override without a subscription, so its text decides. */
const isUnsubscribed = ({ code, reason }: ChannelRefused) => code === 100 && /must be subscribed/iu.test(reason)

const toCallbackRefusal = (refused: ChannelRefused) => {
  if (isUnsubscribed(refused)) return toRefusal(refused, "app_not_subscribed")
  const reason = onboardingReasonOf(refused.code)
  return toRefusal(refused, accessReasons.has(reason) ? reason : "callback_refused")
}

/** Reads the provider's description of a token; `null` if it has another shape. */
export const tokenIn = (body: unknown): TokenDetails | null => {
  const data = at(body, "data")
  const scopes = textsIn(listAt(data, "scopes"))
  const granular = listAt(data, "granular_scopes").flatMap((entry) => textAt(entry, "scope") ?? [])
  const appId = idAt(data, "app_id")
  if (appId === null) return null
  const expires = numberAt(data, "expires_at")
  return {
    kind: tokenKinds.get(textAt(data, "type") ?? "") ?? "unknown",
    appId,
    scopes: [...new Set([...scopes, ...granular])],
    // The provider writes 0 for a token without an end.
    expiresAt: expires === null || expires <= 0 ? null : DateTime.makeUnsafe(expires * 1_000)
  }
}

const syncTypes = { contacts: "smb_app_state_sync", history: "history" } as const satisfies Record<SyncKind, string>

const subscriptionIn = (body: unknown, appId: string | null) => {
  const apps = at(body, "data")
  if (!Array.isArray(apps)) return null
  const mine = apps.filter((app: unknown) => appId === null || idAt(app, "whatsapp_business_api_data", "id") === appId)
  const callbacks = mine.flatMap((app: unknown) => textAt(app, "override_callback_uri") ?? [])
  return { isSubscribed: mine.length > 0, callbackUrl: callbacks[0] ?? null }
}

/** Numbers of one page, and the pages that are read. A business account has far fewer numbers. */
const pageSize = 100
const maxPages = 50

interface NumberPage {
  readonly ids: ReadonlyArray<string>
  readonly phones: ReadonlyArray<{ readonly id: string; readonly phone: string | null }>
  /** Cursor of the next page; `null` after the last one. */
  readonly next: string | null
}

const numbersIn = (body: unknown): NumberPage | null => {
  const data = at(body, "data")
  if (!Array.isArray(data)) return null
  const phones = data.flatMap((number: unknown) => {
    const id = idAt(number, "id")
    return id === null ? [] : [{ id, phone: parseProviderNumber(textAt(number, "display_phone_number") ?? "") }]
  })
  const hasNext = textAt(body, "paging", "next") !== null
  return {
    ids: phones.map(({ id }) => id),
    phones,
    next: hasNext ? textAt(body, "paging", "cursors", "after") : null
  }
}

const manager = (page: string, businessId: string) =>
  `https://business.facebook.com/latest/whatsapp_manager/${page}?asset_id=${encodeURIComponent(businessId)}`

const managerPages: Partial<Readonly<Record<OnboardingStepName, string>>> = {
  number_verified: "phone_numbers",
  display_name: "phone_numbers",
  registered: "phone_numbers",
  payment_method: "overview"
}

const pageOf: NumberOnboarding["pageOf"] = (step, { appId, businessId }) => {
  const page = managerPages[step]
  if (page !== undefined) return manager(page, businessId)
  if (step === "token") return "https://business.facebook.com/latest/settings/system_users"
  return (step === "app_subscribed" || step === "webhook_address" || step === "webhook_received") && appId !== null
    ? `https://developers.facebook.com/apps/${encodeURIComponent(appId)}/webhooks/`
    : null
}

const succeeded = (body: unknown): true | null => (at(body, "success") === true ? true : null)

/** Onboarding of numbers: registration, subscription of the app, and the data of the business app. */
export const makeOnboarding = (graph: Graph.Graph["Service"]): NumberOnboarding => {
  const { app, root } = graph.settings
  const address = (...path: ReadonlyArray<string>) => [root, ...path.map(encodeURIComponent)].join("/")

  const step = <A>(
    line: ProviderConnection,
    request: HttpClientRequest.HttpClientRequest,
    read: (body: unknown) => A | null,
    secrets: ReadonlyArray<Redacted.Redacted> = []
  ) =>
    graph
      .ask(request.pipe(Graph.authorized(line)), [line.accessToken, ...secrets], read)
      .pipe(Effect.catchTag("ChannelRefused", (refused) => toRefusal(refused)))

  const post = (path: ReadonlyArray<string>, body: unknown) =>
    HttpClientRequest.post(address(...path)).pipe(HttpClientRequest.bodyJsonUnsafe(body))

  const describe = (accessToken: Redacted.Redacted, by: Redacted.Redacted) =>
    graph
      .ask(
        HttpClientRequest.get(address("debug_token"), {
          urlParams: { input_token: Redacted.value(accessToken) }
        }).pipe(HttpClientRequest.bearerToken(by)),
        [accessToken, by],
        (body) => ({ token: tokenIn(body) })
      )
      .pipe(Effect.map(({ token }) => token))

  /** Repeats the reason of a refusal, unless its code means something else in this call. */
  const inCall =
    (meanings: ReadonlyMap<number, OnboardingReason>) =>
    <A>(call: Effect.Effect<A, OnboardingRefused | ChannelUnreachable>) =>
      Effect.catchTag(call, "OnboardingRefused", (error) => {
        const reason = meanings.get(error.providerCode ?? Number.NaN)
        return Effect.fail(reason === undefined ? error : new OnboardingRefused({ ...error, reason }))
      })

  const findNumber = Effect.fnUntraced(function* (line: ProviderConnection, phone: string) {
    let after: string | null = null
    for (let page = 0; page < maxPages; page += 1) {
      const urlParams = { fields: "id,display_phone_number", limit: pageSize, ...(after !== null && { after }) }
      const request = HttpClientRequest.get(address(line.businessId, "phone_numbers"), { urlParams })
      const { next, phones }: NumberPage = yield* step(line, request, numbersIn)
      const found = phones.find((each) => each.phone === phone)
      if (found !== undefined) return found.id
      if (next === null) return null
      after = next
    }
    return null
  })

  const addNumber: NumberOnboarding["addNumber"] = Effect.fnUntraced(function* (line, { phone, verifiedName }) {
    const callingCode = callingCodeOf(phone)
    if (callingCode === null) return null
    // An earlier call can have added the number without an answer.
    const known = yield* findNumber(line, phone)
    if (known !== null) return known
    const body = { cc: callingCode, phone_number: phone.slice(1), verified_name: verifiedName }
    return yield* step(line, post([line.businessId, "phone_numbers"], body), (answer) => idAt(answer, "id"))
  })

  const callbackBody = ({ url, verifyToken }: CallbackOverride) => ({
    override_callback_uri: url,
    verify_token: Redacted.value(verifyToken)
  })

  const setCallback = (
    line: ProviderConnection,
    request: HttpClientRequest.HttpClientRequest,
    { verifyToken }: CallbackOverride
  ) =>
    graph
      .ask(request.pipe(Graph.authorized(line)), [line.accessToken, verifyToken], succeeded)
      .pipe(Effect.catchTag("ChannelRefused", toCallbackRefusal), Effect.asVoid)

  const subscriptions = (line: ProviderConnection) => [line.businessId, "subscribed_apps"]

  const listNumbers = Effect.fnUntraced(function* (line: ProviderConnection) {
    const found: Array<string> = []
    let after: string | null = null
    for (let page = 0; page < maxPages; page += 1) {
      const urlParams = { fields: "id", limit: pageSize, ...(after !== null && { after }) }
      const request = HttpClientRequest.get(address(line.businessId, "phone_numbers"), { urlParams })
      const { ids, next }: NumberPage = yield* step(line, request, numbersIn)
      found.push(...ids)
      if (next === null) break
      after = next
    }
    return found
  })

  return {
    requiredScopes,
    describeToken: ({ accessToken }) => {
      // An app describes its own tokens. For a token of another app, the token itself must do.
      const own = Effect.catchTag(describe(accessToken, accessToken), "ChannelRefused", () => Effect.succeed(null))
      if (app === null) return own
      const appToken = Redacted.make(`${app.appId}|${Redacted.value(app.appSecret)}`)
      return Effect.catchTag(describe(accessToken, appToken), "ChannelRefused", () => own)
    },
    listNumbers,
    hasNumber: (line) => Effect.map(listNumbers(line), (ids) => ids.includes(line.phoneId)),
    addNumber,
    requestCode: (line, { language, method }) =>
      step(
        line,
        HttpClientRequest.post(address(line.phoneId, "request_code"), {
          urlParams: { code_method: method.toUpperCase(), language }
        }),
        succeeded
      ).pipe(inCall(codeRequestMeanings), Effect.asVoid),
    verifyCode: (line, code) =>
      step(
        line,
        HttpClientRequest.post(address(line.phoneId, "verify_code"), {
          urlParams: { code: Redacted.value(code).replace("-", "") }
        }),
        succeeded,
        [code]
      ).pipe(inCall(codeMeanings), Effect.asVoid),
    register: (line, pin) =>
      Effect.asVoid(
        step(
          line,
          post([line.phoneId, "register"], { messaging_product: "whatsapp", pin: Redacted.value(pin) }),
          succeeded,
          [pin]
        )
      ),
    deregister: (line) =>
      Effect.asVoid(step(line, HttpClientRequest.post(address(line.phoneId, "deregister")), succeeded)),
    changePin: (line, pin) =>
      Effect.asVoid(step(line, post([line.phoneId], { pin: Redacted.value(pin) }), succeeded, [pin])),
    subscribe: (line, override) =>
      override === null
        ? Effect.asVoid(step(line, HttpClientRequest.post(address(...subscriptions(line))), succeeded))
        : setCallback(line, post(subscriptions(line), callbackBody(override)), override),
    overrideNumber: (line, override) =>
      override === null
        ? Effect.asVoid(
            step(line, post([line.phoneId], { webhook_configuration: { override_callback_uri: "" } }), succeeded)
          )
        : setCallback(line, post([line.phoneId], { webhook_configuration: callbackBody(override) }), override),
    unsubscribe: (line) =>
      Effect.asVoid(step(line, HttpClientRequest.delete(address(...subscriptions(line))), succeeded)),
    readSubscription: (line, appId) =>
      step(line, HttpClientRequest.get(address(...subscriptions(line))), (body) => subscriptionIn(body, appId)),
    requestSync: (line, kind) =>
      step(
        line,
        post([line.phoneId, "smb_app_data"], { messaging_product: "whatsapp", sync_type: syncTypes[kind] }),
        (body) => textAt(body, "request_id")
      ),
    pageOf
  }
}
