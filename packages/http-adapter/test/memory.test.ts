import { TestKit } from "@parley/testkit"
import { seenByOwner } from "./harness/sight.ts"
import { requestSuites, resourceSuites } from "./suites/all.ts"
import { automationTestsSuite } from "./suites/automationTests.ts"
import { workflowTestsSuite } from "./suites/workflowTests.ts"
import { strangersSuite } from "./suites/tenancy.ts"

requestSuites(TestKit.layer)
strangersSuite("tenants", TestKit.layer, seenByOwner)
automationTestsSuite("tests of automations", TestKit.layer, seenByOwner)
workflowTestsSuite("tests of workflows", TestKit.layer, seenByOwner)
resourceSuites(TestKit.layer)
