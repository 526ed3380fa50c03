import { assert } from "@effect/vitest"
import type { Permission } from "@parley/domain/kernel"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { added, addedId, as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenPerson, givenTenant, type Tenant } from "../harness/tenants.ts"

const path = "/webhook_subscriptions"

const erp = { name: "ERP", url: "https://erp.example/hook", events: ["tag.*"] }

/** URLs to this machine, its network, or a host that two parsers read differently. */
const inside = [
  "http://erp.example/hook",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://[::ffff:7f00:1]/",
  "https://localhost/",
  "https://LOCALHOST.:443/",
  "https://metadata/",
  "https://erp.example:22/",
  "https://erp.example:80/",
  "https://user:password@erp.example/",
  "https://erp.example#@127.0.0.1/",
  "https://erp.example\\@127.0.0.1/",
  "https://erp.example/\t",
  "https://erp.example/\r\nx-injected: 1",
  "https://①②⑦.⓪.⓪.①/",
  "https://erp。example/",
  "https://%31%32%37.0.0.1/",
  "https://parley.test/hook",
  "https://crm.internal/hook",
  "gopher://erp.example/",
  "javascript:alert(1)",
  "//erp.example/",
  `https://erp.example/${"a".repeat(2_000)}`
]

const headers: ReadonlyArray<readonly [name: string, value: string]> = [
  ["x-team", "orders\r\nx-injected: 1"],
  ["x-team", "orders\nx-injected: 1"],
  ["x-team", "orders\u0000"],
  ["x-team", "örders"],
  ["x-team", " orders"],
  ["x-team", "a".repeat(1_025)],
  ["x-team\r\nx-injected", "1"],
  ["x team", "1"],
  ["x-team:", "1"],
  ["", "1"],
  ...[
    "host",
    "Host",
    "content-length",
    "Content-Type",
    "transfer-encoding",
    "connection",
    "upgrade",
    "expect",
    "te",
    "proxy-authorization",
    "webhook-id",
    "Webhook-Signature",
    "webhook-timestamp",
    "parley-attempt"
  ].map((name) => [name, "1"] as const)
]

const under = (pointer: string) => (each: string) => each === pointer || each.startsWith(`${pointer}/`)

const subscribe = (tenant: Tenant) => addedId(tenant, path, erp)

