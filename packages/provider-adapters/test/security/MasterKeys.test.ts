import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Layer, Redacted } from "effect"
import {
  generateMasterKey,
  layerMasterKeys,
  layerMasterKeysConfig,
  MasterKeyError,
  MasterKeys
} from "@parley/provider-adapters/security"
import { k1, k2, k3, listOf } from "./fixtures.ts"

const read = (list: string) => Effect.provide(MasterKeys, layerMasterKeys(Redacted.make(list)))

const idsOf = ({ all, current, oldest }: MasterKeys["Service"]) => ({
  all: all.map(({ id }) => id),
  current: current.id,
  oldest: oldest.id
})

const base64 = k1.slice(3)

describe("MasterKeys", () => {
  it.effect("takes the first key of the list as the current one", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(idsOf(yield* read(`${k3},${k2},${k1}`)), {
        all: ["k3", "k2", "k1"],
        current: "k3",
        oldest: "k1"
      })
    })
  )

  it.effect("treats the key whose id sorts first as the oldest, with numeric order, in every position", () =>
    Effect.gen(function* () {
      const oldestOf = (...ids: ReadonlyArray<string>) =>
        Effect.map(
          read(ids.map((id, index) => `${id}:${Buffer.alloc(32, index + 1).toString("base64")}`).join(",")),
          ({ oldest }) => oldest.id
        )
      assert.strictEqual(yield* oldestOf("k1", "k2"), "k1")
      assert.strictEqual(yield* oldestOf("k2", "k1"), "k1")
      assert.strictEqual(yield* oldestOf("k10", "k9", "k11"), "k9")
      assert.strictEqual(yield* oldestOf("2026-10", "2026-02", "2025-12"), "2025-12")
    })
  )

  it.effect("takes a single key, spaces round entries, base64url and a missing padding", () =>
    Effect.gen(function* () {
      const bytes = Buffer.alloc(32, 0xfb)
      const classic = yield* read(`a:${bytes.toString("base64")}`)
      const relaxed = yield* read(`  a:${bytes.toString("base64url")} , ${k1} `)
      assert.deepStrictEqual(idsOf(relaxed), { all: ["a", "k1"], current: "a", oldest: "a" })
      assert.isTrue(classic.current.derive("x").equals(relaxed.current.derive("x")))
    })
  )

  it.effect("derives another key for every purpose and from every master key", () =>
    Effect.gen(function* () {
      const { current, oldest } = yield* read(`${k2},${k1}`)
      assert.isTrue(current.derive("vault").equals(current.derive("vault")))
      assert.isFalse(current.derive("vault").equals(current.derive("cursors")))
      assert.isFalse(current.derive("vault").equals(oldest.derive("vault")))
      assert.isFalse(current.derive("vault").export().equals(Buffer.alloc(32, 2)))
    })
  )

  it.effect.each([
    ["nothing", "", "There is no master key."],
    ["spaces", "   ", "There is no master key."],
    ["a key without an id", base64, "Master key 1 is not an id and 32 bytes in base64."],
    ["an empty id", `:${base64}`, "Master key 1 is not an id and 32 bytes in base64."],
    ["an id with a dot", `k.1:${base64}`, "Master key 1 is not an id and 32 bytes in base64."],
    ["an id that is too long", `${"k".repeat(33)}:${base64}`, "Master key 1 is not an id and 32 bytes in base64."],
    ["31 bytes", `k1:${Buffer.alloc(31).toString("base64")}`, "Master key 1 is not an id and 32 bytes in base64."],
    ["33 bytes", `k1:${Buffer.alloc(33).toString("base64")}`, "Master key 1 is not an id and 32 bytes in base64."],
    ["hexadecimal", `k1:${"ab".repeat(32)}`, "Master key 1 is not an id and 32 bytes in base64."],
    ["a passphrase", "k1:correct horse battery staple", "Master key 1 is not an id and 32 bytes in base64."],
    ["an empty entry at the end", `${k1},`, "Master key 2 is not an id and 32 bytes in base64."],
    ["another separator", `${k1};${k2}`, "Master key 1 is not an id and 32 bytes in base64."],
    ["one id twice", `${k1},${k2},k1:${k3.slice(3)}`, "Master key 3 has the id of another."],
    ["one key twice", `${k1},k2:${base64}`, "Master key 2 is the same as another."]
  ] as const)("refuses %s and says which key and why, without showing it", ([, list, problem]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(list))
      assert.instanceOf(error, MasterKeyError)
      assert.strictEqual(error.problem, problem)
      assert.include(error.message, problem)
      assert.notInclude(error.message, base64)
    })
  )

  it.effect("reads the list from the configuration", () =>
    Effect.gen(function* () {
      const fromConfig = layerMasterKeysConfig(Config.Redacted("MASTER_KEYS")).pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ MASTER_KEYS: `${k2},${k1}` })))
      )
      assert.strictEqual((yield* Effect.provide(MasterKeys, fromConfig)).current.id, "k2")
    })
  )

  it.effect("generates a fresh key that can be put in front of the list", () =>
    Effect.gen(function* () {
      const one = Redacted.value(yield* generateMasterKey("k9"))
      const other = Redacted.value(yield* generateMasterKey("k10"))
      assert.notStrictEqual(one.split(":")[1], other.split(":")[1])
      const { current, oldest } = yield* Effect.provide(MasterKeys, layerMasterKeys(listOf(other, one)))
      assert.deepStrictEqual([current.id, oldest.id], ["k10", "k9"])
    })
  )
})
