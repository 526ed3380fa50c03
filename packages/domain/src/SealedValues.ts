import { ofAllAreas } from "./areas.ts"

/** Every kind of value that the areas store sealed. */
export const sealedValues = ofAllAreas("sealedValues")
