import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contacts, createTag, Tags } from "@parley/domain/crm"
import { asOperatorOf, givenContact, givenOrganization } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { givenNodes } from "../support/nodes.ts"
import { somebodyWaits } from "../support/somebodyWaits.ts"

const slow = 60_000

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const [first, second] = [yield* givenContact(organization), yield* givenContact(organization)]
  const tag = yield* createTag({ name: "Bread" }).pipe(asOperatorOf(organization))
  const held = yield* Deferred.make<void>()
  const go = yield* Deferred.make<void>()
  const link = (contact: { readonly id: typeof first.id }) =>
    Effect.flatMap(Contacts, (contacts) => contacts.tag([contact.id], [tag.id], DateTime.makeUnsafe(0)))
  // A unit of work that has tagged a contact and does not end.
  const holder = yield* Effect.forkChild(
    transact(
      Effect.gen(function* () {
        yield* link(first)
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(go)
      })
    ).pipe(asOperatorOf(organization))
  )
  yield* Deferred.await(held)
  return { organization, second, tag, link, end: Effect.andThen(Deferred.succeed(go, undefined), Fiber.join(holder)) }
})

describe("the number of contacts of a tag", () => {
  it.effect(
    "is counted without a lock between writers, in few rows",
    () =>
      Effect.gen(function* () {
        const [node] = yield* givenNodes(1)
        yield* Effect.gen(function* () {
          const { end, link, organization, second, tag } = yield* given
          yield* transact(link(second)).pipe(asOperatorOf(organization))
          const count = Effect.map(
            Effect.flatMap(Tags, (tags) => tags.get(tag.id)).pipe(asOperatorOf(organization)),
            ({ contactCount }) => contactCount
          )
          assert.strictEqual(yield* count, 1)
          yield* end
          assert.strictEqual(yield* count, 2)
          const sql = yield* SqlClient.SqlClient
          const rows = sql`SELECT FROM tag_counts WHERE tag_id = ${tag.id}`
          assert.lengthOf(yield* rows, 2)
          const third = yield* givenContact(organization)
          yield* transact(link(third)).pipe(asOperatorOf(organization))
          assert.lengthOf(yield* rows, 1)
          assert.strictEqual(yield* count, 3)
        }).pipe(Effect.provide(node ?? assert.fail()))
      }),
    slow
  )

  it.effect(
    "does not change after the tag was removed, because the removal waits for writers",
    () =>
      Effect.gen(function* () {
        const [node] = yield* givenNodes(1)
        yield* Effect.gen(function* () {
          const { end, link, organization, second, tag } = yield* given
          const remove = Effect.flatMap(Tags, (tags) => transact(tags.remove(tag.id, null)))
          const removal = yield* Effect.forkChild(remove.pipe(asOperatorOf(organization)))
          yield* somebodyWaits
          yield* end
          yield* Fiber.join(removal)
          assert.deepStrictEqual(yield* transact(link(second)).pipe(asOperatorOf(organization)), [])
          const clear = Effect.flatMap(Tags, (tags) => transact(tags.clear(tag.id, 10)))
          assert.strictEqual(yield* clear.pipe(asOperatorOf(organization)), 1)
          const sql = yield* SqlClient.SqlClient
          assert.lengthOf(yield* sql`SELECT FROM tag_counts WHERE tag_id = ${tag.id}`, 0)
        }).pipe(Effect.provide(node ?? assert.fail()))
      }),
    slow
  )
})
