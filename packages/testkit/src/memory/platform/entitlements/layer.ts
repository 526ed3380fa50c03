import * as Plans from "./Plans.ts"

export const layer = Plans.layer
