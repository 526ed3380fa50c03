import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { allStorageContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"

allStorageContracts("PostgreSQL", Layer.provide(Postgres.layer, layerServer))
