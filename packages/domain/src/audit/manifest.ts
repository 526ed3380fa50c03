import { defineArea } from "../kernel/index.ts"

/** What this area says of itself. */
export const auditArea = defineArea({
  name: "audit",
  permissions: ["audit.read"]
})
