import { TestKit } from "@parley/testkit"
import { seenByOwner } from "./harness/sight.ts"
import { requestSuites, resourceSuites, storageSuites } from "./suites/all.ts"
import { tenancySuite } from "./suites/tenancy.ts"

requestSuites(TestKit.layer)
storageSuites(TestKit.layer, { copies: 50 })
tenancySuite("tenants", TestKit.layer, seenByOwner)
resourceSuites(TestKit.layer)
