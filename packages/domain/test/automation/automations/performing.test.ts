import { TestKit } from "@parley/testkit"
import { performedActionsContract } from "@parley/testkit/contracts"

performedActionsContract("in memory", TestKit.layer)
