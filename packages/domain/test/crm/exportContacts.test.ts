import { assert, describe, it } from "@effect/vitest"
import { AuditLog, type Organization } from "@parley/domain/platform"
import {
  type Contact,
  createContact,
  exportContacts,
  normalizeName,
  joinTagNames,
  splitTagNames,
  type TagId,
  type TransferFormat
} from "@parley/domain/crm"
import type { Ports } from "@parley/domain/composition"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenContactField,
  givenOrganization,
  givenTag,
  TestKit
} from "@parley/testkit"
import { Arbitrary, Effect, Schema } from "effect"
import { everyone, importAll, tagNames, textOf } from "./importing.ts"

/** Each has a separate store, because workers serve all organizations. */
const alone = <A, E>(body: Effect.Effect<A, E, Ports>) => Effect.provide(body, TestKit.layer, { local: true })

const exported = (organization: Organization, format: TransferFormat = "csv") =>
  exportContacts({ format }).pipe(Effect.flatMap(textOf), asOwnerOf(organization), Effect.orDie)

const hostile = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.schema(
      Schema.Literals([
        "=1+1",
        "+",
        "-",
        "@x",
        "'",
        '"',
        ",",
        ";",
        "\\",
        "\\;",
        "a",
        "é",
        "🥐",
        "＝",
        "NULL",
        "\u200D",
        "0",
        "1e3",
        "true"
      ])
    ),
    { minLength: 1, maxLength: 6 }
  ),
  (pieces) => pieces.join("")
)

const prose = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.all({ text: hostile, between: Arbitrary.schema(Schema.Literals(["\n", "\r\n", "\t", " ", ""])) }),
    {
      minLength: 1,
      maxLength: 3
    }
  ),
  (pieces) => pieces.map(({ between, text }) => between + text).join("")
)

const people = Arbitrary.array(
  Arbitrary.all({
    name: hostile,
    note: prose,
    score: Arbitrary.schema(Schema.Literals([0, -1.5, 1e21, 1e-7, 123_456_789.123])),
    isKnown: Arbitrary.schema(Schema.Boolean),
    tags: Arbitrary.array(hostile, { maxLength: 3 }),
    marketing: Arbitrary.schema(Schema.Literals(["subscribed", "unsubscribed"]))
  }),
  { minLength: 1, maxLength: 5 }
)

const givenFields = Effect.fnUntraced(function* (organization: Organization) {
  yield* givenContactField(organization, "note")
  yield* givenContactField(organization, "score", { type: "number" })
  yield* givenContactField(organization, "known", { type: "boolean" })
})

const foldedOnce = (names: ReadonlyArray<string>) => [
  ...new Map(names.map((name) => [normalizeName(name), name])).values()
]

/** Exported data of a contact, without id and creation time. */
const input = (contact: Contact, names: ReadonlyMap<string, string>) => ({
  name: contact.name,
  phone: contact.phone,
  email: contact.email,
  locale: contact.locale,
  timezone: contact.timezone,
  attributes: contact.attributes,
  marketing: contact.consent.marketing,
  tags: contact.tags.map((id) => names.get(id) ?? "").toSorted()
})

const saidOf = Effect.fnUntraced(function* (organization: Organization) {
  const names = yield* tagNames(organization)
  return (yield* everyone(organization)).map((contact) => input(contact, names))
})

describe("an export", () => {
  it.effect.prop(
    "imports back without a change, and into another organization as the same",
    { people },
    ({ people }) =>
      alone(
        Effect.gen(function* () {
          const [from, into] = [yield* givenOrganization(), yield* givenOrganization()]
          for (const organization of [from, into]) yield* givenFields(organization)
          const tags = new Map<string, TagId>()
          for (const name of foldedOnce(people.flatMap((person) => person.tags))) {
            tags.set(normalizeName(name), (yield* givenTag(from, { name })).id)
          }
          let number = 0
          for (const { isKnown, marketing, name, note, score, tags: wanted } of people) {
            number += 1
            yield* createContact({
              name,
              // A contact with only a name is found by its id.
              ...(isKnown && {
                email: `p${number}@example.com`,
                phone: `+49151234567${String(number).padStart(2, "0")}`
              }),
              attributes: { note, score, known: isKnown },
              tags: [...new Set(wanted.flatMap((tag) => tags.get(normalizeName(tag)) ?? []))],
              marketing: { state: marketing, source: "form" }
            }).pipe(asOperatorOf(from), Effect.orDie)
          }
          for (const format of ["csv", "ndjson"] as const) {
            const before = yield* everyone(from)
            const text = yield* exported(from, format)
            const again = yield* importAll(from, text, { format })
            assert.deepStrictEqual(
              { ...again.counts },
              {
                rows: people.length,
                created: 0,
                updated: 0,
                unchanged: people.length,
                bad: 0,
                suppressed: 0,
                unknownIds: 0
              },
              text
            )
            assert.deepStrictEqual(yield* everyone(from), before)
          }
          yield* importAll(into, yield* exported(from), { createTags: true })
          assert.deepStrictEqual(yield* saidOf(into), yield* saidOf(from))
        })
      ),
    { arbitrary: { runs: 60, seed: "files" }, timeout: 60_000 }
  )

  it.effect.each(["csv", "ndjson"] as const)("leaves missing fields empty for every field name (%s)", (format) =>
    alone(
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* givenContactField(organization, "constructor")
        yield* givenContact(organization)
        const text = yield* exported(organization, format)
        assert.include(text, "attribute.constructor")
        assert.notInclude(text, "native code")
        if (format === "ndjson") assert.include(text, '"attribute.constructor":null')
      })
    )
  )

  it.effect("is recorded in the audit trail", () =>
    alone(
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* givenContact(organization)
        yield* exported(organization)
        const trail = yield* (yield* AuditLog)
          .list(
            { actorId: null, targetKind: null, targetId: null, action: "contacts.exported", from: null, to: null },
            { limit: 10, after: null }
          )
          .pipe(asOperatorOf(organization))
        assert.deepStrictEqual(
          trail.map(({ actor, after }) => [actor.kind, after]),
          [["user", { format: "csv" }]]
        )
      })
    )
  )
})

it.prop("names of tags that are joined come apart as they were", { names: Arbitrary.array(hostile) }, ({ names }) => {
  assert.deepStrictEqual(splitTagNames(joinTagNames(names)), names)
})
