import { assert } from "@effect/vitest"
import { AutomationTokenId, PluginId, transact } from "@parley/domain/kernel"
import { Accounts } from "@parley/domain/platform"
import {
  type StoredPlugin,
  LifecycleCallId,
  LifecycleCalls,
  PluginCatalogue,
  Plugins
} from "@parley/domain/integrations"
import { DateTime, Effect } from "effect"
import { aManifest, newPlugin } from "../../../fixtures/plugins.ts"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, outside } from "../../given.ts"

const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

const added = Effect.fnUntraced(function* (overrides: Partial<StoredPlugin> = {}) {
  const kept = newPlugin(freshId(PluginId), overrides)
  yield* transact((yield* Plugins).insert(kept))
  return kept
})

const named = (key: string) => ({ manifest: { ...aManifest, key } })

const written: Partial<StoredPlugin> = {
  status: "failed",
  settings: { shop: "north “\\ 🎉 \u0000", list: [1, { deep: null }] },
  secretNames: ["apiKey"],
  sealedSettings: "sealed",
  isGreeted: false,
  lastError: { code: "lifecycle_failed", message: "It answered 500.", at: at("10:00:00.123") },
  rotatesAt: at("11:00:00.000")
}

export const plugins: StorageContract = {
  port: "Plugins",
  promises: (it) => {
    it.effect("keeps all that is said, for the organization that has said it and no other", () =>
      Effect.gen(function* () {
        const port = yield* Plugins
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const kept = yield* added(written).pipe(inside(one))
        const { id } = kept
        assert.deepStrictEqual(yield* port.find(id).pipe(inside(one)), kept)
        yield* Effect.gen(function* () {
          assert.isNull(yield* port.find(id))
          assert.strictEqual((yield* Effect.flip(transact(port.lock(id))))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(port.save(kept, null))))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(port.remove(id, null))))._tag, "NotFound")
          assert.strictEqual(yield* port.count(), 0)
          assert.deepStrictEqual(yield* port.byKeys([kept.manifest.key]), [])
          assert.deepStrictEqual(yield* port.list({ limit: 10, after: null }), [])
          // Each organization may have it.
          yield* added(written)
        }).pipe(inside(other))
        assert.strictEqual(yield* port.count().pipe(inside(one)), 1)
      })
    )

    it.effect("saves at the expected version, keeps at any, and removes", () =>
      Effect.gen(function* () {
        const port = yield* Plugins
        const before = yield* added()
        const { id } = before
        const changed: StoredPlugin = { ...before, ...written, manifest: { ...aManifest, version: "2.0.0" } }
        assert.strictEqual((yield* Effect.flip(transact(port.save(changed, 2))))._tag, "VersionConflict")
        const saved = yield* transact(port.save(changed, 1))
        assert.deepStrictEqual(saved, { ...changed, version: 2 })
        assert.deepStrictEqual(yield* transact(port.lock(id)), saved)
        yield* transact(port.keep({ ...saved, status: "enabled", lastError: null, version: 1 }))
        const kept = yield* port.find(id)
        assert.deepStrictEqual([kept?.status, kept?.lastError, kept?.version], ["enabled", null, 2])
        assert.strictEqual((yield* Effect.flip(transact(port.remove(id, 1))))._tag, "VersionConflict")
        yield* transact(port.remove(id, 2))
        assert.isNull(yield* port.find(id))
      }).pipe((effect) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect)))
    )

    it.effect("lists the newest first, counts all, and finds some by their keys", () =>
      Effect.gen(function* () {
        const port = yield* Plugins
        const [one, two, three] = [yield* added(named("one")), yield* added(named("two")), yield* added(named("three"))]
        const idsOf = Effect.map((all: ReadonlyArray<StoredPlugin>) => all.map(({ id }) => id))
        assert.deepStrictEqual(yield* idsOf(port.list({ limit: 2, after: null })), [three.id, two.id])
        assert.deepStrictEqual(yield* idsOf(port.list({ limit: 2, after: [two.id] })), [one.id])
        assert.deepStrictEqual(yield* idsOf(port.byKeys(["two", "one", "none"])), [one.id, two.id])
        assert.strictEqual(yield* port.count(), 3)
      }).pipe((effect) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect)))
    )

    it.effect("returns the access of a token until its end", () =>
      Effect.gen(function* () {
        const port = yield* Plugins
        const accounts = yield* Accounts
        const organization = yield* givenOrganization({ plan: "scale" })
        yield* Effect.gen(function* () {
          const { id } = yield* added()
          const first = { id: freshId(AutomationTokenId), pluginId: id, expiresAt: at("12:00:00.000") }
          const second = { id: freshId(AutomationTokenId), pluginId: id, expiresAt: at("13:00:00.000") }
          for (const token of [first, second]) yield* transact(port.addToken(token))
          assert.deepStrictEqual(yield* port.token(first.id), first)
          const now = at("11:00:00.000")
          assert.deepStrictEqual(yield* outside(accounts.tokenAccess(first.id, now)), {
            heldBy: "plugin",
            pluginId: id,
            organizationId: organization.id,
            organizationStatus: "active",
            plan: "scale",
            permissions: ["contacts.read"],
            live: true
          })
          const live = Effect.forEach([first, second], (token) =>
            Effect.map(outside(accounts.tokenAccess(token.id, now)), (access) => access?.live)
          )
          yield* transact(port.endTokens(id, at("10:00:00.000"), second.id))
          assert.deepStrictEqual(yield* live, [false, true])
          yield* transact(port.endTokens(id, at("10:30:00.000"), null))
          assert.deepStrictEqual(yield* live, [false, false])
          // An ended token stays ended.
          assert.deepStrictEqual((yield* port.token(first.id))?.expiresAt, at("10:00:00.000"))
          const granted = { ...newPlugin(id), manifest: { ...aManifest, permissions: [] } }
          yield* transact(port.save(granted, null))
          const access = yield* outside(accounts.tokenAccess(second.id, now))
          assert.deepStrictEqual(access?.permissions, [])
          yield* transact(port.remove(id, null))
          assert.isNull(yield* outside(accounts.tokenAccess(second.id, now)))
        }).pipe(inside(organization))
      })
    )

    it.effect("forgets tokens that ended before, some at a time, and no others", () =>
      Effect.gen(function* () {
        const port = yield* Plugins
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const tokensOf = Effect.fnUntraced(function* () {
          const { id: pluginId } = yield* added()
          const tokens = ["10:00:00", "10:00:01", "10:00:02", "10:00:03"].map((time) => ({
            id: freshId(AutomationTokenId),
            pluginId,
            expiresAt: at(`${time}.000`)
          }))
          for (const token of tokens) yield* transact(port.addToken(token))
          return tokens
        })
        const left = (tokens: Effect.Success<ReturnType<typeof tokensOf>>) =>
          Effect.map(
            Effect.forEach(tokens, ({ id }) => port.token(id)),
            (found) => found.map((each) => each !== null)
          )
        const [ours, theirs] = [yield* tokensOf().pipe(inside(one)), yield* tokensOf().pipe(inside(other))]
        const before = at("10:00:03.000")
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* port.sweepTokens(before, 2), 2)
          assert.strictEqual(yield* port.sweepTokens(before, 2), 1)
          assert.strictEqual(yield* port.sweepTokens(before, 2), 0)
          assert.deepStrictEqual(yield* left(ours), [false, false, false, true])
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* left(theirs).pipe(inside(other)), [true, true, true, true])
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const port = yield* Plugins
        const { id } = yield* added()
        yield* added(named("another")).pipe(
          Effect.andThen(
            port.addToken({ id: freshId(AutomationTokenId), pluginId: id, expiresAt: at("10:00:00.000") })
          ),
          Effect.andThen(port.remove(id, null)),
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip
        )
        assert.strictEqual(yield* port.count(), 1)
        assert.isNotNull(yield* port.find(id))
      }).pipe((effect) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect)))
    )
  }
}

