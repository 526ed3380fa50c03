import { assert, describe, it } from "@effect/vitest"
import type { ChatChannel, OnboardingReason, ProviderConnection } from "@parley/domain/messaging"
import { make } from "@parley/provider-adapters/chat/whatsapp"
import { whatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { DateTime, Effect, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { tokenIn } from "../../src/chat/whatsapp/onboarding.ts"
import { onboardingReasonOf } from "../../src/chat/whatsapp/onboardingReasons.ts"
import { detailsIn, healthIn, numberFields } from "../../src/chat/whatsapp/numbers.ts"
import { readSession } from "../../src/chat/whatsapp/signup.ts"

const ids = { phone_number_id: "106540352242922", waba_id: "102290129340398" }
const app = { appId: "634974688087057", appSecret: Redacted.make("614fc2afde15eee07a26b2fe3eaee9b9") }

const line: ProviderConnection = {
  phoneId: ids.phone_number_id,
  businessId: ids.waba_id,
  accessToken: Redacted.make("EAAJB3Token")
}

interface Answer {
  readonly status: number
  /** JSON, or the JSON for the query of the call. */
  readonly body: unknown
}

interface Call {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Runs the channel on a provider that answers each call like this, and returns its calls. */
const withAnswer = <A, E>(answer: Answer, use: (channel: ChatChannel) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const calls: Array<Call> = []
    const client = HttpClient.make((request, url) =>
      Effect.sync(() => {
        const query = Object.fromEntries(url.searchParams)
        const raw = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : null
        calls.push({
          method: request.method,
          path: url.pathname.replace(/^\/v\d+\.0/u, ""),
          query,
          body: raw === null ? null : JSON.parse(raw)
        })
        return HttpClientResponse.fromWeb(
          request,
          new Response(JSON.stringify(typeof answer.body === "function" ? answer.body(query) : answer.body), {
            status: answer.status,
            headers: { "content-type": "application/json" }
          })
        )
      })
    )
    const channel = yield* make({ app }).pipe(Effect.provideService(HttpClient.HttpClient, client))
    const result = yield* Effect.result(use(channel))
    return { result, calls }
  }).pipe(Effect.scoped)

type Step = (channel: ChatChannel) => Effect.Effect<unknown, unknown>

const step =
  (use: (onboarding: NonNullable<ChatChannel["onboarding"]>) => Effect.Effect<unknown, unknown>): Step =>
  ({ onboarding }) =>
    onboarding === null ? Effect.die(new Error("The channel has no onboarding.")) : use(onboarding)

const override = { url: "https://hooks.luckyshrub.com/whatsapp", verifyToken: Redacted.make("vt-7Qe2") }

/** Calls of the adapter, by the name of their fact. */
const steps: Readonly<Record<string, Step>> = {
  "register-number": step((onboarding) => onboarding.register(line, Redacted.make("581063"))),
  "request-code-sms": step((onboarding) => onboarding.requestCode(line, { method: "sms", language: "en_US" })),
  "request-code-voice": step((onboarding) => onboarding.requestCode(line, { method: "voice", language: "en_US" })),
  "verify-code": step((onboarding) => onboarding.verifyCode(line, Redacted.make("123830"))),
  "deregister-number": step((onboarding) => onboarding.deregister(line)),
  "change-pin": step((onboarding) => onboarding.changePin(line, Redacted.make("150954"))),
  "subscribe-app": step((onboarding) => onboarding.subscribe(line, null)),
  "subscribe-app-override": step((onboarding) => onboarding.subscribe(line, override)),
  "override-number-webhook": step((onboarding) =>
    onboarding.overrideNumber(line, { ...override, url: "https://hooks.luckyshrub.com/number" })
  ),
  "remove-number-webhook": step((onboarding) => onboarding.overrideNumber(line, null)),
  "unsubscribe-app": step((onboarding) => onboarding.unsubscribe(line)),
  "list-subscribed-apps": step((onboarding) => onboarding.readSubscription(line, app.appId)),
  "sync-contacts": step((onboarding) => onboarding.requestSync(line, "contacts")),
  "sync-history": step((onboarding) => onboarding.requestSync(line, "history")),
  "debug-token": step((onboarding) => onboarding.describeToken(line)),
  "exchange-code": ({ signup }) =>
    signup === null
      ? Effect.die(new Error("The channel has no signup."))
      : signup.exchangeCode(Redacted.make("AQBhlXsctMxJYbwbrpybxlo9tLPGy-QAmjBJA06jxWqjkmyGV0zTzLKFTXqbWQ2zOLQ"))
}

const pathOf = (path: string) =>
  path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => ids[name as keyof typeof ids] ?? name)

describe("A call of the onboarding", () => {
  it.effect.each(Object.entries(steps))("is made as the provider takes it: %s", ([name, use]) =>
    Effect.gen(function* () {
      const fact = whatsAppFact("requests", name)
      const { calls, result } = yield* withAnswer(whatsAppFact("answers", fact.answer), use)
      assert.strictEqual(result._tag, "Success")
      assert.deepStrictEqual(calls, [
        { method: fact.method, path: pathOf(fact.path), query: fact.query ?? {}, body: fact.body }
      ])
    })
  )

  it.effect("lists the ids of all numbers of a business account", () =>
    Effect.gen(function* () {
      const { calls, result } = yield* withAnswer(
        whatsAppFact("answers", "numbers-listed"),
        step((onboarding) => onboarding.listNumbers(line))
      )
      assert.deepStrictEqual(result._tag === "Success" ? result.success : null, ["106540352242922", "106540352242923"])
      assert.strictEqual(calls[0]?.path, pathOf(whatsAppFact("requests", "list-numbers").path))
    })
  )

  it.effect("adds a number as the provider takes it, unless the business account has it", () =>
    Effect.gen(function* () {
      const fact = whatsAppFact("requests", "add-number")
      const added = whatsAppFact("answers", fact.answer).body as { readonly id: string }
      // The answers to the list and to the addition have different fields, so one body serves both calls.
      const add = (data: ReadonlyArray<object>) =>
        withAnswer(
          { status: 200, body: { ...added, data } },
          step((onboarding) => onboarding.addNumber(line, { phone: "+14195551518", verifiedName: "Lucky Shrub" }))
        )
      const first = yield* add([])
      assert.deepStrictEqual(first.result._tag === "Success" ? first.result.success : null, added.id)
      assert.deepStrictEqual(first.calls.slice(1), [
        { method: fact.method, path: pathOf(fact.path), query: {}, body: fact.body }
      ])
      const again = yield* add([{ id: "7", display_phone_number: "+1 419-555-1518" }])
      assert.deepStrictEqual(
        [again.result._tag === "Success" ? again.result.success : null, again.calls.length],
        ["7", 1]
      )
    })
  )

  it.effect("finds a number on a later page, and no foreign number", () =>
    Effect.gen(function* () {
      const pages = {
        "": { data: [{ id: "1" }], paging: { cursors: { after: "second" }, next: "https://graph.facebook.com/next" } },
        second: { data: [{ id: line.phoneId }], paging: { cursors: { after: "end" } } }
      } as const
      const body = (query: Readonly<Record<string, string>>) => pages[query["after"] === "second" ? "second" : ""]
      const has = (phoneId: string) =>
        Effect.map(
          withAnswer(
            { status: 200, body },
            step((onboarding) => onboarding.hasNumber({ ...line, phoneId }))
          ),
          ({ calls, result }) => [result._tag === "Success" ? result.success : null, calls.length]
        )
      assert.deepStrictEqual(
        [yield* has(line.phoneId), yield* has("2")],
        [
          [true, 2],
          [false, 2]
        ]
      )
    })
  )

  it.effect("reads the subscription of the own app and its callback", () =>
    Effect.gen(function* () {
      const answer = whatsAppFact("answers", "subscribed-apps")
      const readFor = (appId: string) =>
        Effect.map(
          withAnswer(
            answer,
            step((onboarding) => onboarding.readSubscription(line, appId))
          ),
          ({ result }) => (result._tag === "Success" ? result.success : null)
        )
      assert.deepStrictEqual(yield* readFor(app.appId), { isSubscribed: true, callbackUrl: override.url })
      assert.deepStrictEqual(yield* readFor("1"), { isSubscribed: false, callbackUrl: null })
    })
  )
})

const reasons: Readonly<Record<string, OnboardingReason>> = {
  "error-0": "token_ended",
  "error-2": "provider_unavailable",
  "error-4": "call_limit_reached",
  "error-80007": "call_limit_reached",
  "error-130429": "call_limit_reached",
  "error-33": "number_deleted",
  "error-3": "permission_missing",
  "error-10": "permission_missing",
  "error-100": "parameter_invalid",
  "error-100-unknown-object": "parameter_invalid",
  "error-190": "token_ended",
  "error-200": "permission_missing",
  "error-131000": "provider_unavailable",
  "error-131005": "permission_missing",
  "error-131008": "parameter_invalid",
  "error-131009": "parameter_invalid",
  "error-131016": "provider_unavailable",
  "error-131031": "account_locked",
  "error-133000": "deregistration_incomplete",
  "error-133004": "provider_unavailable",
  "error-133005": "pin_mismatch",
  "error-133006": "number_not_verified",
  "error-133008": "pin_guesses_exhausted",
  "error-133009": "pin_guessed_too_fast",
  "error-133010": "not_registered",
  "error-133015": "number_deleted_recently",
  "error-133016": "too_many_registrations",
  "error-2593107": "sync_repeated",
  "error-2593108": "sync_too_late",
  "error-368": "account_locked"
}

describe("A refusal of the onboarding", () => {
  it("has a reason for every registration code of the corpus", () => {
    const codes = whatsAppFacts("errors")
      .filter(({ code, form }) => form === "answer" && code >= 133_000 && code < 134_000)
      .map(({ name }) => name)
    assert.isAtLeast(codes.length, 9)
    for (const name of codes) assert.property(reasons, name)
    for (const [name, reason] of Object.entries(reasons)) {
      assert.strictEqual(onboardingReasonOf(whatsAppFact("errors", name).code), reason, name)
    }
  })

  it.effect("of a registration reports its reason, its code and the details of the provider", () =>
    Effect.gen(function* () {
      const { body, status = 400 } = whatsAppFact("errors", "error-133005")
      const { result } = yield* withAnswer({ status, body }, steps["register-number"] ?? assert.fail())
      assert.deepInclude(result._tag === "Failure" ? { ...(result.failure as object) } : {}, {
        _tag: "OnboardingRefused",
        reason: "pin_mismatch",
        providerCode: 133_005
      })
    })
  )

  it.effect("of a registration with 131031 is a wrong PIN, unless the account is locked", () =>
    Effect.gen(function* () {
      const { body } = whatsAppFact("errors", "error-131031")
      const reasonWith = Effect.fnUntraced(function* (health: unknown) {
        // The error and the health have different fields, so one body serves both calls.
        const answers = (query: Readonly<Record<string, string>>) => (query["fields"] === undefined ? body : health)
        const { calls, result } = yield* withAnswer(
          { status: 200, body: answers },
          steps["register-number"] ?? assert.fail()
        )
        assert.deepStrictEqual(
          calls.map(({ method, query }) => [method, query["fields"]]),
          [
            ["POST", undefined],
            ["GET", "status,health_status"]
          ]
        )
        const failure = result._tag === "Failure" ? (result.failure as { reason: string; providerCode: number }) : null
        assert.strictEqual(failure?.providerCode, 131_031)
        return failure?.reason
      })
      const health = (name: string) => whatsAppFact("answers", name).body
      assert.strictEqual(yield* reasonWith(health("number-health")), "pin_mismatch")
      assert.strictEqual(yield* reasonWith(health("number-health-blocked")), "pin_mismatch")
      assert.strictEqual(yield* reasonWith(health("number-health-not-registered")), "pin_mismatch")
      const locked = { health_status: { entities: [{ entity_type: "WABA", can_send_message: "BLOCKED" }] } }
      assert.strictEqual(yield* reasonWith(locked), "account_locked")
      assert.strictEqual(yield* reasonWith(health("number-banned")), "account_locked")
      assert.strictEqual(yield* reasonWith(body), "account_locked")
    })
  )

  it.effect("has the time of the next useful attempt, if the provider documents it", () =>
    Effect.gen(function* () {
      const waitOf = Effect.fnUntraced(function* (name: string) {
        const { body, status = 400 } = whatsAppFact("errors", name)
        const { result } = yield* withAnswer({ status, body }, steps["register-number"] ?? assert.fail())
        const { retryAt } = (result._tag === "Failure" ? result.failure : {}) as { retryAt: DateTime.Utc | null }
        return retryAt === null ? null : DateTime.toEpochMillis(retryAt) - DateTime.toEpochMillis(yield* DateTime.now)
      })
      assert.strictEqual(yield* waitOf("error-133016"), 72 * 3_600_000)
      assert.strictEqual(yield* waitOf("error-133015"), 5 * 60_000)
      assert.strictEqual(yield* waitOf("error-133005"), null)
    })
  )

  it.effect("of a verification code reports a wrong code, and the limit of codes", () =>
    Effect.gen(function* () {
      const reasonOf = Effect.fnUntraced(function* (name: string, code: number) {
        const body = { error: { message: "Refused.", code } }
        const { result } = yield* withAnswer({ status: 400, body }, steps[name] ?? assert.fail())
        return result._tag === "Failure" ? (result.failure as { reason: string }).reason : null
      })
      assert.strictEqual(yield* reasonOf("verify-code", 100), "code_wrong")
      assert.strictEqual(yield* reasonOf("verify-code", 190), "token_ended")
      assert.strictEqual(yield* reasonOf("request-code-sms", 4), "code_requests_limited")
      assert.strictEqual(yield* reasonOf("request-code-sms", 100), "parameter_invalid")
    })
  )

  it.effect("of a callback, or of a code, has its own error", () =>
    Effect.gen(function* () {
      const errorOf = Effect.fnUntraced(function* (fact: string, name: string) {
        const { body, status = 400 } = whatsAppFact("errors", fact)
        const { result } = yield* withAnswer({ status, body }, steps[name] ?? assert.fail())
        const error = result._tag === "Failure" ? (result.failure as { _tag: string; reason: string }) : null
        return error === null ? null : [error._tag, error._tag === "OnboardingRefused" ? error.reason : ""]
      })
      assert.deepStrictEqual(yield* errorOf("error-override-before-subscription", "subscribe-app-override"), [
        "OnboardingRefused",
        "app_not_subscribed"
      ])
      assert.deepStrictEqual(yield* errorOf("error-200", "subscribe-app-override"), [
        "OnboardingRefused",
        "permission_missing"
      ])
      for (const code of ["error-code-used", "error-code-expired"]) {
        assert.deepStrictEqual(yield* errorOf(code, "exchange-code"), ["SignupCodeRefused", ""])
      }
    })
  )
})

describe("A number of the corpus", () => {
  const detailsOf = (name: string) => detailsIn(whatsAppFact("answers", name).body)

  it("is read with the fields of the provider", () => {
    assert.deepStrictEqual(detailsOf("number-fields"), {
      status: "connected",
      codeVerification: "verified",
      verifiedName: "Lucky Shrub",
      nameStatus: "approved",
      newNameStatus: null,
      platform: "cloud_api",
      mode: "live",
      throughput: "standard",
      isPinEnabled: true,
      isOnBusinessApp: false,
      isOfficialBusinessAccount: false,
      webhookUrls: { number: null, businessAccount: null, app: "https://parley.example/webhooks/whatsapp" },
      canSend: "unknown",
      health: []
    })
    const health = healthIn(whatsAppFact("answers", "number-fields").body)
    assert.deepInclude(
      { ...health },
      {
        displayPhone: "+1 555-078-3881",
        quality: "green",
        messagingLimit: "TIER_2K",
        throughputPerSecond: 80,
        issues: []
      }
    )
  })

  it("has no unknown status in any answer that contains one", () => {
    for (const { body, name } of whatsAppFacts("answers").filter((fact) => fact.name.startsWith("number-"))) {
      const read = detailsIn(body)
      const fields = body as Readonly<Record<string, unknown>>
      for (const [field, value] of [
        ["status", read.status],
        ["code_verification_status", read.codeVerification],
        ["platform_type", read.platform],
        ["name_status", read.nameStatus],
        ["account_mode", read.mode]
      ] as const) {
        if (Object.hasOwn(fields, field)) assert.notStrictEqual<string>(value, "unknown", `${name} ${field}`)
      }
      assert.notInclude(
        read.health.map(({ kind }) => kind),
        "unknown",
        name
      )
    }
  })

  it("has the issues and the limits of each entity", () => {
    const blocked = detailsOf("number-health-blocked")
    assert.strictEqual(blocked.canSend, "blocked")
    assert.deepStrictEqual(
      blocked.health.map(({ canSend, kind }) => [kind, canSend]),
      [
        ["number", "limited"],
        ["business_account", "blocked"],
        ["business", "available"],
        ["app", "available"]
      ]
    )
    assert.deepStrictEqual(blocked.health[1]?.issues, [
      {
        code: 141_006,
        reason: "There is an error with the payment method.",
        solution: "Add a payment method to the account."
      }
    ])
    assert.deepStrictEqual(detailsOf("number-health-limited").health[0]?.limits, [
      "The display name is not approved yet."
    ])
  })

  it("is asked for every field that the corpus asks for", () => {
    const asked = whatsAppFact("requests", "get-number-fields").query?.["fields"]?.split(",") ?? []
    for (const field of asked) assert.include(numberFields.split(","), field)
  })
})

describe("A token and a signup of the corpus", () => {
  it("are read with scopes, app and end", () => {
    const token = tokenIn(whatsAppFact("answers", "token-details").body)
    assert.deepStrictEqual(token, {
      kind: "system_user",
      appId: "634974688087057",
      scopes: ["whatsapp_business_management", "whatsapp_business_messaging"],
      expiresAt: DateTime.makeUnsafe(1_767_225_600_000)
    })
  })

  it("are read from every session event", () => {
    const results = Object.fromEntries(
      whatsAppFacts("signup").map(({ body, name }) => [name, readSession(body as never)])
    )
    const finished = { kind: "finished", externalAccountId: ids.waba_id, isCoexistence: false } as const
    assert.deepStrictEqual(results, {
      "signup-cancel": { kind: "cancelled", step: "PHONE_NUMBER_SETUP", shownError: null, errorId: null },
      "signup-error": {
        kind: "cancelled",
        step: null,
        shownError: "Your verified name violates WhatsApp guidelines. Please edit your verified name and try again.",
        errorId: "524126"
      },
      "signup-finish": { ...finished, externalPhoneId: ids.phone_number_id },
      "signup-finish-coexistence": { ...finished, externalPhoneId: ids.phone_number_id, isCoexistence: true },
      "signup-finish-shortest": { ...finished, externalPhoneId: ids.phone_number_id },
      "signup-finish-without-number": { ...finished, externalPhoneId: null }
    })
    assert.deepStrictEqual(readSession({ type: "WA_EMBEDDED_SIGNUP", event: "FINISH", data: { waba_id: "../me" } }), {
      kind: "invalid",
      pointer: "/data/waba_id",
      message: "Expected the id of the business account"
    })
  })
})
