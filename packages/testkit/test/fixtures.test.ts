import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { assert, describe, expectTypeOf, it, layer } from "@effect/vitest"
import { CurrentActor, type CurrentOrganization } from "@parley/domain/kernel"
import { getMe, listMembers } from "@parley/domain/platform"
import { listContacts } from "@parley/domain/crm"
import { createAutomation } from "@parley/domain/automation"
import {
  actorOf,
  asAdminOf,
  asAgentOf,
  asOperatorOf,
  asOwnerOf,
  asPerson,
  asViewerOf,
  givenContact,
  givenContactField,
  givenInvitation,
  givenMember,
  givenOrganization,
  givenTag,
  givenUser,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"

const source = resolve(import.meta.dirname, "../src")

const importsOf = (file: string): ReadonlyArray<string> =>
  Array.from(readFileSync(file, "utf8").matchAll(/from "([^"]+)"/g), ([, from]) => from ?? "")

/** All imports of a file from other packages, direct or indirect. */
const packagesBehind = (entry: string): ReadonlySet<string> => {
  const [seen, packages, open] = [new Set<string>(), new Set<string>(), [entry]]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const from of importsOf(file)) {
      if (from.startsWith(".")) open.push(resolve(dirname(file), from))
      else packages.add(from)
    }
  }
  return packages
}

describe("the entry points", () => {
  it("keep the test runner out of code without one", () => {
    const main = packagesBehind(resolve(source, "index.ts"))
    const names = Array.from(main, (name) => name.replace(/^@parley\/domain\/\w+$/u, "@parley/domain"))
    assert.deepStrictEqual(Array.from(new Set(names)).toSorted(), [
      "@effect/platform-node/NodeCrypto",
      "@parley/domain",
      "effect",
      "effect/crypto",
      "effect/encoding",
      "node:crypto"
    ])
    assert.include(Array.from(packagesBehind(resolve(source, "contracts/index.ts"))), "@effect/vitest")
  })
})

describe("TestKit.layer", () => {
  it("leaves a use case nothing to ask for but who acts, and where", () => {
    const call = createAutomation({ name: "Welcome" }).pipe(Effect.provide(TestKit.layer))
    expectTypeOf<Effect.Services<typeof call>>().toEqualTypeOf<CurrentActor | CurrentOrganization>()
  })
})

layer(TestKit.layer)("fixtures", (it) => {
  it.effect("act as one person per role in an organization, with one seat", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const me = Effect.map(getMe(), ({ membership, user }) => ({ role: membership.role, id: user?.id }))
      for (const [role, as] of [
        ["owner", asOwnerOf],
        ["admin", asAdminOf],
        ["agent", asAgentOf],
        ["viewer", asViewerOf]
      ] as const) {
        const first = yield* me.pipe(as(organization))
        assert.strictEqual(first.role, role)
        assert.deepStrictEqual(yield* me.pipe(as(organization)), first)
      }
      const { data } = yield* listMembers({ page: { limit: 100, cursor: null } }).pipe(asOperatorOf(organization))
      assert.lengthOf(data, 4)
    })
  )

  it.effect("make contacts with tags and custom fields", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const tag = yield* givenTag(organization)
      yield* givenContactField(organization, "city")
      const contact = yield* givenContact(organization, { tags: [tag.id], attributes: { city: "Quito" } })
      yield* givenContact(organization)
      const { data } = yield* listContacts({ tags: [tag.id], page: { limit: 100, cursor: null } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(data, [contact])
    })
  )

  it.effect("make people and places that do not clash", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const person = yield* givenMember(one, "admin")
      yield* givenUser()
      yield* givenInvitation(other, person.user.email)
      const { user } = yield* getMe().pipe(asPerson(one, person))
      assert.strictEqual(user?.id, person.user.id)
      const outside = yield* actorOf(person)
      assert.strictEqual(outside.kind === "user" ? outside.role : outside.kind, null)
      const acting = yield* asOperatorOf(one)(CurrentActor)
      assert.strictEqual(acting.kind, "operator")
    })
  )
})
