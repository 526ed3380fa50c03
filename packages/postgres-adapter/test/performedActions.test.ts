import { assert, it } from "@effect/vitest"
import { layerAreas } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { layerLockedServer, makeVerdicts, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { TestKit, TestSecurity } from "@parley/testkit"
import { performedActionsContract } from "@parley/testkit/contracts"
import { Layer } from "effect"

const verdicts = makeVerdicts()

performedActionsContract(
  "PostgreSQL under row level security",
  Layer.provideMerge(layerAreas, Layer.merge(TestSecurity.layer, TestKit.layerProviders)).pipe(
    Layer.provideMerge(Postgres.layer),
    Layer.provide(underRowLevelSecurity(layerLockedServer, { verdicts }))
  )
)

it("every statement of actions was understood", () => {
  assert.deepStrictEqual(Array.from(verdicts.unread), [])
})
