import { assert } from "@effect/vitest"
import type { OrganizationId } from "@parley/domain/kernel"
import { OrganizationIds } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, outside } from "../../given.ts"

export const organizationIds: StorageContract = {
  port: "OrganizationIds",
  promises: (it) => {
    it.effect("names every organization once, page by page, in the order of their ids", () =>
      Effect.gen(function* () {
        const { after } = yield* OrganizationIds
        const mine = [yield* givenOrganization(), yield* givenOrganization(), yield* givenOrganization()].map(
          ({ id }) => id
        )
        const seen: Array<OrganizationId> = []
        let page: ReadonlyArray<OrganizationId> = yield* outside(after(null, 2))
        while (page.length > 0) {
          assert.isAtMost(page.length, 2)
          seen.push(...page)
          page = yield* outside(after(page.at(-1) ?? null, 2))
        }
        assert.deepStrictEqual(seen, Array.from(new Set(seen)).toSorted())
        assert.includeMembers(seen, mine)
      })
    )
  }
}

export const organizationIdsContract = runContract(organizationIds)