/** Webhook URLs of malicious callers. */
export const webhookSubscriptionsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("no URL is internal, neither at creation nor as a change", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = yield* subscribe(tenant)
        for (const url of inside) {
          for (const refused of [
            yield* as(tenant)("POST", path, { ...erp, url }),
            yield* as(tenant)("PATCH", `${path}/${id}`, { url })
          ]) {
            assertProblem(refused, 400, "validation_failed")
            assert.deepStrictEqual(pointersOf(refused), ["/url"], url)
          }
        }
        assert.deepStrictEqual((yield* as(tenant)("GET", `${path}/${id}`)).body.url, erp.url)
      })
    )

    it.effect("no header begins another one, or takes the place of what the request says itself", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = yield* subscribe(tenant)
        for (const [header, value] of headers) {
          for (const refused of [
            yield* as(tenant)("POST", path, { ...erp, headers: { [header]: value } }),
            yield* as(tenant)("PATCH", `${path}/${id}`, { headers: { [header]: value } })
          ]) {
            assertProblem(refused, 400, "validation_failed")
            assert.isTrue(pointersOf(refused).every(under("/headers")), `${header} ${pointersOf(refused).join(" ")}`)
          }
        }
        const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x-${index}`, "1"]))
        assertProblem(yield* as(tenant)("POST", path, { ...erp, headers: many }), 400, "validation_failed")
        const twice = { "x-team": "1", "X-Team": "2" }
        assertProblem(yield* as(tenant)("POST", path, { ...erp, headers: twice }), 400, "validation_failed")
      })
    )

    it.effect("another caller cannot move headers to another address", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = yield* addedId(tenant, path, { ...erp, headers: { authorization: "Bearer s3cret", "x-team": "a" } })
        const admin = yield* givenPerson(tenant.organization, "admin")
        const change = (body: unknown) =>
          call("PATCH", `/api/v1${path}/${id}`, { token: admin.token, organization: tenant.organization.id, body })
        for (const url of ["https://evil.example/hook", "https://erp.example:8443/hook"]) {
          const refused = yield* change({ url })
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused).toSorted(), ["/headers/authorization", "/headers/x-team"])
          const half = yield* change({ url, headers: { authorization: null, "x-team": "b" } })
          assertProblem(half, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(half), ["/headers/authorization"])
        }
        assertStatus(yield* change({ url: "https://erp.example/other" }), 200)
        assertStatus(
          yield* change({ url: "https://moved.example/hook", headers: { authorization: "Bearer n3w" } }),
          200
        )
        assertStatus(yield* change({ url: "https://again.example/hook", headers: {} }), 200)
        assertStatus(yield* change({ url: "https://last.example/hook" }), 200)
      })
    )

    it.effect("neither the secret nor the value of a header is ever shown again", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const created = yield* added(tenant, path, { ...erp, headers: { Authorization: "Bearer very-hidden" } })
        const secret = textAt(created, "secret")
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/u)
        const id = textAt(created, "id")
        const rotated = yield* as(tenant)("POST", `${path}/${id}/rotate_secret`)
        const shown = [
          yield* as(tenant)("GET", `${path}/${id}`),
          yield* as(tenant)("GET", path),
          yield* as(tenant)("PATCH", `${path}/${id}`, { name: "Till", headers: { authorization: null } }),
          yield* as(tenant)("GET", "/audit_events"),
          yield* as(tenant)("GET", "/events"),
          yield* as(tenant)("POST", `${path}/${id}/test`)
        ]
        for (const answer of shown) {
          assert.isBelow(answer.status, 300, answer.text)
          for (const hidden of [secret, textAt(rotated, "secret"), "very-hidden"])
            assert.notInclude(answer.text, hidden)
        }
        assert.deepStrictEqual(created.body.headers, { authorization: null })
      })
    )

    it.effect("no subscription receives events beyond its author's permissions, by type, prefix or all", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization } = tenant
        const { token } = yield* givenAutomationToken(tenant, [
          "webhook_subscriptions.manage",
          "webhook_subscriptions.read",
          "contacts.read"
        ])
        const send = (method: string, to: string, body: unknown) =>
          call(method, `/api/v1${to}`, { token, organization: organization.id, body })
        for (const type of ["message.received", "message.*", "conversation.*", "automation_token.issued"]) {
          assertProblem(yield* send("POST", path, { ...erp, events: [type] }), 403, "permission_denied")
        }
        const all = yield* send("POST", path, { ...erp, events: ["*"], payload: "full" })
        assertStatus(all, 201)
        assert.deepStrictEqual(all.body.permissions, ["contacts.read", "webhook_subscriptions.read"])
        // Tokens also cannot redirect another member's subscription and keep its permissions.
        const theirs = yield* addedId(tenant, path, { ...erp, events: ["message.*"] })
        const taken = yield* send("PATCH", `${path}/${theirs}`, { url: "https://evil.example/hook" })
        if (taken.status === 200) assert.notInclude(JSON.stringify(taken.body.permissions), "conversations.read")
        else assertProblem(taken, 403, "permission_denied")
      })
    )

    it.effect("a former admin neither reads nor changes own subscriptions, which continue", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization } = tenant
        const person = yield* givenPerson(organization, "admin")
        const mine = { token: person.token, organization: organization.id }
        const created = yield* call("POST", `/api/v1${path}`, { ...mine, body: { ...erp, events: ["message.*"] } })
        assertStatus(created, 201)
        const id = textAt(created, "id")
        const members = rowsOf(yield* as(tenant)("GET", "/members"))
        const member = members.find((each) => at(each, "userId") === person.user.id)
        assertStatus(yield* as(tenant)("PATCH", `/members/${String(at(member, "id"))}`, { role: "viewer" }), 200)
        for (const [method, to, body] of [
          ["GET", `${path}/${id}`, undefined],
          ["GET", `${path}/${id}/deliveries`, undefined],
          ["PATCH", `${path}/${id}`, { url: "https://evil.example/hook" }],
          ["POST", `${path}/${id}/rotate_secret`, {}],
          ["POST", `${path}/${id}/test`, {}],
          ["POST", `${path}/${id}/replay`, { after: 0 }],
          ["DELETE", `${path}/${id}`, undefined]
        ] as const) {
          const refused = yield* call(method, `/api/v1${to}`, { ...mine, ...(body !== undefined && { body }) })
          assertProblem(refused, 403, "permission_denied")
        }
        const kept = yield* as(tenant)("GET", `${path}/${id}`)
        assert.deepStrictEqual([kept.body.status, kept.body.permissions], ["enabled", ["conversations.read"]])
      })
    )

    it.effect("a new secret and a test require the permissions of the delivered events", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = yield* addedId(tenant, path, { ...erp, events: ["message.*"] })
        const called = yield* addedId(tenant, path, { ...erp, events: [] })
        const post = Effect.fnUntraced(function* (to: string, ...permissions: ReadonlyArray<Permission>) {
          const { token } = yield* givenAutomationToken(tenant, ["webhook_subscriptions.manage", ...permissions])
          return yield* call("POST", `/api/v1${path}/${to}`, { token, organization: tenant.organization.id, body: {} })
        })
        for (const [to, permission] of [
          [`${id}/rotate_secret`, "conversations.read"],
          [`${id}/test`, "conversations.read"],
          [`${called}/rotate_secret`, "contacts.read"],
          [`${called}/test`, "contacts.read"]
        ] as const) {
          const refused = yield* post(to)
          assertProblem(refused, 403, "permission_denied")
          assert.strictEqual(refused.body.permission, permission)
        }
        const rotated = yield* post(`${id}/rotate_secret`, "conversations.read")
        assertStatus(rotated, 200)
        assert.isString(rotated.body.secret)
        assertStatus(yield* post(`${id}/test`, "conversations.read"), 200)
      })
    )

    it.effect("there are no more of them than the plan has", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        for (let number = 0; number < 3; number += 1) yield* subscribe(tenant)
        assertProblem(yield* as(tenant)("POST", path, erp), 403, "plan_limit_reached")
      })
    )
  })
