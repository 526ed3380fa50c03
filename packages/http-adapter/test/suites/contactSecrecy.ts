import { assert } from "@effect/vitest"
import type { Permission } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import type { Ports } from "@parley/domain/composition"
import { givenAutomationRun, givenCommerce, givenConversation, givenMessage, givenReceived } from "@parley/testkit"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at } from "../harness/answers.ts"
import { givenReadyBroadcast } from "../harness/campaigns.ts"
import { addedId, as } from "../harness/crm.ts"
import { type Answer, call } from "../harness/Http.ts"
import { givenNumber, givenTemplate } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomation, givenAutomationToken, givenTenant, type Tenant } from "../harness/tenants.ts"

const person = {
  name: "Hypatia of Alexandria",
  phone: "+491701239876",
  email: "hypatia@museion.example",
  text: "The astrolabe arrived broken"
} as const

const secrets = Object.values(person)

const secretsIn = ({ text }: Answer) => secrets.filter((secret) => text.includes(secret))

const dear = {
  components: { body: { text: "Dear {{1}}", examples: { "1": "Ada" } } },
  variables: [{ key: "body.1", in: "body", kind: "text" }]
} as const

/** A tenant with one contact, a conversation and its messages. */
const givenAcquaintance = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const { email, name, phone, text } = person
  const marketing = { state: "subscribed", source: "form" }
  const contactId = ContactId.make(yield* addedId(tenant, "/contacts", { name, phone, email, marketing }))
  const recipient = { kind: "phone", value: phone } as const
  const conversation = yield* givenConversation(tenant.organization, { contactId, recipient })
  const { position } = yield* givenReceived(tenant.organization, conversation, { text, raw: { from: phone } })
  const sent = yield* givenMessage(tenant.organization, conversation, {
    direction: "outbound",
    status: "sent",
    text: null,
    recipient
  })
  return { tenant, contactId, conversation, position, sent }
})

type Acquaintance = Effect.Success<typeof givenAcquaintance>

const withToken = Effect.fnUntraced(function* (tenant: Tenant, ...permissions: ReadonlyArray<Permission>) {
  const { token } = yield* givenAutomationToken(tenant, permissions)
  return (method: string, path: string, body?: unknown) =>
    call(method, `/api/v1${path}`, { token, organization: tenant.organization.id, ...(body !== undefined && { body }) })
})

/** One way to read a contact's data with a permission that does not show it. */
interface Attack {
  readonly endpoint: string
  readonly held: Permission
  /** Data that the permission shows. */
  readonly allowed: ReadonlyArray<keyof typeof person>
  readonly request: (
    given: Acquaintance
  ) => Effect.Effect<{ readonly method: string; readonly path: string; readonly body?: unknown }, unknown, Ports>
}

const read = (path: string) => Effect.succeed({ method: "GET", path })

const attacks: ReadonlyArray<Attack> = [
  {
    endpoint: "broadcasts.preview",
    held: "broadcasts.manage",
    allowed: [],
    request: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const { id: chatAccountId } = yield* givenNumber(organization)
        const { id: templateId } = yield* givenTemplate(organization, { chatAccountId, ...dear })
        const source = "{{ name }} {{ email }} {{ phone }}"
        const body = {
          chatAccountId,
          templateId,
          audience: {},
          variables: { "body.1": { kind: "liquid", source } }
        }
        return { method: "POST", path: "/broadcasts/audience_preview", body }
      })
  },
  {
    endpoint: "automations.getRun",
    held: "automations.read",
    allowed: [],
    request: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const { id } = yield* givenAutomation(organization)
        const run = yield* givenAutomationRun(organization, id, {
          conditions: { any: [{ field: "phone", op: "is", saw: person.phone, held: false }], held: false }
        })
        return { method: "GET", path: `/automations/${id}/runs/${run.id}` }
      })
  },
  {
    endpoint: "automations.listRuns",
    held: "automations.manage",
    allowed: [],
    request: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const { id } = yield* givenAutomation(organization)
        yield* givenAutomationRun(organization, id, {
          conditions: { not: { field: "name", op: "is", saw: person.name, held: false }, held: true }
        })
        return { method: "GET", path: `/automations/${id}/runs` }
      })
  },
  {
    endpoint: "conversations.list",
    held: "conversations.read",
    allowed: ["text"],
    request: () => read("/conversations?expand=contact")
  },
  {
    endpoint: "conversations.update",
    held: "conversations.manage",
    allowed: ["text"],
    request: ({ conversation }) =>
      Effect.succeed({ method: "PATCH", path: `/conversations/${conversation.id}`, body: { priority: "high" } })
  },
  {
    endpoint: "messages.list",
    held: "conversations.read",
    allowed: ["text"],
    request: ({ conversation }) => read(`/conversations/${conversation.id}/messages`)
  },
  {
    endpoint: "messages.get",
    held: "conversations.read",
    allowed: ["text"],
    request: ({ conversation, sent }) => read(`/conversations/${conversation.id}/messages/${sent.id}`)
  },
  {
    endpoint: "messages.search",
    held: "conversations.read",
    allowed: ["text"],
    request: () => read("/messages?q=astrolabe")
  },
  { endpoint: "audit.list", held: "audit.read", allowed: [], request: () => read("/audit_events?limit=100") },
  {
    endpoint: "contacts.timeline",
    held: "contacts.read",
    allowed: ["name", "phone", "email"],
    request: ({ contactId }) => read(`/contacts/${contactId}/timeline`)
  }
]

