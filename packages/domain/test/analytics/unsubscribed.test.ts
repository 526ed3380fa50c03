import { env } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import {
  EventLog,
  consumeLog,
  type Organization,
  EventConsumerDirectory,
  EventConsumers
} from "@parley/domain/platform"
import {
  changeContacts,
  type Consent,
  type Contact,
  type ConsentChange,
  ContactHistory,
  type ContactId,
  type ContactMergeId,
  createContact,
  deleteContact,
  dismissDuplicate,
  eraseContact,
  hasConsentChanged,
  mergeContacts,
  noConsent,
  unmergeContacts,
  updateContact
} from "@parley/domain/crm"
import { linkStoreCustomer, listStoreCustomers, receiveCustomers } from "@parley/domain/commerce"
import { RollupStore, checkAnalytics, countingEventConsumer, wholeOrganization } from "@parley/domain/analytics"
import { layerEventConsumers } from "@parley/domain/composition"
import {
  applyReportedEvents,
  asOperatorOf,
  givenNumber,
  givenOrganization,
  givenStore,
  TestKit,
  type ReportedEvent
} from "@parley/testkit"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { everyone, importAll } from "../crm/importing.ts"
import { customerRecord } from "../commerce/given.ts"

/** Number of generated histories. The variable raises it. */
const runs = Number(env["PARLEY_CONSENT_HISTORIES"] ?? 25)

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const step = <const Kind extends string, F extends Schema.Struct.Fields>(kind: Kind, fields: F) =>
  Schema.Struct({ kind: Schema.Literal(kind), ...fields })

const person = upTo(3)
const state = Schema.Literals(["subscribed", "unsubscribed", "unknown"])
const declared = Schema.Literals(["STOP", "START", "Hello"])

/** All changes of consent, and all moves of contacts between each other. */
const Step = Schema.Union([
  step("wrote", { person, words: Schema.Array(declared).check(Schema.isBetweenLength(1, 3)) }),
  step("wroteAs", { person, other: person, word: declared }),
  step("preferred", { person, marketing: Schema.Literals(["stop", "resume"]), ago: upTo(3) }),
  step("refused", { person }),
  step("called", { person, state, evidence: Schema.Boolean }),
  step("added", { person, state }),
  step("changedInBulk", { state, evidence: Schema.Boolean }),
  step("imported", { person, state, other: person }),
  step("merged", { person, other: person }),
  step("unmerged", {}),
  step("dismissed", { person, other: person }),
  step("shopped", { person, state, customer: upTo(2), ago: upTo(3) }),
  step("linked", { person, customer: upTo(2) }),
  step("unlinked", { customer: upTo(2) }),
  step("renumbered", { person }),
  step("deleted", { person }),
  step("erased", { person }),
  step("waited", {})
])
type Step = typeof Step.Type

const History = Schema.Array(Step).check(Schema.isBetweenLength(10, 40))

const phoneOf = (who: number) => `+4930555000${who}`
const chatUserOf = (who: number) => `DE.${who}`

/** Steps that change consent without a declaration of the contact. */
const isByOther = ({ kind }: Step) => kind === "imported" || kind === "merged" || kind === "unmerged"

interface Seen {
  readonly contacts: ReadonlyMap<ContactId, Contact>
  readonly entries: ReadonlyMap<ContactId, ReadonlyArray<ConsentChange>>
}

const everything = { limit: 10_000, after: null }

const look = Effect.fnUntraced(function* (organization: Organization) {
  const found = yield* everyone(organization)
  const history = yield* ContactHistory
  const entries = yield* Effect.forEach(found, ({ id }) =>
    Effect.map(
      history.consents(id, everything).pipe(asOperatorOf(organization)),
      (changes) => [id, changes.toReversed()] as const
    )
  )
  return { contacts: new Map(found.map((each) => [each.id, each])), entries: new Map(entries) } satisfies Seen
})

const nameOf = ({ at, contactId, evidence, source, state }: ConsentChange) =>
  [contactId, state, source, evidence, DateTime.formatIso(at)].join(" ")

const consentOf = ({ at, source, state }: ConsentChange): Consent => ({ marketing: state, source, changedAt: at })

/** Consent of a contact at its creation. A declaration in the same step comes later. */
const consentAtBirth = (entries: ReadonlyArray<ConsentChange>): Consent => {
  const [first] = entries
  return first === undefined || first.source.startsWith("chat_") ? noConsent : consentOf(first)
}

/**
 * Compares the ledger with the consent of all contacts before and after a step. The ledger must gain one entry for each change, and no other entry.
 * Returns the contacts that the ledger shows as newly unsubscribed.
 */
