import { TestKit } from "@parley/testkit"
import { allSuites } from "./suites/all.ts"

allSuites(TestKit.layer, { copies: 50 })
