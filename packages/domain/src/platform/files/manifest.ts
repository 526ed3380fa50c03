import { defineArea } from "../../kernel/index.ts"
import { filesStorage } from "./Storage.ts"
import { filesWorks } from "./work.ts"

/** What this area says of itself. */
export const filesArea = defineArea({
  name: "platform/files",
  storage: filesStorage,
  works: filesWorks
})
