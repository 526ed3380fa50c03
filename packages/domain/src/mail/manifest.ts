import { defineArea } from "../kernel/index.ts"
import { mailWorks } from "./work.ts"

/** What this area says of itself. */
export const mailArea = defineArea({
  name: "mail",
  works: mailWorks
})
