import { Layer } from "effect"
import * as DocsCodeRedemption from "./DocsCodeRedemption.ts"
import * as DocsCodes from "./DocsCodes.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(DocsCodeRedemption.layer, DocsCodes.layer)
