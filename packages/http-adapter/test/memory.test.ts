import { TestKit } from "@parley/testkit"
import { accessSuites, inputSuites, resourceSuites } from "./suites/all.ts"

resourceSuites(TestKit.layer)
inputSuites(TestKit.layer, { copies: 50 })
accessSuites(TestKit.layer)
