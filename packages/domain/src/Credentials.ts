import { ofAllAreas } from "./areas.ts"
import type { Credential } from "./kernel/index.ts"

/** All kinds of credentials of the areas. */
export const credentials: ReadonlyArray<Credential> = ofAllAreas("credentials")
