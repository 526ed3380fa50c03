import { Layer } from "effect"
import * as DocsCodeRedemption from "./DocsCodeRedemption.ts"
import * as DocsCodes from "./DocsCodes.ts"

export const layer = Layer.mergeAll(DocsCodeRedemption.layer, DocsCodes.layer)
