import { layerAreas } from "@parley/domain"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { TestKit, TestSecurity } from "@parley/testkit"
import { performedActionsContract } from "@parley/testkit/contracts"
import { Layer } from "effect"

performedActionsContract(
  "PostgreSQL",
  Layer.provideMerge(layerAreas, Layer.merge(TestSecurity.layer, TestKit.layerProviders)).pipe(
    Layer.provideMerge(Postgres.layer),
    Layer.provide(layerServer)
  )
)
