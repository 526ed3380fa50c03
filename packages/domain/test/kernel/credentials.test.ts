import { assert, describe, it } from "@effect/vitest"
import type { Claims } from "@parley/domain/platform"
import { credentials } from "@parley/domain/composition"

/** Names of the credentials that are signed tokens. */
const signed: Readonly<Record<Claims["use"], ReadonlyArray<string>>> = {
  session: ["access token"],
  automation: ["automation token", "plugin token"],
  docs: ["docs session"],
  operator: ["operator token"]
}

describe("the credentials of the areas", () => {
  it("have unique names", () => {
    const names = credentials.map(({ name }) => name)
    assert.deepStrictEqual(names, Array.from(new Set(names)))
  })

  it("name their parents, and each chain of parents ends at a record", () => {
    const byName = new Map(credentials.map((credential) => [credential.name, credential]))
    for (const { name, parent } of credentials) {
      let next = parent
      for (const seen = new Set([name]); next.kind === "credential";) {
        const above = byName.get(next.name)
        assert.isDefined(above, `${name} names ${next.name}`)
        assert.isFalse(seen.has(next.name), `${name} is its own parent`)
        seen.add(next.name)
        next = above.parent
      }
      assert.isNotEmpty(next.reason, name)
    }
  })

  it("include every kind of signed token", () => {
    assert.includeMembers(
      credentials.map(({ name }) => name),
      Object.values(signed).flat()
    )
  })
})
