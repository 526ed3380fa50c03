import { layerEmbedded } from "@parley/postgres-adapter/testing"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { storeSuites } from "./suites/all.ts"

storeSuites(layerPorts(inRealTime(layerEmbedded)), { copies: 20 })
