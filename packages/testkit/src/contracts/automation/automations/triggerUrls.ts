import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  Automation,
  AutomationId,
  Automations,
  emptyDefinition,
  type StoredTriggerUrl,
  TriggerUrls
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

/** A URL of a new automation. */
const givenUrl = Effect.fnUntraced(function* (overrides: Partial<StoredTriggerUrl> = {}) {
  const automation = new Automation({
    id: freshId(AutomationId),
    name: "Form",
    enabled: false,
    disabledReason: null,
    position: 1,
    ...emptyDefinition,
    createdAt: at(0),
    updatedAt: at(0),
    version: 1
  })
  const url: StoredTriggerUrl = {
    automationId: automation.id,
    tokenDigest: `digest-${automation.id}`,
    sealedSecret: null,
    createdAt: at(0),
    ...overrides
  }
  yield* transact((yield* Automations).insert(automation))
  yield* put(url)
  return url
})

const put = Effect.fnUntraced(function* (url: StoredTriggerUrl) {
  yield* transact((yield* TriggerUrls).put(url))
})

export const triggerUrls: StorageContract = {
  port: "TriggerUrls",
  promises: (it) => {
    it.effect("keeps one URL for each automation, in its organization only", () =>
      Effect.gen(function* () {
        const urls = yield* TriggerUrls
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const url = yield* Effect.gen(function* () {
          const first = yield* givenUrl()
          assert.deepStrictEqual(yield* urls.find(first.automationId), first)
          const second = { ...first, tokenDigest: "another", sealedSecret: "sealed “\\ 🎉", createdAt: at(1) }
          yield* put(second)
          assert.deepStrictEqual(yield* urls.find(first.automationId), second)
          return second
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.isNull(yield* urls.find(url.automationId))
          assert.isFalse(yield* transact(urls.remove(url.automationId)))
          assert.deepStrictEqual(yield* urls.signed(null, 9), [])
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* urls.find(url.automationId).pipe(inside(one)), url)
      })
    )

    it.effect("removes a URL once, and the URL of a removed automation", () =>
      Effect.gen(function* () {
        const urls = yield* TriggerUrls
        yield* Effect.gen(function* () {
          const [kept, removed] = [yield* givenUrl(), yield* givenUrl()]
          assert.isTrue(yield* transact(urls.remove(removed.automationId)))
          assert.isFalse(yield* transact(urls.remove(removed.automationId)))
          assert.isNull(yield* urls.find(removed.automationId))
          yield* Effect.orDie(transact((yield* Automations).remove(kept.automationId, null)))
          assert.isNull(yield* urls.find(kept.automationId))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists signed URLs by automation, some at a time", () =>
      Effect.gen(function* () {
        const urls = yield* TriggerUrls
        yield* Effect.gen(function* () {
          const first = yield* givenUrl({ sealedSecret: "one" })
          yield* givenUrl()
          const second = yield* givenUrl({ sealedSecret: "two" })
          assert.deepStrictEqual(yield* urls.signed(null, 9), [first, second])
          assert.deepStrictEqual(yield* urls.signed(null, 1), [first])
          assert.deepStrictEqual(yield* urls.signed(first.automationId, 9), [second])
          assert.deepStrictEqual(yield* urls.signed(second.automationId, 9), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const triggerUrlsContract = runContract(triggerUrls)
