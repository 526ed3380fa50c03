import { defineArea } from "../../kernel/index.ts"
import { auditStorage } from "./Storage.ts"

/** What this area says of itself. */
export const auditArea = defineArea({
  name: "platform/audit",
  storage: auditStorage,
  permissions: ["audit.read"]
})
