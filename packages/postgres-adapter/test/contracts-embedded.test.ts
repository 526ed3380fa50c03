import * as Postgres from "@parley/postgres-adapter"
import { layerEmbedded } from "@parley/postgres-adapter/testing"
import { allStorageContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"

allStorageContracts("PGlite", Layer.provide(Postgres.layer, layerEmbedded), { overlap: "none" })
