import { assert } from "@effect/vitest"
import { Contacts, editDistance, searchableNameWords, maxTypos } from "@parley/domain/crm"
import { Effect } from "effect"
import { mistyped } from "../../fixtures/typos.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"
import { givenContact, insertContacts, newContact } from "./given.ts"

const names = [
  "Anna Bell",
  "Margarethe Abcdefgh",
  "O'Connor-Smithson",
  "Ünal Straße",
  "Zoë Дмитрий",
  "田中太郎 さくら子様",
  "ABBA Otto"
]

const words = [...new Set(names.flatMap(searchableNameWords))]

export const contactWords: StorageContract = {
  port: "Contacts (words of names)",
  promises: (it) => {
    it.effect.each(words)("finds %s however it is mistyped", (word) =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          yield* insertContacts(names.map((name) => newContact({ name })))
          const once = mistyped(word)
          const twice = [...new Set(once.flatMap(mistyped))]
          const some = word === "abcdefgh" ? twice : twice.filter((_, index) => index % 19 === 0)
          const typings = [word, ...once, ...some].filter(
            (typing) => maxTypos(typing) > 0 && editDistance(typing, word, maxTypos(typing)) <= maxTypos(typing)
          )
          for (const typing of typings) {
            const like = yield* contacts.wordsLike(typing)
            assert.include(like, word, typing)
            assert.isAtMost(like.length, 20)
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("gives the likest of many, and no more than twenty", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          yield* insertContacts(
            Array.from({ length: 40 }, (_, index) =>
              newContact({ name: `Lovel${String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26))}e` })
            )
          )
          yield* givenContact({ name: "Lovelace" })
          const like = yield* contacts.wordsLike("lovelacf")
          assert.isAtMost(like.length, 20)
          assert.strictEqual(like[0], "lovelace")
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("knows a new name directly, and treats no word as a pattern", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          assert.lengthOf(yield* contacts.wordsLike("lovelace"), 0)
          yield* givenContact({ name: "Lovelace" })
          assert.deepStrictEqual(yield* contacts.wordsLike("lovelcae"), ["lovelace"])
          for (const text of ["%%%%", "____", "\\\\\\\\", "''''", "🧑‍🚀🧑‍🚀"])
            assert.lengthOf(yield* contacts.wordsLike(text), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of name words. */
export const contactWordsContract = runContract(contactWords)