const recount = (before: Seen, after: Seen, merged: ReadonlySet<string>): ReadonlyArray<ContactId> => {
  const known = new Set([...before.entries.values()].flat().map(({ id }) => id))
  return Array.from(after.contacts).flatMap(([id, contact]) => {
    const all = after.entries.get(id) ?? []
    const gained = all.filter((entry) => !known.has(entry.id))
    if (merged.has(id)) return []
    const first = before.contacts.get(id)?.consent ?? consentAtBirth(gained)
    const isBorn = !before.contacts.has(id)
    assert.strictEqual(new Set(gained.map(nameOf)).size, gained.length, "one entry for each fact")
    if (isBorn) assert.strictEqual(gained.length > 0, hasConsentChanged(null, contact.consent))
    else if (!hasConsentChanged(first, contact.consent)) assert.deepStrictEqual(gained.map(nameOf), [])
    const last = gained.at(-1)
    if (last !== undefined) assert.deepStrictEqual(consentOf(last), { ...contact.consent })
    const to = last?.state ?? first.marketing
    return first.marketing !== "unsubscribed" && to === "unsubscribed" ? [id] : []
  })
}

describe("contacts.unsubscribed", () => {
  it.effect.prop(
    "equals a recount of the ledger after any sequence of consent changes",
    { history: History },
    ({ history }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-28T20:00:00Z")))
        const organization = yield* givenOrganization({ plan: "scale" })
        const within = asOperatorOf(organization)
        const number = yield* givenNumber(organization)
        const store = yield* givenStore(organization, {
          connectedAt: DateTime.makeUnsafe("2026-03-01T06:00:00Z"),
          makeContacts: "reachable",
          takeConsent: true
        })
        yield* (yield* EventConsumerDirectory).add([countingEventConsumer.name], yield* DateTime.now)
        const merges: Array<{ readonly id: ContactId; readonly mergeId: ContactMergeId }> = []
        let messages = 0

        const log = within(Effect.flatMap(EventLog, (events) => events.list("all", everything)))
        const holderOf = (who: number) =>
          Effect.map(everyone(organization), (found) =>
            found.find(({ identities }) => identities.some(({ value }) => value === phoneOf(who)))
          )
        const withHolder = <A, E, R>(who: number, use: (contact: Contact) => Effect.Effect<A, E, R>) =>
          Effect.flatMap(holderOf(who), (contact) =>
            contact === undefined ? Effect.void : Effect.asVoid(use(contact))
          )
        const customerIn = (place: number) =>
          Effect.map(
            listStoreCustomers({
              storeConnectionId: null,
              contactId: null,
              updatedSince: null,
              q: null,
              page: { limit: 50, cursor: null }
            }).pipe(within),
            ({ data }) => data.find(({ externalId }) => externalId === String(place))
          )
        const consentSaid = (state: typeof Consent.Type.marketing, hasEvidence: boolean) => ({
          state,
          source: "form",
          ...(hasEvidence && { evidence: "They said so." })
        })
        const result = (...events: ReadonlyArray<ReportedEvent>) => within(applyReportedEvents(events))
        const message = (who: number, word: string, at: DateTime.Utc, other?: number): ReportedEvent => ({
          kind: "message",
          phoneId: number.externalPhoneId,
          id: `in-${(messages += 1)}`,
          at,
          from: { phone: phoneOf(who), chatUser: other === undefined ? null : chatUserOf(other), name: null },
          content: { kind: "text", text: word },
          replyTo: null,
          fromAdvertisement: false
        })

        const take = Effect.fnUntraced(function* (each: Step): Effect.fn.Return<void, unknown, unknown> {
          const now = yield* DateTime.now
          const at = "ago" in each ? DateTime.subtract(now, { minutes: each.ago }) : now
          switch (each.kind) {
            case "wrote":
              return yield* result(
                ...each.words.map((word, place) =>
                  message(each.person, word, DateTime.add(now, { seconds: place - each.words.length }))
                )
              )
            case "wroteAs":
              return yield* result(message(each.person, each.word, now, each.other))
            case "preferred":
              return yield* result({
                kind: "preference",
                phoneId: number.externalPhoneId,
                at,
                from: { phone: phoneOf(each.person), chatUser: null },
                marketing: each.marketing
              })
            case "refused":
              return yield* result({
                kind: "receipt",
                phoneId: number.externalPhoneId,
                at,
                id: `out-${(messages += 1)}`,
                status: "failed",
                to: { phone: phoneOf(each.person), chatUser: null },
                reference: null,
                error: { code: 131_050, reason: "Opted out", remedy: "opt_out" }
              })
            case "called":
              return yield* withHolder(each.person, ({ id }) =>
                Effect.ignore(
                  updateContact({ id, marketing: consentSaid(each.state, each.evidence), ifVersion: null }).pipe(within)
                )
              )
            case "added":
              return yield* Effect.ignore(
                createContact({ phone: phoneOf(each.person), marketing: consentSaid(each.state, false) }).pipe(within)
              )
            case "changedInBulk": {
              const ids = (yield* everyone(organization)).map(({ id }) => id)
              if (ids.length === 0) return
              const change = { action: "consent", marketing: consentSaid(each.state, each.evidence) } as const
              yield* changeContacts({ change, target: { ids } }).pipe(within)
              return
            }
            case "imported": {
              const rows = [
                `${phoneOf(each.person)},${each.state}`,
                `${phoneOf(each.person)},${each.state}`,
                `${phoneOf(each.other)},`
              ]
              yield* importAll(organization, ["phone,marketing", ...rows, ""].join("\n"))
              return
            }
            case "merged": {
              const [one, other] = [yield* holderOf(each.person), yield* holderOf(each.other)]
              if (one === undefined || other === undefined || one.id === other.id) return
              merges.push({
                ...(yield* within(mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }))),
                id: one.id
              })
              return
            }
            case "unmerged": {
              const merge = merges.pop()
              if (merge !== undefined)
                yield* Effect.ignore(within(unmergeContacts({ id: merge.id, mergeId: merge.mergeId, ifVersion: null })))
              return
            }
            case "dismissed": {
              const [one, other] = [yield* holderOf(each.person), yield* holderOf(each.other)]
              if (one === undefined || other === undefined) return
              return yield* Effect.ignore(within(dismissDuplicate({ id: one.id, otherId: other.id })))
            }
            case "shopped": {
              const record = customerRecord({
                externalId: String(each.customer),
                phones: [phoneOf(each.person)],
                email: null,
                smsConsent: { state: each.state, at },
                updatedAt: now
              })
              yield* receiveCustomers(store, [record]).pipe(within)
              return
            }
            case "linked": {
              const customer = yield* customerIn(each.customer)
              if (customer === undefined) return
              return yield* withHolder(each.person, ({ id }) =>
                linkStoreCustomer({ id: customer.id, contactId: id }).pipe(within)
              )
            }
            case "unlinked": {
              const customer = yield* customerIn(each.customer)
              if (customer !== undefined) yield* linkStoreCustomer({ id: customer.id, contactId: null }).pipe(within)
              return
            }
            case "renumbered":
              return yield* withHolder(each.person, ({ id }) =>
                Effect.ignore(
                  updateContact({ id, addIdentities: [{ kind: "external", value: "x" }], ifVersion: null }).pipe(within)
                )
              )
            case "deleted":
              return yield* withHolder(each.person, ({ id }) => within(deleteContact({ id, ifVersion: null })))
            case "erased":
              return yield* withHolder(each.person, ({ id }) => within(eraseContact({ id, ifVersion: null })))
            case "waited":
              return yield* TestClock.adjust("10 minutes")
          }
        }) as (each: Step) => Effect.Effect<void>

        let expected = 0
        for (const each of history) {
          yield* TestClock.adjust("1 second")
          const [before, position] = [yield* look(organization), (yield* log).length]
          yield* take(each)
          const after = yield* look(organization)
          const merged = new Set<string>(
            (yield* log)
              .slice(position)
              .flatMap(({ event }) =>
                event.type === "contact.merged"
                  ? [String(event.contactId)]
                  : event.type === "contact.unmerged"
                    ? [String(event.contactId), String(event.restoredId)]
                    : []
              )
          )
          const optedOut = recount(before, after, merged)
          if (!isByOther(each)) expected += optedOut.length
        }

        yield* Effect.gen(function* () {
          const consumer = (yield* EventConsumers).get(countingEventConsumer.name)
          if (consumer === undefined) return assert.fail("nobody counts")
          yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
        }).pipe(Effect.provide(layerEventConsumers), within)
        const counted = yield* within(
          Effect.gen(function* () {
            const rollups = yield* RollupStore
            const state = yield* rollups.find()
            if (state === null) return 0
            const days = yield* rollups.days(state.version, wholeOrganization, "2020-01-01", "2030-01-01")
            return days.reduce(
              (sum, { amount, figure }) => (figure === "contacts.unsubscribed" ? sum + amount : sum),
              0
            )
          })
        )
        assert.strictEqual(counted, expected)
        assert.isEmpty((yield* within(checkAnalytics())).differences)
      }).pipe(Effect.provide(TestKit.layer)),
    { arbitrary: { runs, seed: "consent" }, timeout: 600_000 }
  )
})
