import { assert } from "@effect/vitest"
import { type Permission, viewPermissions } from "@parley/domain/kernel"
import { PhoneNumber } from "@parley/domain/crm"
import type { Ports } from "@parley/domain/composition"
import { givenCommerce, givenConversation, givenNote, givenReceived } from "@parley/testkit"
import { Effect, type Layer } from "effect"
import { at, rowsOf } from "../harness/answers.ts"
import { endpoints } from "../harness/contract.ts"
import { as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { permissionOf } from "../harness/declarations.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenContact, givenContactField, givenTenant, type Tenant } from "../harness/tenants.ts"

const inTenants = endpoints.flatMap((endpoint) => {
  const permission = permissionOf(endpoint)
  return permission !== null && endpoint.admission.endsWith("organization") ? [{ ...endpoint, permission }] : []
})

interface LifeDetails {
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly timezone: string
  readonly city: string
}

const emmy: LifeDetails = {
  name: "Emmy Noether",
  phone: "+491701239999",
  email: "emmy@invariants.example",
  timezone: "Europe/Berlin",
  city: "Erlangen, Hauptstraße 23"
}

const maryam: LifeDetails = {
  name: "Maryam Mirzakhani",
  phone: "+16501239999",
  email: "maryam@surfaces.example",
  timezone: "America/Los_Angeles",
  city: "Stanford"
}

/** A contact with a message, a note and an order. */
const givenLife = Effect.fnUntraced(function* (tenant: Tenant, details: LifeDetails = emmy) {
  const { organization } = tenant
  const { city, email, name, phone, timezone } = details
  const field = yield* givenContactField(organization)
  const contact = yield* givenContact(organization, {
    name,
    phone: PhoneNumber.make(phone),
    email,
    timezone,
    attributes: { [field.key]: city }
  })
  const recipient = { kind: "phone", value: phone } as const
  const conversation = yield* givenConversation(organization, { contactId: contact.id, recipient })
  yield* givenReceived(organization, conversation, { text: "Symmetry delivered late" })
  yield* givenNote(organization, conversation)
  yield* givenCommerce(organization, contact.id)
})

const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

const ofRows = (rows: ReadonlyArray<unknown>, ...fields: ReadonlyArray<string>) =>
  rows.flatMap((row) => fields.flatMap((field) => textsIn(at(row, field))))

/** All personal data of the tenant's contacts, by the permission that shows it. */
const personalDataOf = Effect.fnUntraced(function* (tenant: Tenant) {
  const send = as(tenant)
  const contacts = rowsOf(yield* send("GET", "/contacts?limit=100"))
  const conversations = rowsOf(yield* send("GET", "/conversations?limit=100"))
  const customers = rowsOf(yield* send("GET", "/commerce/customers?limit=100"))
  const written: Array<unknown> = []
  for (const conversation of conversations) {
    const path = `/conversations/${String(at(conversation, "id"))}`
    written.push(...rowsOf(yield* send("GET", `${path}/messages?limit=100`)))
    written.push(...rowsOf(yield* send("GET", `${path}/notes?limit=100`)))
  }
  const identities = contacts.flatMap((contact) => ofRows(at(contact, "identities") as ReadonlyArray<unknown>, "value"))
  return [
    ["contacts.read", [...ofRows(contacts, "name", "phone", "email", "attributes"), ...identities]],
    ["conversations.read", ofRows(written, "text")],
    ["commerce.read", ofRows(customers, "name", "phone", "email")]
  ] as const satisfies ReadonlyArray<readonly [Permission, ReadonlyArray<string>]>
})

const dataPermissions: ReadonlyArray<Permission> = ["contacts.read", "conversations.read", "commerce.read"]

/** Ids, also of the provider, tokens, cursors, keys, PINs and phone numbers of recipes differ between tenants. */
const madeAnew =
  /whsec_[\w+/=]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{20,}(?:\.[\w-]+)*|(?<="registrationPin":")\d{6}|f[0-9a-f]{32}|50{9}\d{3}|\+491(?:51|70)\d{8}|\+1555\d{7}/gu

/** Answer to a token with the permission of the endpoint alone, in a tenant with this contact. */
const answerWith = Effect.fnUntraced(function* (endpoint: (typeof inTenants)[number], details: LifeDetails) {
  const tenant = yield* givenTenant()
  yield* givenLife(tenant, details)
  const { path, ...request } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
  const { token } = yield* givenAutomationToken(tenant, [endpoint.permission])
  const { status, text } = yield* call(endpoint.method, path, { ...request, token })
  return { status, text: text.replaceAll(madeAnew, "…") }
})

/** Calls each endpoint with a token that holds only the permission of that endpoint. */
export const narrowTokensSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(inTenants)("$id with $permission alone shows no data of contacts", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* givenLife(tenant)
        const { path, ...request } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const before = yield* personalDataOf(tenant)
        const { token } = yield* givenAutomationToken(tenant, [endpoint.permission])
        const answer = yield* call(endpoint.method, path, { ...request, token })
        assert.isBelow(answer.status, 500)
        const input = JSON.stringify([path, request.body ?? null])
        for (const [needed, texts] of before) {
          if (viewPermissions(needed).includes(endpoint.permission)) continue
          assert.isNotEmpty(texts)
          for (const text of texts) if (!input.includes(text)) assert.notInclude(answer.text, text)
        }
      })
    )

    const shown = new Set(dataPermissions.flatMap(viewPermissions))
    const others = inTenants.filter(({ permission }) => !shown.has(permission))

    it.effect.each(others)("$id with $permission alone is the same for another contact", (endpoint) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* answerWith(endpoint, maryam), yield* answerWith(endpoint, emmy))
      })
    )
  })
