import { Layer } from "effect"
import * as Files from "./Files.ts"
import * as FileSweep from "./FileSweep.ts"

export const layer = Layer.mergeAll(Files.layer, FileSweep.layer)
