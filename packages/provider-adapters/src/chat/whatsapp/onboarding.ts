import { callingCodeOf, parseProviderNumber } from "@parley/domain/crm"
import {
  type CallbackOverride,
  type ChannelRefused,
  type ChannelUnreachable,
  type NumberOnboarding,
  OnboardingRefused,
  type OnboardingReason,
  type ProviderConnection,
  type SyncKind,
  type TokenDetails
} from "@parley/domain/messaging"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { at, idAt, listAt, numberAt, textAt, textsIn } from "../../json.ts"
import * as Graph from "./Graph.ts"
import { codeMeanings, codeRequestMeanings, pinMeanings, tokenKinds } from "./assumptions.ts"
import { errorClassOf } from "./errorTable.ts"
import { detailsIn, hasLock } from "./numbers.ts"
import { pageOf } from "./onboardingPages.ts"
import { onboardingReasonOf } from "./onboardingReasons.ts"

const requiredScopes = ["whatsapp_business_management", "whatsapp_business_messaging"]

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

/** Code of a wrong PIN, and the sentence for it. */
const pinMismatch = 133_005
const wrongPin = errorClassOf(pinMismatch)?.advice ?? null

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

  /** Whether the number or its business account is locked. A number without registration or payment is not. */
  const isLocked = (line: ProviderConnection) =>
    step(
      line,
      HttpClientRequest.get(address(line.phoneId), { urlParams: { fields: "status,health_status" } }),
      (body) => ({ isLocked: hasLock(detailsIn(body)) })
    )

  /** A code that also means a locked account means a wrong PIN if the provider reports no lock. */
  const withPinMeaning = (
    line: ProviderConnection,
    call: Effect.Effect<true, OnboardingRefused | ChannelUnreachable>
  ) =>
    Effect.catchTag(call, "OnboardingRefused", (error) => {
      const reason = pinMeanings.get(error.providerCode ?? Number.NaN)
      if (reason === undefined) return Effect.fail(error)
      const mismatch = new OnboardingRefused({ ...error, reason, providerReason: wrongPin })
      return Effect.matchEffect(isLocked(line), {
        onSuccess: (found) => Effect.fail(found.isLocked ? error : mismatch),
        onFailure: () => Effect.fail(error)
      })
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
    register: (line, pin) => {
      const request = post([line.phoneId, "register"], { messaging_product: "whatsapp", pin: Redacted.value(pin) })
      return Effect.asVoid(withPinMeaning(line, step(line, request, succeeded, [pin])))
    },
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
