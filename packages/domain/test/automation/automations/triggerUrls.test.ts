import { createHmac } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@parley/domain/kernel"
import { type Organization, setOrganizationPlan } from "@parley/domain/platform"
import {
  createContact,
  deleteContact,
  eraseContact,
  getContact,
  mergeContacts,
  updateContact
} from "@parley/domain/crm"
import { listNotes } from "@parley/domain/messaging"
import {
  type AutomationId,
  createAutomation,
  deleteAutomation,
  deleteTriggerUrl,
  disableAutomation,
  getTriggerUrl,
  type NewAutomation,
  rotateTriggerUrl,
  triggerAutomation,
  TriggerCallId,
  TriggerCalls,
  updateAutomationSettings
} from "@parley/domain/automation"
import { asOperatorOf, asOwnerOf, givenContact, givenConversation, givenOrganization, TestKit } from "@parley/testkit"
import { Clock, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

const definition = {
  when: { event: "webhook.received" },
  then: [{ type: "add_note", text: "Plan {{ webhook.customer.plan | default: 'none' }}" }]
} as const satisfies Omit<NewAutomation, "name">

const tokenIn = (url: Redacted.Redacted) => Redacted.make(Redacted.value(url).split("/").at(-1) ?? "")

const issue = (organization: Organization, id: AutomationId, signed = false) =>
  rotateTriggerUrl({ id, signed }).pipe(
    asOwnerOf(organization),
    Effect.map(({ signingSecret, url }) => ({ token: tokenIn(url), signingSecret }))
  )

/** An enabled automation with a trigger URL, and a contact with a conversation. */
const started = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { id } = yield* enabled(organization, definition)
  const { token } = yield* issue(organization, id)
  const contact = yield* givenContact(organization)
  const conversation = yield* givenConversation(organization, { contactId: contact.id })
  return { organization, id, token, contact, conversation }
})

type Started = Effect.Success<typeof started>

type Call = Parameters<typeof triggerAutomation>[0]

const call = ({ contact, id, token }: Pick<Started, "contact" | "id" | "token">, overrides: Partial<Call> = {}) =>
  triggerAutomation({ id, token, contact: { id: contact.id }, headers: {}, text: "", ...overrides })

const refusalOf = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag, message }) => `${_tag} ${message}` })

