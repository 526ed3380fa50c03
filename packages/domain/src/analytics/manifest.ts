import { defineArea } from "../kernel/index.ts"

/** What this area says of itself. */
export const analyticsArea = defineArea({ name: "analytics" })
