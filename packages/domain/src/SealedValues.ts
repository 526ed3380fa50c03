import { ofAllAreas } from "./areas.ts"

/** All kinds of sealed values of the areas. */
export const sealedValues = ofAllAreas("sealedValues")
