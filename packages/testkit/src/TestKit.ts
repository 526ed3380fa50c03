import { layerFeatureGate, type Ports } from "@parley/domain"
import { Layer } from "effect"
import * as InMemory from "./InMemory.ts"
import * as TestSecurity from "./TestSecurity.ts"

/** Everything that use cases need from outside, in memory. */
export const layer: Layer.Layer<Ports> = Layer.mergeAll(
  layerFeatureGate.pipe(Layer.provideMerge(InMemory.layer)),
  TestSecurity.layer
)
