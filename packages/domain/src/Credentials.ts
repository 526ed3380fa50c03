import { ofAllAreas } from "./areas.ts"
import type { Credential } from "./kernel/index.ts"

/** Every kind of credential that the areas give. */
export const credentials: ReadonlyArray<Credential> = ofAllAreas("credentials")