export const lifecycleCalls: StorageContract = {
  port: "LifecycleCalls",
  promises: (it) => {
    it.effect("returns the first call of a plugin, again after a failed attempt, until it is dropped", () =>
      Effect.gen(function* () {
        const calls = yield* LifecycleCalls
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const pluginId = freshId(PluginId)
        const call = (type: "plugin.enabled" | "plugin.installed") => ({
          id: freshId(LifecycleCallId),
          pluginId,
          type,
          tokenId: freshId(AutomationTokenId),
          hasSecret: true,
          farewell: null,
          tries: 0,
          dueAt: at("10:00:00.000")
        })
        const [first, second] = [call("plugin.installed"), call("plugin.enabled")]
        yield* Effect.gen(function* () {
          assert.isNull(yield* calls.next(pluginId))
          yield* transact(calls.add(first))
          yield* transact(calls.add(second))
          assert.deepStrictEqual(yield* calls.next(pluginId), first)
          yield* transact(calls.retry(first.id, 1, at("10:00:05.000")))
          assert.deepStrictEqual(yield* calls.next(pluginId), { ...first, tries: 1, dueAt: at("10:00:05.000") })
          assert.isNull(yield* calls.next(freshId(PluginId)))
        }).pipe(inside(one))
        assert.isNull(yield* calls.next(pluginId).pipe(inside(other)))
        yield* transact(calls.drop(first.id)).pipe(inside(other))
        yield* transact(calls.dropAll(pluginId)).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* calls.next(pluginId))?.id, first.id)
          yield* transact(calls.drop(first.id))
          assert.deepStrictEqual(yield* calls.next(pluginId), second)
          yield* transact(calls.dropAll(pluginId))
          assert.isNull(yield* calls.next(pluginId))
        }).pipe(inside(one))
      })
    )
  }
}

export const pluginCatalogue: StorageContract = {
  port: "PluginCatalogue",
  promises: (it) => {
    it.effect("offers each plugin by its key, as it was put there last", () =>
      Effect.gen(function* () {
        const catalogue = yield* PluginCatalogue
        const keys = [freshId(PluginId), freshId(PluginId)].map((id) => `p-${id.slice(-12)}`).toSorted()
        const [one = "", two = ""] = keys
        const entry = (key: string, version = "1.0.0") => ({
          manifest: { ...aManifest, key, version },
          url: `https://acme.example/${version}.json`
        })
        for (const key of [two, one]) yield* catalogue.put(entry(key))
        yield* catalogue.put(entry(one, "1.1.0"))
        assert.deepStrictEqual(yield* catalogue.byKeys([two, one, "p-none"]), [entry(one, "1.1.0"), entry(two)])
        assert.deepStrictEqual(yield* catalogue.byKeys([]), [])
        const [next] = yield* catalogue.list({ limit: 1, after: [one] })
        assert.strictEqual((next?.manifest.key ?? "") > one, true)
        assert.isTrue(yield* catalogue.remove(one))
        assert.isFalse(yield* catalogue.remove(one))
        yield* catalogue.remove(two)
        assert.deepStrictEqual(yield* catalogue.byKeys(keys), [])
      })
    )
  }
}
