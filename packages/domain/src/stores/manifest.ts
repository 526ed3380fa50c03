import { defineArea } from "../kernel/index.ts"

/** What this area says of itself. */
export const storesArea = defineArea({ name: "stores" })
