import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Tag, TagId, Tags } from "@parley/domain/crm"
import { Effect } from "effect"
import { oddNames } from "../../fixtures/crowds.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"
import { all, evening, givenContact, givenTag, idsOf, morning, newTag, sorted } from "./given.ts"

const insert = (tag: Tag) => Effect.flatMap(Tags, (tags) => transact(tags.insert(tag)))

const save = (tag: Tag, expected: number | null) => Effect.flatMap(Tags, (tags) => transact(tags.save(tag, expected)))

const remove = (id: TagId, expected: number | null) =>
  Effect.flatMap(Tags, (tags) => transact(tags.remove(id, expected)))

const everyTag = Effect.flatMap(Tags, (tags) => tags.list("", all))

export const tags: StorageContract = {
  port: "Tags",
  promises: (it) => {
    it.effect("keeps one tenant's tags out of another's sight and reach", () =>
      Effect.gen(function* () {
        const tags = yield* Tags
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const tag = yield* givenTag({ name: "VIP" }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(tags.get(tag.id)))._tag, "NotFound")
          assert.lengthOf(yield* tags.find([tag.id]), 0)
          assert.lengthOf(yield* tags.findByName(["VIP"]), 0)
          assert.lengthOf(yield* everyTag, 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(tag, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(tag.id, expected)))._tag, "NotFound")
          }
          yield* givenTag({ name: "VIP" })
        }).pipe(inside(other))
        assert.deepStrictEqual((yield* everyTag.pipe(inside(one))).map(plain.tag), [plain.tag(tag)])
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const tags = yield* Tags
        yield* Effect.gen(function* () {
          const [kept, other] = [yield* givenTag(), yield* givenTag()]
          yield* givenContact({ tags: [kept.id] })
          const before = yield* everyTag
          yield* tags
            .insert(newTag())
            .pipe(
              Effect.andThen(tags.save(new Tag({ ...kept, name: "Renamed" }), 1)),
              Effect.andThen(tags.move(kept.id, other.id, 10, evening)),
              Effect.andThen(tags.remove(kept.id, null)),
              Effect.andThen(Effect.fail("refused")),
              transact,
              Effect.flip
            )
          assert.deepStrictEqual((yield* everyTag).map(plain.tag), before.map(plain.tag))
          assert.strictEqual((yield* tags.get(kept.id)).contactCount, 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores name and color, and raises the version by one", () =>
      Effect.gen(function* () {
        const tags = yield* Tags
        yield* Effect.gen(function* () {
          const tag = yield* givenTag({ contactCount: 7 })
          assert.deepStrictEqual(plain.tag(yield* tags.get(tag.id)), { ...plain.tag(tag), contactCount: 0 })
          yield* givenContact({ tags: [tag.id] })
          const changed = new Tag({ ...tag, name: "Ünal “%_\\” 🥐", color: "#000000", updatedAt: evening })
          const expected = { ...plain.tag(changed), contactCount: 1, version: 2 }
          assert.deepStrictEqual(plain.tag(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plain.tag(yield* tags.get(tag.id)), expected)
          assert.strictEqual((yield* save(changed, null)).version, 3)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          yield* save(tag, 1)
          for (const expected of [1, 3]) {
            for (const refused of [save(tag, expected), remove(tag.id, expected)]) {
              const error = yield* Effect.flip(refused)
              assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
            }
            assert.strictEqual((yield* Effect.flip(save(newTag(), expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(freshId(TagId), expected)))._tag, "NotFound")
          }
          yield* remove(tag.id, 2)
          assert.strictEqual((yield* Effect.flip(remove(tag.id, null)))._tag, "NotFound")
          assert.lengthOf(yield* everyTag, 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("refuses a used name regardless of case", () =>
      Effect.gen(function* () {
        const tags = yield* Tags
        yield* Effect.gen(function* () {
          const [first, second] = [yield* givenTag({ name: "Ünal ΣΑΣ" }), yield* givenTag({ name: "other" })]
          for (const name of ["Ünal ΣΑΣ", "ünal σας", "U\u0308NAL ΣΑΣ"]) {
            for (const refused of [insert(newTag({ name })), save(new Tag({ ...second, name }), 1)]) {
              const error = yield* Effect.flip(refused)
              assert.strictEqual(error._tag === "NameTaken" ? error.id : error._tag, first.id, name)
            }
            assert.deepStrictEqual(idsOf(yield* tags.findByName([name, name])), [first.id])
          }
          assert.strictEqual((yield* save(new Tag({ ...first, name: "ÜNAL ΣΑΣ" }), 1)).name, "ÜNAL ΣΑΣ")
          yield* remove(first.id, null)
          yield* insert(newTag({ name: "ünal σας".toUpperCase() }))
          assert.lengthOf(yield* everyTag, 2)
          assert.lengthOf(yield* tags.findByName([]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("only the first of many concurrent users of a name gets it", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const outcomes = yield* Effect.forEach(
            Array.from({ length: 10 }, () => newTag({ name: "VIP" })),
            (tag) => Effect.option(insert(tag)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Some").length, 1)
          assert.lengthOf(yield* everyTag, 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("finds existing ones, once each", () =>
      Effect.gen(function* () {
        const tags = yield* Tags
        yield* Effect.gen(function* () {
          const [first, second] = [yield* givenTag({ name: "One" }), yield* givenTag({ name: "two" })]
          const both = sorted([first.id, second.id])
          assert.deepStrictEqual(
            sorted(idsOf(yield* tags.find([second.id, freshId(TagId), first.id, second.id]))),
            both
          )
          assert.deepStrictEqual(sorted(idsOf(yield* tags.findByName(["TWO", "nobody's", "one", "t_o"]))), both)
          assert.lengthOf(yield* tags.find([]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists by name prefix, by code points, page by page", () =>
      Effect.gen(function* () {
        const tags = yield* Tags
        yield* Effect.gen(function* () {
          const names = ["b", "A%", "a", "a_b", "axb", "\uFFFD", "𝒜", "Z", "ä", "B c"]
          for (const name of names) yield* insert(newTag({ name }))
          const listed = (beginning: string, slice: Parameters<typeof tags.list>[1] = all) =>
            Effect.map(tags.list(beginning, slice), (found) => found.map(({ name }) => name))
          const inOrder = ["a", "A%", "a_b", "axb", "b", "B c", "Z", "ä", "\uFFFD", "𝒜"]
          assert.deepStrictEqual(yield* listed(""), inOrder)
          assert.deepStrictEqual(yield* listed("a"), ["a", "A%", "a_b", "axb"])
          assert.deepStrictEqual(yield* listed("a_"), ["a_b"])
          assert.deepStrictEqual(yield* listed("a%"), ["A%"])
          assert.deepStrictEqual(yield* listed("\\"), [])
          const paged: Array<string> = []
          let after: ReadonlyArray<string> | null = null
          do {
            const page: ReadonlyArray<Tag> = yield* tags.list("", { limit: 3, after })
            paged.push(...page.map(({ name }) => name))
            const last = page.at(-1)
            after = last === undefined ? null : [last.name.toLowerCase(), last.id]
          } while (after !== null && paged.length < 50)
          assert.deepStrictEqual(paged, inOrder)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keeps odd names to the letter", () =>
      Effect.gen(function* () {
        const tags = yield* Tags
        yield* Effect.gen(function* () {
          for (const [index, name] of oddNames.entries()) {
            const tag = yield* givenTag({ name: `${index} ${name}`, createdAt: morning })
            assert.deepStrictEqual(plain.tag(yield* tags.get(tag.id)), plain.tag(tag))
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const tagsContract = runContract(tags)
