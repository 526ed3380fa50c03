import { defineArea } from "../../kernel/index.ts"
import { kernelWorks } from "./kernelWorks.ts"
import { workStorage } from "./Storage.ts"

/** What this area says of itself. */
export const workArea = defineArea({
  name: "platform/background",
  storage: workStorage,
  works: kernelWorks
})
