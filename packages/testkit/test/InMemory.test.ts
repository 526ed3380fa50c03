import { InMemory } from "@parley/testkit"
import { allStorageContracts } from "@parley/testkit/contracts"

allStorageContracts("in memory", InMemory.layer, { overlap: "readers" })