/** Contact data for callers with the permission of the endpoint alone. */
export const contactSecrecySuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(attacks)("$endpoint with $held does not show it", ({ allowed, held, request }) =>
      Effect.gen(function* () {
        const given = yield* givenAcquaintance
        const { body, method, path } = yield* Effect.orDie(request(given))
        const full = yield* as(given.tenant)(method, path, body)
        assert.isNotEmpty(secretsIn(full), full.text)
        const send = yield* withToken(given.tenant, held)
        const narrow = yield* send(method, path, body)
        if (narrow.status === 403) return assertProblem(narrow, 403, "permission_denied")
        assertStatus(narrow, full.status)
        const shown = new Set<string>(allowed.map((field) => person[field]))
        assert.deepStrictEqual(
          secretsIn(narrow).filter((secret) => !shown.has(secret)),
          []
        )
      })
    )

    it.effect("a preview keeps its counts and hides the sample", () =>
      Effect.gen(function* () {
        const given = yield* givenAcquaintance
        const { organization } = given.tenant
        const { id: chatAccountId } = yield* givenNumber(organization)
        const { id: templateId } = yield* givenTemplate(organization, { chatAccountId, ...dear })
        const previewWith = (value: object) => ({
          chatAccountId,
          templateId,
          audience: {},
          variables: { "body.1": value }
        })
        const path = "/broadcasts/audience_preview"
        const send = yield* withToken(given.tenant, "broadcasts.manage")
        const preview = yield* send("POST", path, previewWith({ kind: "constant", value: "friend" }))
        assertStatus(preview, 200)
        assert.deepStrictEqual(at(preview.body, "sample"), [
          { contactId: given.contactId, address: null, preview: null }
        ])
        assert.strictEqual(preview.body.toSend, 1)
        const both = yield* withToken(given.tenant, "broadcasts.manage", "contacts.read")
        const named = previewWith({ kind: "liquid", source: "{{ name }} {{ email }} {{ phone }}" })
        assertProblem(yield* send("POST", path, named), 403, "permission_denied")
        assert.sameMembers(secretsIn(yield* both("POST", path, named)), [person.name, person.phone, person.email])
      })
    )

    it.effect("hides the customer of a store when a contact is linked to it", () =>
      Effect.gen(function* () {
        const { contactId, tenant } = yield* givenAcquaintance
        const { customer } = yield* givenCommerce(tenant.organization)
        const path = `/commerce/customers/${customer.id}/contact`
        const send = yield* withToken(tenant, "contacts.manage")
        const linked = yield* send("PUT", path, { contactId })
        if (linked.status === 403) return assertProblem(linked, 403, "permission_denied")
        assertStatus(linked, 200)
        const { email, locale, name, phone, tags } = linked.body
        assert.deepStrictEqual(
          { email, locale, name, phone, tags },
          { email: null, locale: null, name: null, phone: null, tags: [] }
        )
        assert.strictEqual(linked.body.contactId, contactId)
        const both = yield* withToken(tenant, "contacts.manage", "commerce.read")
        assert.strictEqual((yield* both("PUT", path, { contactId })).body.name, customer.name)
      })
    )

    it.effect("refuses a test broadcast, because its results show opt-outs and the values of a contact", () =>
      Effect.gen(function* () {
        const { contactId, tenant } = yield* givenAcquaintance
        const { id } = yield* givenReadyBroadcast(tenant.organization)
        const path = `/broadcasts/${id}/test`
        const body = { to: ["+491701112233"], contactId }
        const send = yield* withToken(tenant, "broadcasts.send")
        const both = yield* withToken(tenant, "broadcasts.send", "contacts.read")
        for (const input of [body, { to: body.to }]) {
          const refused = yield* send("POST", path, input)
          assertProblem(refused, 403, "permission_denied")
          assert.strictEqual(refused.body.permission, "contacts.read")
          assertStatus(yield* both("POST", path, input), 200)
        }
      })
    )
  })
