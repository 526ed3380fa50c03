import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { added, as, idOf } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { freshSecret, givenNumber, newNumber, newSignup, provider } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenPerson, givenTenant } from "../harness/tenants.ts"

/** Numbers, and how they are doing. */
export const chatAccountsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a number is connected, read, changed and removed, and none of its secrets is shown", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const input = yield* newNumber
        yield* (yield* provider).setHealth(input.externalPhoneId, { displayPhone: "+1 555-010-0001" })
        const created = yield* added(tenant, "/chat_accounts", input)
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          provider: "whatsapp",
          mode: "own_app",
          displayName: input.displayName,
          phone: "+15550100001",
          externalAccountId: input.externalAccountId,
          externalPhoneId: input.externalPhoneId,
          messagingAccountId: null,
          url: null,
          status: "connected",
          qualityRating: "green",
          messagingLimit: "TIER_2K",
          throughputPerSecond: 80,
          number: created.body.number,
          lastCheckedAt: now,
          lastError: null,
          restrictions: [],
          createdAt: now,
          updatedAt: now,
          version: 1,
          webhookUrl: `https://parley.test/webhooks/chat/${tenant.organization.id}`,
          verifyToken: textAt(created, "verifyToken"),
          signingSecret: null,
          registrationPin: null
        })
        assert.deepStrictEqual(
          [at(created.body, "number", "status"), at(created.body, "number", "platform")],
          ["connected", "cloud_api"]
        )
        const path = `/chat_accounts/${idOf(created)}`
        assert.deepStrictEqual((yield* send("GET", path)).body, created.body)
        assert.deepStrictEqual(idsOf(yield* send("GET", "/chat_accounts")), [idOf(created)])

        yield* TestClock.adjust("1 second")
        const appSecret = yield* freshSecret
        const changed = yield* send("PATCH", path, { displayName: "Orders", appSecret }, { "if-match": "1" })
        assertStatus(changed, 200)
        assert.deepStrictEqual([changed.body.displayName, changed.body.version], ["Orders", 2])
        assertProblem(yield* send("PATCH", path, { displayName: "x" }, { "if-match": "1" }), 412, "version_conflict")
        for (const secret of [input.accessToken, input.appSecret, appSecret]) {
          for (const answer of [created, changed]) assert.notInclude(answer.text, secret)
        }
        assertProblem(yield* send("DELETE", path, undefined, { "if-match": "1" }), 412, "version_conflict")
        assertStatus(yield* send("DELETE", path), 204)
        assertProblem(yield* send("GET", path), 404, "not_found")
        const again = yield* send("POST", "/chat_accounts", input)
        assertStatus(again, 201)
        assert.deepStrictEqual([again.body.id, again.body.createdAt], [idOf(created), now])
      })
    )

    it.effect("the verify token is shown with chat_accounts.manage only", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = idOf(yield* added(tenant, "/chat_accounts", yield* newNumber))
        for (const role of ["owner", "admin", "agent", "viewer"] as const) {
          const { token } = yield* givenPerson(tenant.organization, role)
          const what = { token, organization: tenant.organization.id }
          const one = yield* call("GET", `/api/v1/chat_accounts/${id}`, what)
          const list = yield* call("GET", "/api/v1/chat_accounts", what)
          for (const shown of [one.body.verifyToken, at(list.body, "data", 0, "verifyToken")]) {
            if (role === "owner" || role === "admin") assert.isString(shown)
            else assert.isNull(shown)
          }
        }
      })
    )

    it.effect("a number is connected once, and through the platform app once at all", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const other = yield* givenTenant()
        const input = yield* newNumber
        const id = idOf(yield* added(tenant, "/chat_accounts", input))
        const again = yield* as(tenant)("POST", "/chat_accounts", input)
        assertProblem(again, 409, "chat_account_exists")
        assert.strictEqual(again.body.chatAccountId, id)
        assertStatus(yield* as(other)("POST", "/chat_accounts", input), 201)

        const signup = yield* newSignup
        assertStatus(yield* as(tenant)("POST", "/chat/platform_app", signup), 201)
        const { code } = yield* newSignup
        assertProblem(
          yield* as(other)("POST", "/chat/platform_app", { ...signup, code }),
          409,
          "number_connected_elsewhere"
        )
      })
    )

    it.effect("no organization exceeds its limit of numbers under concurrency", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("growth")
        const answers = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () => Effect.flatMap(newNumber, (input) => whenNotBusy(as(tenant)("POST", "/chat_accounts", input))),
          { concurrency: "unbounded" }
        )
        const refused = answers.filter(({ status }) => status !== 201)
        assert.lengthOf(refused, 3)
        for (const answer of refused) {
          assertProblem(answer, 403, "plan_limit_reached")
          assert.deepStrictEqual([answer.body.limit, answer.body.current, answer.body.max], ["chatAccounts", 5, 5])
        }
      })
    )

    it.effect("a check stores the provider's answer; a refusal does not fail the check", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const script = yield* provider
        const input = yield* newNumber
        const path = `/chat_accounts/${idOf(yield* added(tenant, "/chat_accounts", input))}`
        yield* script.setHealth(input.externalPhoneId, {
          quality: "red",
          sending: "limited",
          issues: [{ code: 141_000, reason: "The payment method has expired." }]
        })
        yield* TestClock.adjust("1 second")
        const limited = yield* as(tenant)("POST", `${path}/check`)
        assertStatus(limited, 200)
        assert.deepStrictEqual(
          [limited.body.status, limited.body.qualityRating, limited.body.lastError],
          ["degraded", "red", { code: 141_000, reason: "The payment method has expired." }]
        )
        yield* script.revoke(input.accessToken)
        const revoked = yield* as(tenant)("POST", `${path}/check`)
        assertStatus(revoked, 200)
        assert.deepStrictEqual([revoked.body.status, at(revoked.body, "lastError", "code")], ["disconnected", 190])
        assert.deepStrictEqual((yield* as(tenant)("GET", path)).body, revoked.body)
      })
    )

    it.effect("a number that the provider does not let in is refused, and takes no place of the plan", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const send = as(tenant)
        const script = yield* provider
        const [expired, missing] = [yield* newNumber, yield* newNumber]
        yield* script.revoke(expired.accessToken)
        yield* script.forget(missing.externalPhoneId)
        for (const path of ["/chat_accounts", "/chat/platform_app"]) {
          const code = yield* freshSecret
          yield* script.addSignupCode(code, expired.accessToken)
          const { externalAccountId, externalPhoneId } = expired
          const body = path === "/chat_accounts" ? expired : { code, externalAccountId, externalPhoneId }
          const refused = yield* send("POST", path, body)
          assertProblem(refused, 422, "chat_token_refused")
          assert.strictEqual(refused.body.providerCode, 190)
          assert.strictEqual(refused.body.pointer, path === "/chat_accounts" ? "/accessToken" : "/code")
          assert.notInclude(refused.text, expired.accessToken)
        }
        const unknown = yield* send("POST", "/chat_accounts", missing)
        assertProblem(unknown, 422, "chat_number_unknown")
        assert.deepStrictEqual([unknown.body.providerCode, unknown.body.pointer], [100, "/externalPhoneId"])
        assert.deepStrictEqual(idsOf(yield* send("GET", "/chat_accounts")), [])
        assertStatus(yield* send("POST", "/chat_accounts", yield* newNumber), 201)
      })
    )

    it.effect("a new access token that the provider does not accept replaces nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const script = yield* provider
        const path = `/chat_accounts/${idOf(yield* added(tenant, "/chat_accounts", yield* newNumber))}`
        const before = (yield* as(tenant)("GET", path)).body
        const { accessToken } = yield* newNumber
        yield* script.revoke(accessToken)
        const refused = yield* as(tenant)("PATCH", path, { accessToken, displayName: "Other" })
        assertProblem(refused, 422, "chat_token_refused")
        assert.strictEqual(refused.body.pointer, "/accessToken")
        assert.notInclude(refused.text, accessToken)
        assert.deepStrictEqual((yield* as(tenant)("GET", path)).body, before)
      })
    )

    it.effect("the platform app is described without its secret, and a code connects a number once", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const app = yield* as(tenant)("GET", "/chat/platform_app")
        assert.deepStrictEqual(app.body, {
          offered: true,
          appId: "300000000000001",
          signupConfigurationId: "300000000000002",
          webhookPath: "/webhooks/chat"
        })
        const signup = yield* newSignup
        const created = yield* added(tenant, "/chat/platform_app", signup)
        assert.deepStrictEqual(
          [created.body.mode, created.body.webhookUrl, created.body.verifyToken, created.body.status],
          ["platform_app", "https://parley.test/webhooks/chat", null, "connected"]
        )
        const spent = yield* as(tenant)("POST", "/chat/platform_app", {
          ...signup,
          externalPhoneId: yield* freshText("phone")
        })
        assertProblem(spent, 422, "signup_code_refused")
        assert.strictEqual(spent.body.providerCode, 100)
        assert.notInclude(spent.text, signup.code)
        assert.lengthOf(idsOf(yield* as(tenant)("GET", "/chat_accounts")), 1)
      })
    )

    it.effect("a registration shows a created PIN once, and a refusal says what to do", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const script = yield* provider
        const input = yield* newNumber
        yield* script.setDetails(input.externalPhoneId, {
          platform: "not_applicable",
          status: "pending",
          isPinEnabled: false
        })
        const created = yield* added(tenant, "/chat_accounts", input)
        assert.strictEqual(created.body.status, "degraded")
        const path = `/chat_accounts/${idOf(created)}`
        yield* script.refuseStep("number_deleted_recently", 133_015)
        const refused = yield* send("POST", `${path}/register`, {})
        assertProblem(refused, 422, "onboarding_refused")
        assert.deepStrictEqual(
          [refused.body.reason, refused.body.providerCode, refused.body.retryAt],
          ["number_deleted_recently", 133_015, null]
        )
        assert.include(refused.text, "Wait five minutes")
        const registered = yield* send("POST", `${path}/register`, {})
        assertStatus(registered, 200)
        assert.strictEqual(registered.body.registrationPin, yield* script.pinOf(input.externalPhoneId))
        const again = yield* send("POST", `${path}/register`, {})
        assert.deepStrictEqual([again.status, again.body.registrationPin], [200, null])
        const checklist = yield* send("GET", `${path}/onboarding`)
        assertStatus(checklist, 200)
        assert.deepStrictEqual([checklist.body.isComplete, checklist.body.recentRegistrationCalls], [false, 2])
        assertProblem(yield* send("POST", `${path}/register`, { pin: "12345" }), 400, "validation_failed")
      })
    )

    it.effect("a signup is read from its session event, and a cancelled one is refused", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { code, externalAccountId: business, externalPhoneId: number } = yield* newSignup
        const signUp = (body: object) => as(tenant)("POST", "/chat/platform_app", body)
        assertProblem(yield* signUp({ session: { cancelled: true } }), 422, "signup_cancelled")
        const foreign = yield* signUp({ code, session: { type: "other" } })
        assertProblem(foreign, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(foreign), ["/session/number"])
        const connected = yield* signUp({ code, session: { business, number, later: { unknown: [1] } } })
        assertStatus(connected, 201)
        assert.strictEqual(connected.body.externalPhoneId, number)
      })
    )

    it.effect.each([
      { body: { displayName: "" }, pointer: "/displayName" },
      { body: { externalPhoneId: "1 2" }, pointer: "/externalPhoneId" },
      { body: { externalAccountId: "../me" }, pointer: "/externalAccountId" },
      { body: { accessToken: "has space" }, pointer: "/accessToken" },
      { body: { appSecret: "" }, pointer: "/appSecret" },
      { body: { verifyToken: "mine" }, pointer: "/verifyToken" },
      { body: { mode: "platform_app" }, pointer: "/mode" }
    ])("$body is no number", ({ body, pointer }) =>
      Effect.gen(function* () {
        const answer = yield* as(yield* givenTenant())("POST", "/chat_accounts", { ...(yield* newNumber), ...body })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), [pointer])
      })
    )

    it.effect("no error repeats a secret", () =>
      Effect.gen(function* () {
        const secret = "8675309867530986753098675309 "
        const answer = yield* as(yield* givenTenant())("POST", "/chat_accounts", {
          ...(yield* newNumber),
          accessToken: secret,
          appSecret: [secret]
        })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), ["/accessToken", "/appSecret"])
        assert.notInclude(answer.text, "867530986753098675309")
      })
    )

    it.effect("messages over a number stay after its removal", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenNumber(tenant.organization)
        const contact = yield* added(tenant, "/contacts", { name: "Marie" })
        const conversation = idOf(
          yield* added(tenant, "/conversations", { contactId: idOf(contact), chatAccountId: id })
        )
        assertStatus(yield* as(tenant)("DELETE", `/chat_accounts/${id}`), 204)
        const kept = yield* as(tenant)("GET", `/conversations/${conversation}`)
        assert.deepStrictEqual([kept.status, kept.body.chatAccountId], [200, id])
        assert.deepStrictEqual(idsOf(yield* as(tenant)("GET", `/conversations?chatAccountId=${id}`)), [conversation])
      })
    )
  })
