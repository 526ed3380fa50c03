import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { MessageTemplate, type MessageTemplateQuery, MessageTemplates } from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"
import {
  all,
  evening,
  givenAccount,
  givenTemplate,
  morning,
  newTemplate,
  plainTemplate,
  removeAccount,
  reviveAccount
} from "./given.ts"

const whole: MessageTemplateQuery = { chatAccountId: null, status: null, name: null }

const insert = (template: MessageTemplate) =>
  Effect.flatMap(MessageTemplates, (templates) => transact(templates.insert(template)))

const save = (template: MessageTemplate, expected: number | null) =>
  Effect.flatMap(MessageTemplates, (templates) => transact(templates.save(template, expected)))

const remove = ({ id }: MessageTemplate, expected: number | null) =>
  Effect.flatMap(MessageTemplates, (templates) => transact(templates.remove(id, expected)))

export const messageTemplates: StorageContract = {
  port: "MessageTemplates",
  promises: (it) => {
    it.effect("keeps one tenant's templates out of another's sight and reach", () =>
      Effect.gen(function* () {
        const templates = yield* MessageTemplates
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const account = yield* givenAccount().pipe(inside(one))
        const template = yield* givenTemplate(account.id).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(templates.get(template.id)))._tag, "NotFound")
          assert.lengthOf(yield* templates.find([template.id]), 0)
          assert.lengthOf(yield* templates.ofAccounts([account.id]), 0)
          assert.lengthOf(yield* templates.list(whole, all), 0)
          for (const expected of [1, null]) {
            assert.strictEqual((yield* Effect.flip(save(template, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(template, expected)))._tag, "NotFound")
          }
        }).pipe(inside(other))
        assert.lengthOf(yield* templates.list(whole, all).pipe(inside(one)), 1)
      })
    )

    it.effect("keeps every field, and stores what is changed with the version raised by one", () =>
      Effect.gen(function* () {
        const templates = yield* MessageTemplates
        yield* Effect.gen(function* () {
          const { id } = yield* givenAccount()
          const template = yield* givenTemplate(id)
          assert.deepStrictEqual(plainTemplate(yield* templates.get(template.id)), plainTemplate(template))
          const changed = new MessageTemplate({
            ...template,
            category: "marketing",
            statusReason: "first_pause",
            statusUntil: evening,
            rejectionAdvice: "Name your “shop”.",
            qualityAt: morning,
            announcedCategory: "utility",
            categoryChangesAt: evening,
            timeToLive: -1,
            libraryName: "delivery_update_1",
            editTimes: [morning, evening],
            components: { body: { text: "“{{first_name}}”, olá.", examples: { first_name: "Ana" } } },
            variables: [{ key: "body.first_name", in: "body", kind: "text" }],
            status: "rejected",
            rejectionReason: "PROMOTIONAL",
            quality: "red",
            externalId: null,
            updatedAt: evening
          })
          const expected = { ...plainTemplate(changed), version: 2 }
          assert.deepStrictEqual(plainTemplate(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plainTemplate(yield* templates.get(template.id)), expected)
          assert.strictEqual((yield* Effect.flip(save(changed, 1)))._tag, "VersionConflict")
          assert.strictEqual((yield* Effect.flip(remove(changed, 1)))._tag, "VersionConflict")
          yield* remove(changed, 2)
          assert.strictEqual((yield* Effect.flip(templates.get(template.id)))._tag, "NotFound")
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("has one template of a name and language per account", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const [one, other] = [yield* givenAccount(), yield* givenAccount()]
          const template = yield* givenTemplate(one.id, { name: "welcome", language: "en" })
          const error = yield* Effect.flip(insert(newTemplate(one.id, { name: "welcome", language: "en" })))
          assert.strictEqual(error.messageTemplateId, template.id)
          yield* insert(newTemplate(one.id, { name: "welcome", language: "de" }))
          yield* insert(newTemplate(other.id, { name: "welcome", language: "en" }))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists by name, then language, filtered and page by page", () =>
      Effect.gen(function* () {
        const templates = yield* MessageTemplates
        yield* Effect.gen(function* () {
          const [one, other] = [yield* givenAccount(), yield* givenAccount()]
          for (const [name, language] of [
            ["b", "en"],
            ["a_1", "pt-BR"],
            ["a_1", "de"],
            ["a", "en"]
          ] as const) {
            yield* givenTemplate(one.id, { name, language })
          }
          yield* givenTemplate(other.id, { name: "a", language: "de", status: "draft" })
          const named = (rows: ReadonlyArray<MessageTemplate>) =>
            rows.map(({ language, name }) => `${name} ${language}`)
          const everything = ["a de", "a en", "a_1 de", "a_1 pt-BR", "b en"]
          assert.deepStrictEqual(named(yield* templates.list(whole, all)), everything)
          const first = yield* templates.list(whole, { limit: 2, after: null })
          const last = first.at(-1)
          if (last === undefined) return assert.fail("nothing was listed")
          const rest = yield* templates.list(whole, { limit: 9, after: [last.name, last.language, last.id] })
          assert.deepStrictEqual([...named(first), ...named(rest)], everything)
          const some = (query: Partial<MessageTemplateQuery>) =>
            Effect.map(templates.list({ ...whole, ...query }, all), named)
          assert.deepStrictEqual(yield* some({ chatAccountId: other.id }), ["a de"])
          assert.deepStrictEqual(yield* some({ status: "draft" }), ["a de"])
          assert.deepStrictEqual(yield* some({ name: "a_" }), ["a_1 de", "a_1 pt-BR"])
          assert.deepStrictEqual(yield* some({ name: "%" }), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("is held by one at a time, until it is let go or the time is over", () =>
      Effect.gen(function* () {
        const templates = yield* MessageTemplates
        yield* Effect.gen(function* () {
          const { id, version } = yield* givenTemplate((yield* givenAccount()).id)
          const noon = DateTime.makeUnsafe("2026-03-01T12:00:00Z")
          const lease = (now: DateTime.Utc, until: DateTime.Utc) => transact(templates.lease(id, now, until))
          assert.isFalse(yield* templates.isLeased(id, morning))
          assert.isTrue(yield* lease(morning, noon))
          assert.isTrue(yield* templates.isLeased(id, morning))
          assert.isFalse(yield* lease(morning, evening))
          assert.isFalse(yield* templates.isLeased(id, noon))
          assert.isTrue(yield* lease(noon, evening))
          yield* transact(templates.release(id))
          assert.isFalse(yield* templates.isLeased(id, noon))
          assert.strictEqual((yield* templates.get(id)).version, version)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("goes with its account, and comes back with it as it was", () =>
      Effect.gen(function* () {
        const templates = yield* MessageTemplates
        yield* Effect.gen(function* () {
          const account = yield* givenAccount()
          const template = yield* givenTemplate(account.id)
          yield* removeAccount(account)
          assert.lengthOf(yield* templates.find([template.id]), 0)
          assert.lengthOf(yield* templates.ofAccounts([account.id]), 0)
          for (const query of [whole, { ...whole, chatAccountId: account.id }]) {
            assert.lengthOf(yield* templates.list(query, all), 0)
          }
          assert.strictEqual((yield* Effect.flip(templates.get(template.id)))._tag, "NotFound")
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(template, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(template, expected)))._tag, "NotFound")
          }
          yield* reviveAccount(account)
          assert.deepStrictEqual(plainTemplate(yield* templates.get(template.id)), plainTemplate(template))
          assert.lengthOf(yield* templates.list(whole, all), 1)
          assert.lengthOf(yield* templates.ofAccounts([account.id]), 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const messageTemplatesContract = runContract(messageTemplates)
