import { describe } from "@effect/vitest"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer, serverUrl } from "@parley/postgres-adapter/testing"
import { allStorageContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"

describe.skipIf(serverUrl === null)("storage contracts (needs PARLEY_TEST_DATABASE_URL)", () => {
  allStorageContracts("PostgreSQL", Layer.provide(Postgres.layer, layerServer))
})