const textsIn = ({ conversation, organization }: Started) =>
  listNotes({ id: conversation.id, page: { limit: 10, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data.map(({ text }) => text))
  )

const unknownAutomation = "NotFound There is no automation with this id in this organization."

layer(TestKit.layer)("a trigger URL", (it) => {
  it.effect("starts a run with the data of the call, whose conditions and texts read it", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, organization } = world
      const large = yield* enabled(organization, {
        ...definition,
        if: {
          all: [
            { field: "webhook", key: "seats", op: "gte", value: 5 },
            { field: "webhook", key: "customer.plan", op: "is", value: "pro" },
            { field: "webhook", key: "tags", op: "contains", value: "new" },
            { field: "webhook", key: "customer.nothing", op: "is_not_set" }
          ]
        }
      })
      const { token } = yield* issue(organization, large.id)
      const data = { seats: 5, customer: { plan: "pro" }, tags: ["new"] }
      yield* call({ contact, id: large.id, token }, { data })
      yield* call({ contact, id: large.id, token }, { data: { ...data, seats: 4 } })
      yield* call(world)
      yield* settle(organization)
      assert.deepStrictEqual(yield* textsIn(world), ["Plan none", "Plan pro"])
      const runs = (yield* runsOf(organization, large)).toReversed()
      assert.deepStrictEqual(
        runs.map(({ event, state }) => [event.type, state]),
        [
          ["automation.triggered", "succeeded"],
          ["automation.triggered", "skipped"]
        ]
      )
      assert.lengthOf(yield* runsOf(organization, { id: world.id }), 1)
    })
  )

  it.effect("finds the contact by phone, e-mail or id, also after a merge, and creates none", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      const [phone, email] = ["+4930901820", "ada@example.com"]
      const inside = asOwnerOf(organization)
      const one = yield* createContact({ name: "Ada", phone, email }).pipe(inside)
      const part = yield* givenContact(organization)
      yield* mergeContacts({ id: one.id, contactId: part.id, ifVersion: null }).pipe(inside)
      yield* call(world, { contact: { phone } })
      yield* call(world, { contact: { email } })
      yield* call(world, { contact: { id: part.id } })
      yield* settle(organization)
      const runs = yield* runsOf(organization, world)
      assert.deepStrictEqual(
        runs.map(({ contactId }) => contactId),
        [one.id, one.id, one.id]
      )
      const missing = { email: "nobody@example.com" }
      assert.strictEqual(
        yield* refusalOf(call(world, { contact: missing })),
        "NotFound There is no contact with this email address in this organization."
      )
    })
  )

  it.effect("gives the same answer for a wrong token and for an automation that does not exist", () =>
    Effect.gen(function* () {
      const world = yield* started
      const other = yield* started
      const { id, organization, token } = world
      const text = Redacted.value(token)
      const forged = `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`
      const elsewhere = `${other.organization.id.replaceAll("-", "")}${text.slice(text.indexOf("."))}`
      const nowhere = `${OrganizationId.make(SecureRandom.uuidV7Unsafe()).replaceAll("-", "")}${text.slice(text.indexOf("."))}`
      for (const wrong of ["", "x", forged, elsewhere, nowhere, Redacted.value(other.token)]) {
        assert.strictEqual(yield* refusalOf(call(world, { token: Redacted.make(wrong) })), unknownAutomation, wrong)
      }
      assert.strictEqual(yield* refusalOf(call(world, { id: other.id })), unknownAutomation)
      const { id: bare } = yield* createAutomation({ name: "No URL" }).pipe(asOwnerOf(organization))
      assert.strictEqual(yield* refusalOf(call(world, { id: bare })), unknownAutomation)
      const { token: next } = yield* issue(organization, id)
      assert.strictEqual(yield* refusalOf(call(world)), unknownAutomation)
      assert.strictEqual(yield* refusalOf(call(world, { token: next })), "ok")
      yield* deleteTriggerUrl({ id }).pipe(asOwnerOf(organization))
      assert.strictEqual(yield* refusalOf(call(world, { token: next })), unknownAutomation)
      assert.include(yield* refusalOf(getTriggerUrl({ id }).pipe(asOwnerOf(organization))), "NotFound")
      yield* deleteAutomation({ id: other.id, ifVersion: null }).pipe(asOwnerOf(other.organization))
      assert.strictEqual(yield* refusalOf(call(other)), unknownAutomation)
    })
  )

  it.effect("cannot name a contact of another organization", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* started, yield* started]
      assert.include(yield* refusalOf(call(world, { contact: { id: other.contact.id } })), "contact")
    })
  )

  it.effect("reports calls that start nothing, and stores nothing of them", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, id, organization } = world
      const inside = asOwnerOf(organization)
      const ignored = Effect.map(call(world), (receipt) => receipt.ignored ?? receipt.callId)
      yield* updateContact({ id: contact.id, blocked: true, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* ignored, "contact_blocked")
      yield* updateContact({ id: contact.id, blocked: false, ifVersion: null }).pipe(inside)
      yield* disableAutomation({ id, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* ignored, "automation_disabled")
      const enabledAgain = yield* enabled(organization, {
        when: { event: "contact.created" },
        then: [{ type: "set_priority", priority: "high" }]
      })
      const { token } = yield* issue(organization, enabledAgain.id)
      const other = call({ contact, id: enabledAgain.id, token })
      assert.strictEqual((yield* other).ignored, "other_event")
      yield* updateAutomationSettings({ paused: true, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* ignored, "kill_switch")
      yield* setOrganizationPlan({ plan: "free" }).pipe(asOperatorOf(organization))
      assert.strictEqual(yield* ignored, "plan")
      yield* settle(organization)
      assert.isEmpty(yield* runsOf(organization, { id }))
    })
  )

  it.effect("starts once for an idempotency key, which replaces neither the token nor the signature", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { id, organization } = world
      const headers = { "idempotency-key": "form-1" }
      const first = yield* call(world, { headers })
      assert.isNull(first.ignored)
      assert.deepInclude(yield* call(world, { headers }), { callId: first.callId, ignored: "repeated" })
      assert.notStrictEqual((yield* call(world, { headers: { "idempotency-key": "form-2" } })).callId, first.callId)
      const { token } = yield* issue(organization, id, true)
      assert.strictEqual(yield* refusalOf(call(world, { headers })), unknownAutomation)
      assert.include(yield* refusalOf(call(world, { token, headers })), "TriggerSignatureInvalid")
      const { signed } = yield* rotateTriggerUrl({ id }).pipe(asOwnerOf(organization))
      assert.isTrue(signed)
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, { id }), 2)
    })
  )

  it.effect("forgets the data of a call with its contact", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, organization } = world
      const calls = yield* TriggerCalls
      const accepted = Effect.map(call(world, { data: { secret: "x" } }), ({ callId }) =>
        TriggerCallId.make(callId ?? "")
      )
      const id = yield* accepted
      const find = calls.find(id).pipe(asOperatorOf(organization))
      assert.deepStrictEqual((yield* find)?.data, { secret: "x" })
      yield* deleteContact({ id: contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.isNull(yield* find)
      yield* settle(organization)
      assert.include(yield* refusalOf(getContact({ id: contact.id }).pipe(asOwnerOf(organization))), "NotFound")
      yield* eraseContact({ id: contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.isNull(yield* find)
    })
  )

  it.effect("with a signing secret accepts each message id once, within five minutes, for the signed body only", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { id, organization } = world
      const { signingSecret, token } = yield* issue(organization, id, true)
      const key = Buffer.from(Redacted.value(signingSecret ?? Redacted.make("")).slice("whsec_".length), "base64")
      const signed = Effect.fnUntraced(function* (messageId: string, text: string, age = 0) {
        const timestamp = String(Math.floor((yield* Clock.currentTimeMillis) / 1_000) - age)
        const signature = createHmac("sha256", key).update(`${messageId}.${timestamp}.${text}`).digest("base64")
        return { "webhook-id": messageId, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` }
      })
      yield* TestClock.setTime(1_790_000_000_000)
      const text = '{"data":{"customer":{"plan":"pro"}}}'
      const send = (headers: Call["headers"], body = text) => call(world, { token, headers, text: body })
      const invalid = "TriggerSignatureInvalid"
      assert.include(yield* refusalOf(send({})), invalid)
      const first = yield* send(yield* signed("m-1", text))
      assert.isNotNull(first.callId)
      assert.deepInclude(yield* send(yield* signed("m-1", text, 10)), { callId: first.callId, ignored: "repeated" })
      const headers = yield* signed("m-2", text)
      assert.include(yield* refusalOf(send(headers, `${text} `)), invalid)
      assert.include(yield* refusalOf(send({ ...headers, "webhook-id": "m-3" })), invalid)
      assert.include(yield* refusalOf(send(yield* signed("", text))), invalid)
      assert.include(yield* refusalOf(send(yield* signed("m-4", text, 301))), invalid)
      assert.include(yield* refusalOf(send(yield* signed("m-4", text, -301))), invalid)
      assert.include(yield* refusalOf(send({ ...headers, "webhook-signature": "v1,AAAA" })), invalid)
      const second = yield* send({ ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` })
      assert.notStrictEqual(second.callId, first.callId)
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, { id }), 2)
    })
  )
})
