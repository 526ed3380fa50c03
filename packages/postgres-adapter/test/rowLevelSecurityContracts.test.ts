import { assert, it } from "@effect/vitest"
import * as Postgres from "@parley/postgres-adapter"
import { layerLockedServer, makeVerdicts, spanning, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { allStorageContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"

const verdicts = makeVerdicts()

allStorageContracts(
  "PostgreSQL under row level security",
  Layer.provide(Postgres.layer, underRowLevelSecurity(layerLockedServer, { verdicts }))
)

it("every contract statement was parsed, and each exemption is needed", () => {
  assert.deepStrictEqual(Array.from(verdicts.unread), [])
  const needless = spanning.filter(({ text }) => !verdicts.needed.has(text))
  assert.deepStrictEqual(needless, [], "take them off the list of spanning statements")
})
