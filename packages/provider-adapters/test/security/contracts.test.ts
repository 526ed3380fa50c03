import { InMemory } from "@parley/testkit"
import { allSecurityContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"
import { layer } from "@parley/provider-adapters/security"
import { k1, k2, listOf, options } from "./fixtures.ts"

allSecurityContracts("The security adapters", layer(options).pipe(Layer.provide(InMemory.layer)))

allSecurityContracts(
  "The security adapters with an older master key",
  layer({ ...options, masterKeys: listOf(k2, k1) }).pipe(Layer.provide(InMemory.layer))
)
