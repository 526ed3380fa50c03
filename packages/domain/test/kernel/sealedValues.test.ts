import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it, layer } from "@effect/vitest"
import { originOf, defineOriginSealedValue, Vault } from "@parley/domain/kernel"
import { sealedValues } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { Effect, Exit, Redacted } from "effect"

const origins = [
  "https://a.example",
  "http://a.example",
  "https://b.example",
  "https://a.example:8443",
  "https://a.example.b.example"
].map(originOf)

describe("the origin of a URL", () => {
  it.each([
    ["https://a.example", "https://a.example"],
    ["HTTPS://A.Example/", "https://a.example"],
    ["https://a.example:443/path?x#y", "https://a.example"],
    ["https://a.example:0443/", "https://a.example"],
    ["https://a.example:8443/path", "https://a.example:8443"],
    ["http://a.example:80", "http://a.example"],
    ["http://a.example:443", "http://a.example:443"],
    ["http://[::1]:9000/hook", "http://[::1]:9000"],
    ["https://user@a.example/x", "https://a.example"],
    ["https://a.example?x=https://b.example", "https://a.example"],
    ["no URL", "no URL"]
  ])("of %s is %s", (url, origin) => {
    assert.strictEqual(originOf(url), origin)
  })
})

const source = new URL("../../src/", import.meta.url)

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))

/** Files of the domain that can call the vault directly. */
const sealing = ["kernel/SealedValue.ts", "messaging/chat/secrets.ts"]

layer(TestKit.layer)("sealed values", (it) => {
  it("have unique names, and each declares its place", () => {
    const names = sealedValues.map(({ name }) => name)
    assert.deepStrictEqual(names, Array.from(new Set(names)))
    for (const { name, place } of sealedValues) {
      if (place.kind !== "origin") assert.isNotEmpty(place.reason, name)
    }
  })

  it("are sealed and opened in one place of the domain", () => {
    const found = files.filter((file) =>
      /(?:\bvault|\bVault\))\.(?:seal|open)\(/u.test(readFileSync(new URL(file, source), "utf8"))
    )
    assert.deepStrictEqual(found.toSorted(), sealing)
  })

  it.effect("for an origin open for that origin, record and organization only", () =>
    Effect.gen(function* () {
      const [here, elsewhere] = [yield* givenOrganization(), yield* givenOrganization()]
      const bound = sealedValues.flatMap((value) => ("context" in value ? [] : [value]))
      assert.isNotEmpty(bound)
      for (const value of bound) {
        for (const origin of origins) {
          const sealed = yield* value.seal("one", origin, Redacted.make("secret")).pipe(asOperatorOf(here))
          for (const other of origins) {
            const exit = yield* Effect.exit(value.open("one", other, sealed).pipe(asOperatorOf(here)))
            assert.strictEqual(Exit.isSuccess(exit), other === origin, `${value.name}: ${origin} at ${other}`)
          }
          for (const open of [
            value.open("two", origin, sealed).pipe(asOperatorOf(here)),
            value.open("one", origin, sealed).pipe(asOperatorOf(elsewhere)),
            value.open("one", origin, sealed.replace(/\.origin$/u, "")).pipe(asOperatorOf(here))
          ]) {
            assert.isTrue(Exit.hasDies(yield* Effect.exit(open)), value.name)
          }
        }
      }
    })
  )

  it.effect("from releases without binding open until they are written again", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const value = defineOriginSealedValue("webhook_subscription", "headers")
      const sealed = yield* (yield* Vault).seal(
        `webhook_subscription/${organization.id}/one/headers`,
        Redacted.make("secret")
      )
      for (const origin of origins) {
        const opened = yield* value.open("one", origin, sealed).pipe(asOperatorOf(organization))
        assert.strictEqual(Redacted.value(opened), "secret")
      }
    })
  )
})
