import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactField, ContactFieldId, ContactFields, FieldType } from "@parley/domain/crm"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"
import { evening, givenField, idsOf, inNewOrganization, newField } from "./given.ts"

const insert = (field: ContactField) => Effect.flatMap(ContactFields, (fields) => transact(fields.insert(field)))

const save = (field: ContactField, expected: number | null) =>
  Effect.flatMap(ContactFields, (fields) => transact(fields.save(field, expected)))

const remove = (id: ContactFieldId) => Effect.flatMap(ContactFields, (fields) => transact(fields.remove(id)))

const everyField = Effect.flatMap(ContactFields, (fields) => fields.all())

export const contactFields: StorageContract = {
  port: "ContactFields",
  promises: (it) => {
    it.effect("keeps one tenant's fields out of another's sight and reach", () =>
      Effect.gen(function* () {
        const fields = yield* ContactFields
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const field = yield* givenField().pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(fields.get(field.id)))._tag, "NotFound")
          assert.lengthOf(yield* everyField, 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(field, expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(remove(field.id)))._tag, "NotFound")
          yield* givenField({ key: field.key })
        }).pipe(inside(other))
        assert.deepStrictEqual((yield* everyField.pipe(inside(one))).map(plain.contactField), [
          plain.contactField(field)
        ])
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const fields = yield* ContactFields
        const [kept, saved] = [yield* givenField({ key: "a" }), yield* givenField({ key: "b" })]
        yield* fields
          .insert(newField({ key: "c" }))
          .pipe(
            Effect.andThen(fields.save(new ContactField({ ...saved, name: "Renamed" }), 1)),
            Effect.andThen(fields.remove(kept.id)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        assert.deepStrictEqual((yield* everyField).map(plain.contactField), [kept, saved].map(plain.contactField))
      }).pipe(inNewOrganization)
    )

    it.effect("keeps fields of every type, oldest first, including those in deletion", () =>
      Effect.gen(function* () {
        const fields = yield* ContactFields
        const made = FieldType.literals.map((type) =>
          newField({
            type,
            key: `f_${type}`,
            choices: type === "enum" ? ["b", "A", "ü “%_\\” 🥐", "a"] : null,
            status: type === "date" ? "deleting" : "active"
          })
        )
        for (const field of made.toReversed()) yield* insert(field)
        assert.deepStrictEqual((yield* everyField).map(plain.contactField), made.map(plain.contactField))
        for (const field of made) {
          assert.deepStrictEqual(plain.contactField(yield* fields.get(field.id)), plain.contactField(field))
        }
      }).pipe(inNewOrganization)
    )

    it.effect("stores what changed, and raises the version by one", () =>
      Effect.gen(function* () {
        const fields = yield* ContactFields
        const field = yield* givenField({ type: "enum", choices: ["one"] })
        const changed = new ContactField({
          ...field,
          name: "Another “%_\\” 🥐",
          choices: ["two", "one"],
          status: "deleting",
          updatedAt: evening
        })
        const expected = { ...plain.contactField(changed), version: 2 }
        assert.deepStrictEqual(plain.contactField(yield* save(changed, 1)), expected)
        assert.deepStrictEqual(plain.contactField(yield* fields.get(field.id)), expected)
        assert.strictEqual((yield* save(changed, null)).version, 3)
      }).pipe(inNewOrganization)
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        const field = yield* givenField()
        yield* save(field, 1)
        for (const expected of [1, 3]) {
          const error = yield* Effect.flip(save(field, expected))
          assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
          assert.strictEqual((yield* Effect.flip(save(newField({ key: "other" }), expected)))._tag, "NotFound")
        }
        assert.strictEqual((yield* Effect.flip(remove(freshId(ContactFieldId))))._tag, "NotFound")
        yield* remove(field.id)
        assert.strictEqual((yield* Effect.flip(remove(field.id)))._tag, "NotFound")
      }).pipe(inNewOrganization)
    )

    it.effect("refuses a used key regardless of case, also of a field in deletion", () =>
      Effect.gen(function* () {
        const field = yield* givenField({ key: "cityName", status: "deleting" })
        for (const key of ["cityName", "cityname"]) {
          const error = yield* Effect.flip(insert(newField({ key })))
          assert.strictEqual(error.id, field.id)
        }
        yield* remove(field.id)
        yield* insert(newField({ key: "cityname" }))
        assert.lengthOf(yield* everyField, 1)
      }).pipe(inNewOrganization)
    )

    it.effect("only the first of many concurrent users of a key gets it", () =>
      Effect.gen(function* () {
        const rivals = Array.from({ length: 10 }, () => newField())
        const outcomes = yield* Effect.forEach(rivals, (field) => Effect.option(insert(field)), {
          concurrency: "unbounded"
        })
        assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Some").length, 1)
        const [winner, ...others] = idsOf(yield* everyField)
        assert.lengthOf(others, 0)
        assert.include(idsOf(rivals), winner)
      }).pipe(inNewOrganization)
    )
  }
}

export const contactFieldsContract = runContract(contactFields)
